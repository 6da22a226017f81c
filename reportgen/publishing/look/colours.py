"""Contrast of colours, as the Web Content Accessibility Guidelines 2.2 define it."""

PAPER, WASH = "#ffffff", "#f4f6f8"
NIGHT, NIGHT_WASH = "#12171d", "#1a2129"
"""What text stands on, in the light and in the dark; the style sheets have the same."""

BLACK, WHITE = "#000000", "#ffffff"
TEXT = 4.5
"""The least contrast of text to what it stands on."""

_STEPS = 64


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21.

    >>> contrast("#ffffff", "#000000"), round(contrast("#767676", "#ffffff"), 2)
    (21.0, 4.54)
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(part / 255) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


def on(background: str) -> str:
    """White or black, whichever stands out more; one of them always does so enough.

    >>> on("#17456b"), on("#ffcc00")
    ('#ffffff', '#000000')
    """
    return max((WHITE, BLACK), key=lambda colour: contrast(colour, background))


def shift(colour: str, towards: str, backgrounds: tuple[str, ...]) -> str:
    """The nearest mixture with black or white that can be read on all of these backgrounds.

    >>> shift("#17456b", WHITE, (NIGHT,)), shift("#17456b", BLACK, (PAPER,))
    ('#67859e', '#17456b')
    """
    mixtures = (_mix(colour, towards, step) for step in range(_STEPS + 1))
    return next(mixed for mixed in mixtures if is_legible(mixed, backgrounds))


def is_legible(colour: str, backgrounds: tuple[str, ...]) -> bool:
    """Whether text in this colour can be read on all of these backgrounds."""
    return all(contrast(colour, background) >= TEXT for background in backgrounds)


def _mix(colour: str, towards: str, step: int) -> str:
    pairs = zip(_parts(colour), _parts(towards), strict=True)
    return "#" + "".join(f"{round(one + (other - one) * step / _STEPS):02x}" for one, other in pairs)
