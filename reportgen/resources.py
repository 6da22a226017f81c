"""Files that travel with the program: templates, rubrics, example turns, default configuration."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(name: str) -> Path:
    """The folder or file of that name, in an installed wheel or in a checkout.

    Raises:
        FileNotFoundError: The installation is not whole.
    """
    for place in (_PACKAGE / name, _PACKAGE.parent / name):
        if place.exists():
            return place
    raise FileNotFoundError(f"{name} is missing from the installation of reportgen")
