"""How a report looks, beyond what the program gives it."""

from dataclasses import dataclass
from pathlib import Path

from reportgen.config import ReportConfig
from reportgen.publishing.look.brand import NO_BRAND, Brand, read_brand
from reportgen.publishing.look.overrides import NO_OVERRIDES, Overrides, read_overrides


@dataclass(frozen=True, slots=True)
class Look:
    """The brand of the publisher, and templates of their own."""

    brand: Brand = NO_BRAND
    overrides: Overrides = NO_OVERRIDES


PLAIN = Look()
"""What a report looks like whose publisher asks for nothing else."""


def read_look(config: ReportConfig, templates: Path | None = None) -> Look:
    """The look that the configuration asks for.

    Args:
        config: Its part on reports.
        templates: A folder that goes before the one in the configuration.

    Raises:
        ConfigError: The brand cannot be used.
        RenderError: A template cannot be used.
    """
    folder = templates or (Path(config.templates) if config.templates else None)
    return Look(read_brand(config.brand), read_overrides(folder))
