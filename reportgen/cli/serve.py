"""`reportgen serve`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.serving.catalogue import Archive


@click.command(
    epilog=options.examples(
        "reportgen serve runs",
        "reportgen serve runs --host 192.0.2.7 --port 8000 --token-file tokens.yaml",
    )
)
@click.argument("runs", type=options.FOLDER, required=False)
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", help="Where to listen.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="0 takes a free one.  [default: 8000]")
@click.option("--token-file", type=options.FILE, help="Tokens.  [default: the one in REPORTGEN_TOKEN, or none]")
@options.common
def command(
    runs: Path | None,
    host: str,
    port: int,
    token_file: Path | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Serve RUNS, a folder of runs, over HTTP: statistics and rows of collections, and reports, as JSON.

    It is only read from, and for the publisher's own people: it shows internal runs with their texts. Without a token
    it listens to this machine alone. `GET /openapi.json` lists what can be asked.
    """
    from reportgen.config import load_config
    from reportgen.errors import ServeError
    from reportgen.pipeline.periods import find_zone
    from reportgen.serving.access import is_loopback, read_access, require_safe
    from reportgen.serving.listening import name_address, open_port, require_installed, serve_at

    require_installed()
    from reportgen.serving.app import build_app
    from reportgen.serving.catalogue import Catalogue
    from reportgen.serving.desk import Desk

    settings, console = load_config(config), Console(verbose, quiet)
    archive = runs or Path(settings.runs)
    access = read_access(token_file, archive)
    require_safe(host, access)
    find_zone(settings.publish.timezone)
    if not archive.is_dir():
        raise ServeError(f"There is no folder {archive}", "Name the folder of runs.")
    catalogue = Catalogue(archive, console.say)
    with open_port(host, port) as opened:
        _tell_found(catalogue.look(), console)
        if not is_loopback(host):
            console.say("warning: tokens and texts go over the network in the clear unless a proxy adds TLS.")
        console.result(f"listening on {name_address(opened)}")
        app = build_app(Desk(catalogue, console.say), access, settings.publish.timezone)
        serve_at(opened, app, tells_requests=verbose)
    console.say("Stopped.")


def _tell_found(found: "Archive", console: Console) -> None:
    """Says what is served; the archive has been gone through by then."""
    names = {name for index in found.originals() for name in index.collections if name is not None}
    console.say(f"collections: {len(names):,}, reports: {len(found.reports()):,}; of internal runs only")
