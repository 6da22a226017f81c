"""Whose report it is: the name, logo, colours and footer of its publisher."""

from dataclasses import dataclass
from pathlib import Path

from reportgen.config import BrandConfig
from reportgen.errors import ConfigError
from reportgen.publishing.look.colours import (
    BLACK,
    NIGHT,
    NIGHT_WASH,
    PAPER,
    WASH,
    WHITE,
    contrast,
    is_legible,
    on,
    shift,
)
from reportgen.publishing.look.logo import read_logo
from reportgen.publishing.text import clean


@dataclass(frozen=True, slots=True)
class Brand:
    """What the publisher puts on a report; `logo` is an address that carries the picture, `style` sets the colours."""

    name: str | None = None
    logo: str | None = None
    footer: str | None = None
    style: str = ""


NO_BRAND = Brand()


def read_brand(config: BrandConfig) -> Brand:
    """The brand that the configuration describes.

    Raises:
        ConfigError: The logo cannot be used, has no name beside it, or text in a colour could not be read.
    """
    if config.logo and not config.name:
        raise ConfigError(
            "report.brand.logo stands without report.brand.name",
            "Give the name too: it is what is read to whoever cannot see the logo.",
        )
    return Brand(
        name=clean(config.name) if config.name else None,
        logo=read_logo(Path(config.logo)) if config.logo else None,
        footer=clean(config.footer) if config.footer else None,
        style=build_style(config.accent, config.cover or config.accent),
    )


def build_style(accent: str | None, cover: str | None) -> str:
    """The rules that set these colours; the others that they need follow from them.

    Raises:
        ConfigError: Text in a colour could not be read, and the headline is printed in one.
    """
    rules = []
    if cover:
        rules.append(f":root {{ --brand: {cover}; --on-brand: {on(cover)}; }}")
    if accent:
        _require_legible(accent)
        night = shift(accent, WHITE, (NIGHT, NIGHT_WASH))
        rules.append(f":root {{ --accent: {accent}; }}")
        rules.append(f"@media screen {{ @media (prefers-color-scheme: dark) {{ :root {{ --accent: {night}; }} }} }}")
    return "\n".join(rules)


def _require_legible(accent: str) -> None:
    backgrounds = (PAPER, WASH)
    if not is_legible(accent, backgrounds):
        least = min(contrast(accent, background) for background in backgrounds)
        raise ConfigError(
            f"report.brand.accent: {accent} has a contrast of {least:.1f} to the page, and text needs 4.5",
            f"The nearest darker shade that has it is {shift(accent, BLACK, backgrounds)}; "
            "a light colour can stand on the cover, as report.brand.cover.",
        )
