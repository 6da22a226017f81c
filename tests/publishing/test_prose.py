"""The report's own prose is rendered with figures of the run; what is wrong with it is named."""

import pytest

from reportgen.errors import RenderError
from reportgen.publishing import prose, templating
from reportgen.publishing.look import overrides
from tests.publishing.conftest import make_report


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Prose of the test's own instead of the one that is shipped."""
    for module in (prose, overrides, templating):
        monkeypatch.setattr(module, "resource", lambda name: tmp_path)
    prose._environment.cache_clear()

    def write_file(name, text):
        path = tmp_path / "prose" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    yield write_file
    prose._environment.cache_clear()


def test_figures_are_put_in_and_the_title_is_taken_out(write, report):
    write(
        "a.md",
        "# Of {{ plural(n.turns, 'turn') }}\n\n{{ percent(1, 8) }} and {{ score(summary.mean.value) }}\n\n## More\n",
    )
    found = prose.render_prose("a", report)
    assert found.title == "Of 12 turns"
    assert "12.5&nbsp;% and" in found.html
    assert "<h3>More</h3>" in found.html


def test_filters_and_functions_are_the_same(write, report):
    write("a.md", "{{ 3 | plural('turn') }}, {{ interval(summary.mean) }}")
    assert "3 turns, " in prose.render_prose("a", report).html


def test_html_in_prose_is_shown_as_text(write, report):
    write("a.md", "<script>alert(1)</script> [x](http://evil.example)")
    html = prose.render_prose("a", report).html
    assert "<script" not in html
    assert "href" not in html


@pytest.mark.parametrize("text", ["{{ absent }}", "{% if %}", "{{ n.absent }}", "{{ 1 / 0 }}"])
def test_a_mistake_in_prose_is_named_with_its_file(write, report, text):
    write("a.md", text)
    with pytest.raises(RenderError, match=r"a\.md cannot be rendered"):
        prose.render_prose("a", report)


def test_missing_prose_is_named(write, report):
    with pytest.raises(RenderError, match=r"absent\.md"):
        prose.render_prose("absent", report)
    with pytest.raises(RenderError, match="no prose in"):
        prose.render_family("questions", report)


def test_a_family_stands_in_the_order_of_its_names(write, report):
    for name in ("2-b", "1-a", "10-c"):
        write(f"questions/{name}.md", f"# {name}\n\ntext")
    assert [text.title for text in prose.render_family("questions", report)] == ["1-a", "10-c", "2-b"]


def test_the_shipped_prose_renders_for_a_run_without_turns():
    assert len(prose.render_family("limitations", make_report([]))) == 8
