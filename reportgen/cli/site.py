"""`reportgen site`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.report import make_report_order

if TYPE_CHECKING:
    from reportgen.model.audience import Audience, Kind

KINDS = ("internal", "client", "public")


def _parse_base(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    if not re.fullmatch(r"https?://[A-Za-z0-9._~:/%@!$&'()*+,;=\[\]-]+", value):
        raise click.BadParameter(f"{value!r} is not an address such as https://example.org/reports/")
    return value if value.endswith("/") else f"{value}/"


@click.command(
    epilog=options.examples(
        "reportgen site runs --out site --audience public --base-url https://example.org/reports/",
        "reportgen site runs --out norrsund --client Norrsund --title 'Reports for Norrsund'",
    )
)
@click.argument("runs", type=options.FOLDER, required=False)
@click.option("--out", type=options.FOLDER, metavar="DIR", default="site", help="Where it goes.  [default: site]")
@click.option("--title", metavar="TEXT", help="Its title.  [default: that of reports, and the client]")
@click.option("--base-url", metavar="URL", callback=_parse_base, help="Its address, for whole links in the feed.")
@click.option("--audience", type=click.Choice(KINDS), help="Whose runs.  [default: the only kind there is]")
@click.option("--client", metavar="NAME", help="The client whose runs they are.")
@click.option("--force", is_flag=True, help="Replace a folder that is no site, with all in it.")
@options.formats
@options.common
def command(
    runs: Path | None,
    out: Path,
    title: str | None,
    base_url: str | None,
    audience: "Kind | None",
    client: str | None,
    force: bool,
    formats: tuple[str, ...] | None,
    config: Path | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Make a static site of all reports in RUNS, a folder of runs: figures, trend, downloads, and a feed.

    It shows the runs of one audience. Every revision is rendered with its standing; runs without a report are left out.
    """
    from reportgen.config import load_config
    from reportgen.pipeline.site import SiteOrder, make_site

    settings, console = load_config(config), Console(verbose, quiet)
    readers, archive = _choose(audience, client), runs or Path(settings.runs)
    made = make_site(
        SiteOrder(
            runs=archive,
            out=out,
            title=title or (f"{settings.report.title}: {client}" if client else settings.report.title),
            report=make_report_order(settings, archive, formats=formats),
            audience=readers,
            base=base_url,
            force=force,
            timezone=settings.publish.timezone,
        )
    )
    for warning in made.warnings:
        console.say(f"warning: {warning}")
    console.result(f"site: {made.index}")
    console.say(f"It is for {made.audience} and shows {made.runs:,} of {made.runs + made.unpublished:,} runs.")
    if made.unpublished:
        console.say("The others have no report yet.")


def _choose(kind: "Kind | None", client: str | None) -> "Audience | None":
    """The audience that the options name; None where the runs shall tell."""
    from reportgen.model.audience import Audience

    if client is not None and kind not in (None, "client"):
        raise click.UsageError(f"--client has no meaning with --audience {kind}.")
    if kind == "client" and client is None:
        raise click.UsageError("--audience client needs --client NAME.")
    if client is not None:
        return Audience("client", client)
    return None if kind is None else Audience(kind)
