"""What a user can fix: each error has a slug, says where, what and what to do, and carries an exit code."""

from enum import IntEnum


class Exit(IntEnum):
    """How the program ends."""

    DONE = 0
    FIXABLE = 1
    USAGE = 2
    BUG = 3
    GATE = 4
    INTERRUPTED = 130


class ReportgenError(Exception):
    """Base of all errors that are the user's to fix.

    Args:
        what: What is wrong, and where.
        fix: What to do about it.
    """

    slug = "error"
    exit_code = Exit.FIXABLE

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.what}\n  {self.fix}"


class CaptureError(ReportgenError):
    """A file of captured turns cannot be read as such."""

    slug = "capture"


class RubricError(ReportgenError):
    """A rubric file is wrong."""

    slug = "rubric"


class ConfigError(ReportgenError):
    """The configuration file is wrong."""

    slug = "config"


class JudgeError(ReportgenError):
    """The judge cannot be asked at all; the run stops, what was paid for is kept."""

    slug = "judge"


class ModelError(JudgeError):
    """The model is unknown where the judge is asked, is retired, or does not know the effort; the key was accepted."""


class CostLimitError(ReportgenError):
    """A run may not go on for what it would cost, or its cost cannot be limited; what was paid for is kept."""

    slug = "cost-limit"


class RunError(ReportgenError):
    """A run folder cannot be used: absent, unfinished, unreadable, newer, or in use."""

    slug = "run"


class NotComparableError(ReportgenError):
    """Two runs were made with different instruments, so that their scores may not be compared."""

    slug = "not-comparable"


class TermsError(RunError):
    """An unfinished run began with other turns, or on other terms, than those with which it is to go on."""


class LabelError(ReportgenError):
    """Turns cannot be drawn for people to label, or what they said of them cannot be taken over."""

    slug = "labels"


class RevisionError(ReportgenError):
    """A revision of a report cannot be as it is asked for: its number, its notes, its correction or its withdrawal."""

    slug = "revision"


class SiteError(ReportgenError):
    """An archive site cannot be made: there is nothing to show, or its readers or its place are not clear."""

    slug = "site"


class PublicationError(ReportgenError):
    """A period cannot be published: it has no turns, or several runs, or something is in the way."""

    slug = "publication"


class AnchorsError(ReportgenError):
    """Anchors cannot be frozen or checked: the run has no single judge, or there is no such set."""

    slug = "anchors"


class CalibrationError(ReportgenError):
    """A judge cannot be held against people: ratings or labels are missing, or not of the asked form."""

    slug = "calibration"


class ServeError(ReportgenError):
    """The server cannot start: its address, its tokens, its port or an optional library does not allow it."""

    slug = "serve"


class ExchangeError(ReportgenError):
    """An exchange that was handed in is refused: it is no turn, too large, or there is no place for it."""

    slug = "exchange"


class StreamingError(ReportgenError):
    """Turns cannot be judged as they come in: an open run, its workers or the queue do not allow it."""

    slug = "streaming"


class RenderError(ReportgenError):
    """A report could not be rendered."""

    slug = "render"


class StrictError(ReportgenError):
    """The run is finished, but has a caveat that `--strict` does not let pass."""

    slug = "strict"
    exit_code = Exit.GATE


class GateError(ReportgenError):
    """A gate of the configuration does not let the run through."""

    slug = "gate"
    exit_code = Exit.GATE


class DriftError(ReportgenError):
    """A judge was checked on frozen anchors and was not found to be equivalent to the old one."""

    slug = "drift"
    exit_code = Exit.GATE


class InterruptionError(ReportgenError):
    """A person or a signal stopped the work; what was paid for is kept."""

    slug = "interrupted"
    exit_code = Exit.INTERRUPTED


class SystemRefusalError(ReportgenError):
    """The system does not let the program write: a full disk, a right that is missing, a device that fails."""

    slug = "system"
