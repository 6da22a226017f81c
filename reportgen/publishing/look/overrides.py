"""Templates, prose and styles of a user's own in place of the program's."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from reportgen.errors import RenderError
from reportgen.resources import resource

MOST_BYTES = 1024 * 1024
_KINDS = (".html", ".md", ".css")


@dataclass(frozen=True, slots=True)
class Override:
    """A file in place of one of the program's; `name` is its path under `templates`."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the file as it was used."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Overrides:
    """All files of a user's folder, in the order of their names; they are read once, so that what is named is used."""

    folder: Path | None = None
    files: tuple[Override, ...] = ()

    def find(self, name: str) -> Override | None:
        """The file in place of the program's of that name, if there is one."""
        return next((file for file in self.files if file.name == name), None)


NO_OVERRIDES = Overrides()


def place(overrides: Overrides, name: str) -> Path:
    """Where the template of that name lies: in the user's folder, or with the program."""
    return (overrides.folder or Path()) / name if overrides.find(name) else resource("templates") / name


def read_template(name: str, overrides: Overrides) -> str:
    """The text of that template, the user's own if there is one."""
    own = overrides.find(name)
    return own.text if own else (resource("templates") / name).read_text("utf-8")


def read_overrides(folder: Path | None) -> Overrides:
    """The files of that folder, each in place of the program's of the same path; None has none.

    Raises:
        RenderError: There is no such folder, a file in it overrides nothing, or one cannot be read or is wrong.
    """
    if folder is None:
        return NO_OVERRIDES
    if not folder.is_dir():
        raise RenderError(f"There is no folder of templates {folder}", "Correct report.templates or --templates.")
    found = sorted(path for path in folder.rglob("*") if not _is_hidden(path, folder))
    paths = [path for path in found if _is_template(path)]
    if not paths:
        raise RenderError(f"The folder of templates {folder} is empty", "Copy into it what you want to change.")
    return Overrides(folder, tuple(_read(path, path.relative_to(folder).as_posix()) for path in paths))


def _is_hidden(path: Path, folder: Path) -> bool:
    """Files such as those of a version control; none of the program's has such a name."""
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _is_template(path: Path) -> bool:
    """Whether it is a file and no folder.

    Raises:
        RenderError: It is neither, or a link to a folder, so that what is meant would not be used.
    """
    if path.is_file():
        return True
    if path.is_dir() and not path.is_symlink():
        return False
    raise RenderError(f"{path} is neither a file nor a folder, or a link to one", "Copy what it leads to in its place.")


def _read(path: Path, name: str) -> Override:
    if name not in _program_files():
        near = get_close_matches(name, _program_files(), 1)
        hint = f"Did you mean {near[0]}?" if near else "The documentation lists what can be overridden: design.md."
        raise RenderError(f"{path} overrides nothing", hint)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise RenderError(f"{path} has more than {MOST_BYTES // 1024} KiB", "A template holds words, not pictures.")
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise RenderError(f"{path} cannot be read: {why}", "Save it as UTF-8.") from None
    _check(path, text)
    return Override(name, text)


@cache
def _program_files() -> tuple[str, ...]:
    """What can be overridden, by its path under `templates`."""
    root = resource("templates")
    return tuple(sorted(path.relative_to(root).as_posix() for path in root.rglob("*.*") if path.suffix in _KINDS))


def _check(path: Path, text: str) -> None:
    if path.suffix == ".css" and "</" in text:
        raise RenderError(f"{path} holds '</', which ends a style sheet", "Take it out, also in comments.")
    if path.suffix in (".html", ".md"):
        try:
            ImmutableSandboxedEnvironment(autoescape=True).parse(text)
        except TemplateSyntaxError as error:
            raise RenderError(f"{path}, line {error.lineno}: {error.message}", "Correct the template.") from None
