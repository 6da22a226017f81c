"""Bands: named ranges of scores, decided on the exact value."""

from collections.abc import Sequence
from fractions import Fraction

from reportgen.model.rubric import Band


def band_of(score: Fraction, bands: Sequence[Band]) -> Band:
    """The first band, highest first, whose lower edge the score reaches.

    Args:
        score: 0 to 100, exact.
        bands: Highest first; the lowest begins at 0.
    """
    return next(band for band in bands if score >= band.at_least)
