"""What the figures of a report are out of: turns produced, captured, skipped, sampled, judged and scored."""

from reportgen.analysis.sampling import Sampling
from reportgen.model.run import Capture
from reportgen.publishing.printing import plural, print_count

Row = dict[str, str]


def build_denominators(
    capture: Capture, scored: int, sampling: Sampling | None = None, *, has_composite: bool = True
) -> list[Row]:
    """Each count with what makes it differ from the one before."""
    lines, singles = capture.captured + capture.set_aside, capture.turns + capture.beyond_limit
    captured = sampling.population if sampling else lines
    rows = [
        _produced(capture, captured),
        _row("Captured", captured, "turns of which a sample was drawn" if sampling else "lines of the source files"),
        _row("Skipped", capture.set_aside, "of the captured, set aside as unreadable"),
    ]
    if sampling:
        by = " and ".join(sampling.labels)
        rows.append(_row("Sampled", sampling.drawn, f"drawn from strata by {by}" if by else "drawn from all alike"))
    if capture.bundles:
        were = "was" if capture.bundles == 1 else "were"
        rows.append(
            _row(
                "Single questions",
                singles,
                f"once {plural(capture.bundles, 'bundle')} of several {were} split",
            )
        )
    if capture.beyond_limit:
        rows.append(_row("Left out", capture.beyond_limit, "by choice, with --limit"))
    without = "without a score" if has_composite else "of which a judge call failed"
    return [
        *rows,
        _row("Judged", capture.turns, "each by all judge calls of the rubric"),
        _row("Scored", scored, f"{plural(capture.turns - scored, 'judged turn')} {without}"),
    ]


def say_denominators(capture: Capture, scored: int, sampling: Sampling | None = None) -> str:
    """The same in a line; what was captured and produced only where it is not what was judged."""
    said = f"{plural(scored, 'turn')} scored of {print_count(capture.turns)} judged"
    lines = sampling.population if sampling else capture.captured + capture.set_aside
    if lines != capture.turns or capture.produced is not None:
        said += f", {print_count(lines)} captured"
        if capture.bundles and not sampling:
            said += f" ({print_count(capture.bundles)} held several questions)"
    return said if capture.produced is None else f"{said} and {print_count(capture.produced)} produced"


def _produced(capture: Capture, lines: int) -> Row:
    if capture.produced is None:
        return {"what": "Produced", "count": "not given", "says": "how many turns the assistant had in that time"}
    return _row(
        "Produced", capture.produced, f"as the publisher counts; {print_count(capture.produced - lines)} not captured"
    )


def _row(what: str, count: int, says: str) -> Row:
    return {"what": what, "count": print_count(count), "says": says}
