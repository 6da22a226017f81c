"""Erasing the texts of turns from a finished run: its scores stay, its seal is issued anew, and it says so.

What is being erased is noted first, so that an erasure that was interrupted is finished by the same command. Each step
gives the same when it is done again.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from reportgen.analysis.probes import measure_probe
from reportgen.analysis.rows import TurnRow
from reportgen.archive.annexes import LABELS, PROBES, REVISIONS, SAMPLES, read_probes
from reportgen.archive.digests import file_digest, seal_of
from reportgen.archive.files import write_whole
from reportgen.archive.lock import locked
from reportgen.archive.records import open_folder, require_intact
from reportgen.archive.store import (
    ERASING,
    RUN,
    SCORES,
    TURNS,
    VERDICTS,
    load_run,
    parse,
    read_lines,
    read_records,
    save_lines,
    write_run,
)
from reportgen.assembly import VerdictGroups, read_rows
from reportgen.model.derivation import Erasure
from reportgen.model.label import CalibrationSample, Label, LabelImport, SampledStratum
from reportgen.model.probe import Pair, Probe
from reportgen.model.revision import BaselineTurn, Revision
from reportgen.model.rubric import Rubric
from reportgen.model.run import RunFile
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.pipeline.intake import SET_ASIDE
from reportgen.pipeline.probe import JOURNAL
from reportgen.record import Record, canonical
from reportgen.redaction.blanking import ERASED, blank_verdict, erase_labels, erase_turn
from reportgen.scoring.composite import score_turn

_Kind = TypeVar("_Kind", bound=Record)


def erase_texts(folder: Path, wanted: Erasure) -> RunFile:
    """Erases the texts of turns from one finished run, whole or, after an interruption, when it is called again.

    Args:
        folder: The run.
        wanted: The turns, the time, and the reason; an erasure that was interrupted is finished as it was begun.

    Raises:
        RunError: The run is in use, was changed, or cannot be written.
    """
    with locked(folder):
        erasure = _begin(folder, wanted)
        _erase_records(folder, erasure)
        run = _seal_anew(folder, erasure)
        _erase_annexes(folder, erasure)
        (folder / ERASING).unlink()
    return run


def load_interrupted(folder: Path) -> Erasure | None:
    """The erasure that was interrupted in a run, if one was."""
    path = folder / ERASING
    return parse(Erasure, b"\n".join(read_lines(path)), str(path)) if path.exists() else None


def _begin(folder: Path, wanted: Erasure) -> Erasure:
    """Notes what is about to be erased, and the digests from before."""
    if (known := load_interrupted(folder)) is not None:
        return known
    require_intact(folder)
    run = load_run(folder)
    erasure = wanted.model_copy(update={"seal": run.seal, "files": run.files})
    write_whole(folder / ERASING, [canonical(erasure.to_data())])
    return erasure


def _erase_records(folder: Path, erasure: Erasure) -> None:
    """Turns, verdicts and scores, line by line; all other lines stay as they are, byte for byte."""
    turns = set(erasure.turns)
    _rewrite(folder / TURNS, Turn, lambda turn: erase_turn(turn, erasure.labels) if turn.id in turns else None)
    _rewrite(folder / VERDICTS, Verdict, lambda verdict: _blank(verdict, turns))
    run, groups = load_run(folder), VerdictGroups(read_records(Verdict, folder / VERDICTS))
    pairs = zip(read_records(Turn, folder / TURNS), read_lines(folder / SCORES), strict=True)
    lines = (_score_again(turn, line, groups.take(turn.id), turns, run) for turn, line in pairs)
    write_whole(folder / SCORES, lines)


def _rewrite(path: Path, kind: type[_Kind], change: Callable[[_Kind], _Kind | None]) -> None:
    """Writes a file of records anew, with what `change` gives in the place of those that it gives something for."""

    def lines() -> Iterator[bytes]:
        for number, line in enumerate(read_lines(path), start=1):
            changed = change(parse(kind, line, f"{path}:{number}"))
            yield (line if changed is None else canonical(changed.to_data())) + b"\n"

    if path.exists():
        write_whole(path, lines())


def _blank(verdict: Verdict, turns: Collection[str]) -> Verdict | None:
    return blank_verdict(verdict, ERASED) if verdict.turn in turns else None


def _score_again(turn: Turn, line: bytes, verdicts: tuple[Verdict, ...], turns: Collection[str], run: RunFile) -> bytes:
    """The line of a score; only the reason why there is none can have changed."""
    if turn.id not in turns:
        return line + b"\n"
    score = score_turn(turn, verdicts, run.rubric, run.manifest.judge.name)
    return canonical(score.to_data()) + b"\n"


def _seal_anew(folder: Path, erasure: Erasure) -> RunFile:
    """Puts the erasure into the manifest, with the digests of the files as they are now and a seal over all of it."""
    content: dict[str, Any] = json.loads((folder / RUN).read_bytes())
    known, item = content["manifest"].get("erasures", []), erasure.to_data()
    content["manifest"]["erasures"] = known if item in known else [*known, item]
    content["files"] = {name: file_digest(folder / name) for name in (TURNS, VERDICTS, SCORES)}
    content["seal"] = seal_of(content)
    return write_run(folder, content)


def _erase_annexes(folder: Path, erasure: Erasure) -> None:
    """What was set aside, probed and published: the texts there, and the length of an answer that is not known now."""
    turns = set(erasure.turns)
    _rewrite(folder / JOURNAL / VERDICTS, Verdict, lambda verdict: _blank(verdict, turns))
    _erase_set_aside(folder / SET_ASIDE, turns)
    _rewrite(folder / LABELS, LabelImport, lambda item: _erase_labels(item, turns))
    _erase_cells(folder, erasure.labels)
    if probes := read_probes(folder):
        records = open_folder(folder)
        rows, rubric = read_rows(records), records.run.rubric
        save_lines(folder / PROBES, [_measure_again(_erase_probe(probe, turns), rows, rubric) for probe in probes])


def _measure_again(probe: Probe, rows: Sequence[TurnRow], rubric: Rubric) -> Probe:
    """The probe without what rests on the lengths of answers that are not known any more."""
    if probe.kind == "order":
        return probe
    found = measure_probe(probe.kind, (), rows, rubric)
    return probe.model_copy(update={"estimate": found.estimate, "metrics": found.metrics})


def _erase_labels(item: LabelImport, turns: Collection[str]) -> LabelImport | None:
    """What people wrote about the turns, which may quote them, and the digests by which texts could be guessed."""
    if not any(label.turn in turns for label in item.labels):
        return None
    labels = tuple(erase_label(label) if label.turn in turns else label for label in item.labels)
    return item.model_copy(update={"labels": labels})


def erase_label(label: Label) -> Label:
    """What a person said of a turn whose texts were erased: the words go, and what could be tried out on them."""
    return label.model_copy(update={"comment": label.comment and ERASED, "content": None})


def _erase_cells(folder: Path, erased: Collection[str]) -> None:
    """Of the strata of samples the values of erased labels that no turn of the run bears any more."""
    if not erased or not (folder / SAMPLES).exists():
        return
    left: dict[str, set[str | None]] = {name: {None} for name in erased}
    for turn in read_records(Turn, folder / TURNS):
        for name in erased:
            left[name].add(turn.labels.get(name))

    def change(sample: CalibrationSample) -> CalibrationSample:
        def keep(stratum: SampledStratum) -> SampledStratum:
            cells = tuple(_keep_values(cell, sample.labels, left) for cell in stratum.cells)
            return stratum.model_copy(update={"cells": cells})

        return sample.model_copy(update={"strata": tuple(map(keep, sample.strata))})

    _rewrite(folder / SAMPLES, CalibrationSample, change)


def _keep_values(
    cell: tuple[str | None, ...], names: Sequence[str], left: Mapping[str, Collection[str | None]]
) -> tuple[str | None, ...]:
    pairs = zip(names, cell, strict=True)
    return tuple(value if name not in left or value in left[name] else ERASED for name, value in pairs)


def _erase_probe(probe: Probe, turns: Collection[str]) -> Probe:
    return probe.model_copy(update={"pairs": tuple(_erase_pair(pair, turns) for pair in probe.pairs)})


def _erase_pair(pair: Pair, turns: Collection[str]) -> Pair:
    verdicts = tuple(_blank(verdict, turns) or verdict for verdict in pair.verdicts)
    return pair.model_copy(update={"verdicts": verdicts})


def _erase_set_aside(path: Path, turns: Collection[str]) -> None:
    """Bad lines that name one of the turns, or the bundle that it is of."""
    if not path.exists():
        return
    names = {name for turn in turns for name in (turn, turn.rpartition("#")[0]) if name}

    def lines() -> Iterator[bytes]:
        for line in read_lines(path):
            entry = json.loads(line)
            if any(name in entry["raw"] for name in names):
                entry |= {"raw": ERASED, "problem": ERASED, "field": ""}
            yield json.dumps(entry, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"

    write_whole(path, lines())


def erase_baselines(folder: Path, seals: Collection[str], turns: Collection[str], labels: Collection[str]) -> None:
    """Erases what reports of a run quote of turns of other runs that they were compared with.

    Args:
        folder: The run whose reports they are.
        seals: Those of the other runs, now and from before.
        turns: The turns whose texts were erased there.
        labels: The labels whose values were.
    """

    def quotes(revision: Revision) -> bool:
        return revision.baseline is not None and revision.baseline.seal in seals

    def change(revision: Revision) -> Revision | None:
        baseline = revision.baseline
        if baseline is None or not quotes(revision):
            return None
        kept = tuple(_erase_quoted(turn, labels) if turn.id in turns else turn for turn in baseline.turns)
        return revision.model_copy(update={"baseline": baseline.model_copy(update={"turns": kept})})

    if (folder / REVISIONS).exists() and any(map(quotes, read_records(Revision, folder / REVISIONS))):
        with locked(folder):
            _rewrite(folder / REVISIONS, Revision, change)


def _erase_quoted(turn: BaselineTurn, labels: Collection[str]) -> BaselineTurn:
    changed = {"explanation": turn.explanation and ERASED, "labels": erase_labels(turn.labels, labels)}
    return turn.model_copy(update=changed)
