"""Handing in one exchange: it is checked, stored, and only then put into the queue; each in milliseconds."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NoReturn

from reportgen.archive.aside import keep_aside
from reportgen.archive.open_marks import whole_of
from reportgen.archive.open_runs import ASIDE, OPEN, OpenRun, collection_of, create_open, list_open
from reportgen.archive.open_turns import Accepted, accept_turn
from reportgen.capture.flaws import Flaw
from reportgen.capture.turns import read_single_turn
from reportgen.config import StreamingConfig
from reportgen.errors import ExchangeError, RunError, StreamingError
from reportgen.model.opening import COLLECTION, LABEL, Opening
from reportgen.model.turn import Turn
from reportgen.pipeline.closed_turns import ClosedTurns
from reportgen.pipeline.periods import Period, name_period, read_period
from reportgen.pipeline.stored import build_parcel
from reportgen.record import canonical
from reportgen.transport.queue import Sender

Exchange = Turn | Mapping[str, Any] | str | bytes
State = Literal["queued", "stored", "known"]

_NEAR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an exchange that was accepted; it is on disk, whatever happens from here on.

    Attributes:
        turn: The id of its turn.
        collection: The collection that it belongs to.
        period: The period in which it was captured.
        state: `queued`, a worker will judge it; `stored`, it is not in the queue, and is judged by a worker that finds
            the queue empty or when the run is closed; `known`, the very same exchange had been accepted before.
        note: For `stored`, why it is not in the queue; for `known`, in which run it is, where its own is closed.
    """

    turn: str
    collection: str
    period: str
    state: State
    note: str | None = None


class Submitter:
    """Takes in exchanges. It holds no file open, and any number of threads and processes may use one.

    Args:
        runs: The archive.
        settings: What the configuration says about streaming.
        timezone: In which periods begin and end.
        clock: Tells the time, with its zone.
    """

    def __init__(
        self,
        runs: Path,
        settings: StreamingConfig,
        timezone: str = "UTC",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._runs, self._settings, self._timezone, self._clock = runs, settings, timezone, clock
        self._closed = ClosedTurns(runs)
        self._known: dict[str, list[tuple[Period, OpenRun]]] = {}
        self._sender = Sender(settings.redis, settings.max_waiting) if settings.redis else None

    def submit(self, exchange: Exchange, collection: str | None = None) -> Receipt:
        """Accepts one exchange, which is then on disk, and puts it into the queue.

        Args:
            exchange: A turn, as the line of a capture or as its fields.
            collection: What it belongs to; otherwise its label `collection` says so, or the configuration where that
                names a single one. A turn without the label gets it, so that statistics find it.

        Raises:
            ExchangeError: It is refused; it is kept aside with the reason.
            StreamingError: It could not be stored, and is not.
        """
        raw = _encode(exchange)
        try:
            turn = self._read(raw)
        except Flaw as flaw:
            self._refuse(raw, f"{flaw.field or 'it'} {flaw.problem}", self._known_name(collection))
        name = self._name_collection(turn, collection, raw)
        if LABEL not in turn.labels:
            turn = turn.model_copy(update={"labels": {**turn.labels, LABEL: name}})
        run = self._find_run(name, turn, raw)
        line = canonical(turn.to_data()) + b"\n"
        accepted = _store(run, turn, line)
        if accepted == "erased" or (accepted == "closed" and self._closed.was_erased(run, turn)):
            # It is not kept aside, since its texts are to be nowhere.
            raise ExchangeError(f'The exchange "{turn.id}" is refused: it was erased on request', "Leave it out.")
        if accepted == "closed" and self._closed.has(run, turn):
            became = run.closing.run if run.closing else None
            return Receipt(turn.id, name, run.opening.period, "known", became and f"it is in the run {became}")
        if accepted in ("other", "closed"):
            self._refuse_stored(accepted, run, turn, raw)
        state, note = ("known", None) if accepted == "known" else self._send(run, line)
        return Receipt(turn.id, name, run.opening.period, state, note)

    def _read(self, raw: bytes) -> Turn:
        most = self._settings.max_bytes
        if len(raw) > most:
            raise Flaw("", f"has {len(raw):,} bytes, more than the {most:,} of max_bytes")
        turn = read_single_turn(raw)
        if whole_of(turn.id) != turn.id:
            raise Flaw(f'id "{turn.id}"', "ends like that of a part of a bundle; such ids are made by the program")
        if turn.drawn is not None:
            raise Flaw("", "is part of a sample, which has to be judged whole: `reportgen judge`")
        return turn

    def _known_name(self, given: str | None) -> str:
        """The collection that the caller names, in whose folder refusals are kept, if it is known."""
        return given if given and self._is_known(given) else ""

    def _name_collection(self, turn: Turn, given: str | None, raw: bytes) -> str:
        known = self._settings.collections
        labelled = turn.labels.get(LABEL)
        if given and labelled and labelled != given:
            why = f"its label {LABEL} is {labelled[:80]!r}, and it is handed in for {given[:80]!r}"
            self._refuse(raw, why, self._known_name(given))
        name = given or turn.labels.get(LABEL) or (known[0] if len(known) == 1 else None)
        if name is None:
            self._refuse(raw, "it names no collection")
        if not re.fullmatch(COLLECTION, name):
            self._refuse(raw, f"collection {name[:80]!r} is no name: small letters, digits and dashes")
        if not self._is_known(name):
            opens = f"`reportgen open --collection {name}` opens one"
            why = f"collection {name!r} is unknown: it is not in streaming.collections, and has no open run; {opens}"
            self._refuse(raw, why)
        return name

    def _is_known(self, name: str) -> bool:
        """Whether it is a collection that is configured, or has an open run."""
        if not re.fullmatch(COLLECTION, name):
            return False
        return name in self._settings.collections or collection_of(self._runs, name).is_dir()

    def _find_run(self, name: str, turn: Turn, raw: bytes) -> OpenRun:
        """The open run in whose period a turn was captured; one that has been closed where there is no other."""
        damaged: list[RunError] = []
        run = self._look_up(name, turn.captured_at)
        if run is None:
            found = self._list(name, damaged)
            self._known[name] = [(read_period(run.opening.period, run.opening.timezone), run) for run in found]
            run = self._look_up(name, turn.captured_at) or self._open(name, turn.captured_at)
        if run is None and damaged:
            # It may be the one that this turn belongs to.
            raise _not_stored(turn, damaged[0].what, damaged[0].fix)
        if run is None:
            self._refuse(raw, self._say_none_is_open(name, turn.captured_at), name)
        return run

    def _say_none_is_open(self, name: str, moment: datetime) -> str:
        """Alike for all turns of a period, so that a backlog of them is not told line by line."""
        period = name_period(moment, self._settings.period, self._timezone)
        opens = f"reportgen open --collection {name} --period {period}"
        return f"it was captured in {period}, and no run of {name} is open for that time; `{opens}` opens one"

    def _list(self, name: str, damaged: list[RunError]) -> list[OpenRun]:
        """Those that still take turns first; what cannot be read is put with the damaged."""
        return sorted(list_open(self._runs, name, damaged.append), key=lambda run: not run.is_taking)

    def _look_up(self, name: str, moment: datetime) -> OpenRun | None:
        return next((run for period, run in self._known.get(name, ()) if moment in period), None)

    def _open(self, name: str, moment: datetime) -> OpenRun | None:
        """A new run for a collection of the configuration; None for a time so far from now that a clock is wrong."""
        now, length, zone = self._clock(), self._settings.period, self._timezone
        period = name_period(moment, length, zone)
        near = {name_period(when, length, zone) for when in (now - _NEAR, now, now + _NEAR)}
        if name not in self._settings.collections or period not in near:
            return None
        run = create_open(self._runs, Opening(collection=name, period=period, timezone=zone, opened_at=now))
        self._known.setdefault(name, []).append((read_period(period, zone), run))
        return run

    def _send(self, run: OpenRun, line: bytes) -> tuple[State, str | None]:
        if self._sender is None:
            return "stored", "no Redis is configured"
        trouble = self._sender.send(run.opening.collection, build_parcel(run.opening, line))
        return ("stored", trouble) if trouble else ("queued", None)

    def _refuse_stored(self, accepted: Accepted, run: OpenRun, turn: Turn, raw: bytes) -> NoReturn:
        collection = run.opening.collection
        if accepted == "other":
            self._refuse(raw, f'id "{turn.id}" was accepted before with other content', collection)
        self._known.pop(collection, None)
        closing = run.closing
        became = f" as the run {closing.run}" if closing else ""
        self._refuse(raw, f"the run of {run.opening} is closed{became}", collection)

    def _refuse(self, raw: bytes, reason: str, collection: str = "") -> NoReturn:
        path = self._runs / OPEN / collection / ASIDE
        kept = keep_aside(path, raw, reason, self._clock())
        raise ExchangeError(
            f"The exchange is refused: {reason}",
            f"What is refused is kept in {path}; put it right and hand it in again."
            if kept
            else "Put it right and hand it in again.",
        )


def _store(run: OpenRun, turn: Turn, line: bytes) -> Accepted:
    try:
        return accept_turn(run, turn.id, line)
    except OSError as error:
        fix = "Make room or make the archive writable, then hand it in again."
        raise _not_stored(turn, error.strerror or type(error).__name__, fix) from None


def _not_stored(turn: Turn, why: str, fix: str) -> StreamingError:
    return StreamingError(f'The exchange "{turn.id}" could not be stored, and is not: {why}', fix)


def _encode(exchange: Exchange) -> bytes:
    """The exchange as the line of a capture."""
    if isinstance(exchange, Turn):
        return canonical(exchange.to_data())
    if isinstance(exchange, bytes):
        return exchange.strip()
    if isinstance(exchange, str):
        return exchange.encode("utf-8", "surrogatepass").strip()
    try:
        return json.dumps(exchange, default=_write_moment).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ExchangeError(f"The exchange is refused: it is not JSON: {error}", "Give plain JSON values.") from None


def _write_moment(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no JSON value")
