"""A table of ratings -> those that can be compared as it is asked for."""

from pathlib import Path

from reportgen.analysis.calibration.ratings import Rating, RatingsOrder
from reportgen.capture.ratings import read_ratings
from reportgen.errors import CalibrationError


def load_ratings(path: Path, order: RatingsOrder) -> list[Rating]:
    """The ratings of a table in which those who are to be compared rate something.

    Raises:
        CalibrationError: It cannot be read, or the judge or the reference is not in it.
    """
    ratings = read_ratings(path)
    raters = {rating.rater for rating in ratings}
    if order.judge == order.reference:
        raise CalibrationError(f"{order.judge!r} would be held against itself", "Name two raters.")
    for name in (order.judge, order.reference):
        if name is not None and name not in raters:
            known = ", ".join(sorted(raters)[:20]) or "none"
            raise CalibrationError(f"{path} has no rater {name!r}", f"It has: {known}.")
    if order.reference is None and len(raters) < 2:
        raise CalibrationError(f"{path} has no rater but the judge", "A majority needs others.")
    return ratings
