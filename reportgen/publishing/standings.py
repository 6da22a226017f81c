"""The standing of a revision, and what it corrects, in words."""

from reportgen.model.revision import Correction
from reportgen.model.standing import Standing
from reportgen.publishing.printing import print_day
from reportgen.publishing.text import clean


def name_standing(standing: Standing | None) -> str | None:
    """The standing in a word, for headings; None for the current revision."""
    return None if standing is None else standing.state.capitalize()


def say_standing(standing: Standing) -> str:
    """What has become of a revision, in a line, without the reason."""
    by = ""
    if standing.revision is not None:
        of = f" of the report of run {standing.run}" if standing.run else ""
        by = f" by revision {standing.revision}{of}"
    return clean(f"{standing.state} on {print_day(standing.at)}{by}")


def say_correction(correction: Correction) -> str:
    """Which revision is corrected, in a line."""
    of = f" of the report of run {correction.run}" if correction.run else ""
    return clean(f"corrects revision {correction.supersedes}{of}")
