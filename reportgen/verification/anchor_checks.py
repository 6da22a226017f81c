"""Do the kappas of two judges beside people follow from the counts that a check states?"""

from collections import Counter
from collections.abc import Iterator, Sequence

from reportgen.analysis.calibration.beside_people import measure_table
from reportgen.model.anchor_check import AnchorCheck, PeopleAgreement
from reportgen.verification.differences import Difference, differ


def check_people(checks: Sequence[AnchorCheck], bands: Sequence[str]) -> Iterator[Difference]:
    """Of each check that holds people: both judges are held against the same bands of people, and figures follow.

    Args:
        checks: Those that a report or an archive states.
        bands: The bands of the rubric, lowest first.
    """
    for number, check in enumerate(checks, start=1):
        people, place = check.people, f"check {number}, people"
        if people is None:
            continue
        for name, stated in (("before", people.before), ("after", people.after)):
            yield from differ(f"{place}: {name}", stated.to_data(), measure_table(stated.table, bands).to_data())
            yield from differ(f"{place}: turns of {name}", sum(_people_bands(stated).values()), people.turns)
        yield from differ(f"{place}: bands", _people_bands(people.after), _people_bands(people.before))


def _people_bands(stated: PeopleAgreement) -> Counter[str]:
    """How many turns people put into each band."""
    found: Counter[str] = Counter()
    for line in stated.table.values():
        found.update(line)
    return found
