"""The labelling page: one file that asks for nothing, and saves what was filled in to a file."""

from collections.abc import Iterator
from datetime import UTC
from typing import Any

from reportgen.analysis.label_rows import SHEET_FORMAT
from reportgen.publishing.assets import dress_labelling
from reportgen.publishing.browser.embedding import embed_json
from reportgen.publishing.document import LANGUAGE
from reportgen.publishing.labelling.form import RADIOS_AT_MOST, LabellingForm, build_choices, list_values, show_turns
from reportgen.publishing.look.look import Look
from reportgen.publishing.printing import plural
from reportgen.publishing.templating import render_template


def render_page(form: LabellingForm, look: Look) -> Iterator[str]:
    """The page, piece by piece.

    Raises:
        RenderError: A template of the user's own is wrong.
    """
    run, values = form.run, list_values(form.run.rubric)
    generated = form.drawn_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    context = {
        **dress_labelling(look),
        "language": LANGUAGE,
        "brand": look.brand,
        "kind": "Labelling",
        "client": "",
        "title": "Labelling",
        "run": run.manifest.run_id,
        "program": run.manifest.program,
        "generated": generated,
        "embedded": embed_json(_describe(form)),
        "rubric": run.rubric,
        "choices": build_choices(run.rubric),
        "values": values if len(values) <= RADIOS_AT_MOST else (),
        "scale": {"least": values[0], "most": values[-1], "step": values[1]},
        "count": plural(len(form.turns), "turn"),
        "labeller": form.labeller,
        "turns": show_turns(form),
    }
    return render_template("labelling.html", context, look.overrides)


def _describe(form: LabellingForm) -> dict[str, Any]:
    """What the script needs: of which run the labels are, the ids of the turns in their order, and the dimensions."""
    run = form.run
    return {
        "format": SHEET_FORMAT,
        "run": run.manifest.run_id,
        "seal": run.seal,
        "rubric": run.rubric.digest,
        "labeller": form.labeller,
        "dimensions": [item.id for item in run.rubric.dimensions],
        "scale": list_values(run.rubric),
        "turns": [turn.id for turn in form.turns],
    }
