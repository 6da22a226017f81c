"""`reportgen schema`."""

import json

import click

from reportgen.cli import options
from reportgen.cli.console import Console

KINDS = ("turn", "run", "verdict", "score", "report", "rubric")


@click.command(epilog=options.examples("reportgen schema turn > turn.schema.json"))
@click.argument("kind", type=click.Choice(KINDS))
@options.common
def command(kind: str, config: object, verbose: bool, quiet: bool) -> None:
    """Print the JSON Schema of a stored format."""
    Console(verbose, quiet).result(json.dumps(schema_of(kind), indent=2, ensure_ascii=False))


def schema_of(kind: str) -> dict[str, object]:
    """The JSON Schema of one of the stored formats."""
    if kind == "report":
        from reportgen.publishing.data import report_schema

        return report_schema()
    from reportgen.model.rubric import Rubric
    from reportgen.model.run import RunFile
    from reportgen.model.score import Score
    from reportgen.model.turn import Turn
    from reportgen.model.verdict import Verdict

    kinds = {"turn": Turn, "run": RunFile, "verdict": Verdict, "score": Score, "rubric": Rubric}
    schema: dict[str, object] = kinds[kind].model_json_schema()  # type: ignore[attr-defined]
    return schema
