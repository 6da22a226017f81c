"""Search, filter and order; and the same by plain pages where no script runs."""

import json
import re

from reportgen.publishing.text import turn_anchor

SETTLED = """() => {
  const inputs = [...document.querySelectorAll('#find input, #find select')];
  const kept = [...new URLSearchParams(location.hash.slice('#find?'.length)).values()].join();
  const says = document.querySelector('#find [role=status]').textContent;
  return says.startsWith('That') || kept === inputs.map(({ value }) => value).filter((value) => value !== '').join();
}"""
"""Whether the list shows what is chosen, which then stands in the address; or trouble is said."""


def find(page, **chosen):
    """The ids that are listed for these choices."""
    for name, value in chosen.items():
        field = page.locator(f"#find-{name}")
        if name == "text":
            field.fill(value)
        else:
            field.select_option(label=value)
    for _ in range(200):
        if not chosen or page.evaluate(SETTLED):
            break
        page.wait_for_timeout(50)
    return page.locator("#turn-index tbody tr:visible th").all_text_contents()


def listed(page, ids):
    """The data of these turns, in that order."""
    carried = json.loads(page.text_content("#report-data"))
    turns = {turn["id"]: turn for turn in carried["turns"]}
    return [turns[name] for name in ids]


def said(page):
    return page.text_content("#find [role=status]")


def test_turns_are_found_by_band_cap_dimension_label_and_text(open_page, example):
    page = open_page(example).page
    whole = find(page)
    poor = find(page, band="poor")
    assert 0 < len(poor) < len(whole)
    assert said(page) == f"{len(poor)} of {len(whole)} turns found."
    assert set(page.locator("#turn-index tbody tr:visible .band").all_text_contents()) == {"○ poor"}
    capped = find(page, band="all", cap="all-sql-failed")
    assert 0 < len(capped) < len(whole)
    weak = find(page, cap="all", weak="SQL quality")
    assert 0 < len(weak) < len(whole)
    page.click("text=Show all turns")
    page.locator("#find [role=status]").filter(has_text=f"{len(whole)} of {len(whole)} turns").wait_for()
    assert find(page) == whole
    one = find(page, text=whole[7].upper())
    assert one == [whole[7]]


def test_turns_are_ordered_by_score_and_by_each_dimension(open_page, example):
    page = open_page(example).page
    find(page, order="score, lowest first")
    scores = [float(text) for text in page.locator("#turn-index [data-printed=score]").all_text_contents()]
    assert scores == sorted(scores)
    find(page, order="score, highest first")
    highest = [float(text) for text in page.locator("#turn-index [data-printed=score]").all_text_contents()]
    assert highest == sorted(scores, reverse=True)
    find(page, order="caps that hold, most first")
    assert page.locator("#turn-index tbody tr >> nth=0").text_content().count("poor") == 1
    by_client = [turn["labels"][0] for turn in listed(page, find(page, order="client, by name"))]
    assert by_client == sorted(by_client)
    assert len(set(by_client)) > 1
    by_intent = find(page, order="Intent understood, lowest first")
    given = [float(turn["given"][0][0][0]) for turn in listed(page, by_intent) if 0 not in turn["leftOut"]]
    assert given == sorted(given)
    assert given[0] < given[-1]


def test_what_was_chosen_stands_in_the_address_and_is_chosen_again(open_page, example):
    page = open_page(example).page
    poor = find(page, band="poor", order="score, lowest first")
    anchor = "#" + page.url.partition("#")[2]
    again = open_page(example, anchor).page
    again.wait_for_selector("#find [role=status]:not(:empty)")
    assert again.locator("#turn-index tbody tr:visible th").all_text_contents() == poor


def test_the_index_of_a_folder_lists_what_is_found_with_links_that_lead_there(open_page, folder):
    page = open_page(folder / "index.html").page
    assert page.locator("#turn-index").is_hidden()
    poor = find(page, band="poor")
    assert len(poor) > 1
    page.click("#turn-index tbody tr:last-child a")
    page.wait_for_url("**/turns/*.html#turn-*")
    assert page.locator("article:target").count() == 1
    assert poor[-1] in page.text_content("article:target h3")


def test_the_address_of_a_turn_on_the_index_leads_on_to_its_page(open_page, folder, demo_run):
    turns = (demo_run / "turns.jsonl").read_text("utf-8").splitlines()
    anchor = turn_anchor(json.loads(turns[-1])["id"])
    page = open_page(folder / "index.html", f"#{anchor}").page
    page.wait_for_url(f"**/turns/0002.html#{anchor}")
    assert page.locator("article:target").count() == 1


def test_the_index_of_a_folder_shows_the_next_rows_when_asked(open_page, folder, tmp_path):
    for path in folder.rglob("*"):
        if path.is_file():
            copy = tmp_path / path.relative_to(folder)
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(path.read_text("utf-8").replace("ROWS_AT_ONCE = 500", "ROWS_AT_ONCE = 30"), "utf-8")
    page = open_page(tmp_path / "index.html").page
    assert len(find(page, order="score, lowest first")) == 30
    page.click("text=Show more")
    page.click("text=Show more")
    count = int(re.match(r"(\d+) of", said(page))[1])
    assert page.locator("#turn-index tbody tr:visible").count() == count > 60
    assert page.locator("text=Show more").is_hidden()


def test_a_folder_without_its_data_says_so(open_page, folder, tmp_path):
    for name in ("index.html", "style.css", "script.js"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    page = open_page(tmp_path / "index.html").page
    find(page, band="poor")
    page.wait_for_selector("#find [role=status]:not(:empty)")
    assert said(page) == (
        "That did not work: data/0001.js cannot be read. The folder of the report must be kept together."
    )


def test_without_scripts_one_file_is_whole_and_its_lists_lead_to_the_turns(open_page, example):
    opened = open_page(example, java_script_enabled=False)
    page = opened.page
    assert page.locator("#turn-tools").text_content() == ""
    assert page.locator("#turn-index tbody tr").count() == page.locator("article.turn").count() > 60
    page.click(".facets summary")
    page.click(".facets li:has(strong:text-is('poor')) a >> nth=0")
    assert page.locator("article:target").count() == 1
    assert "poor" in page.text_content("article:target .turn-score")
    assert opened.complaints == []


def test_without_scripts_the_pages_of_a_folder_lead_from_one_to_the_next(open_page, folder):
    page = open_page(folder / "index.html", java_script_enabled=False).page
    page.click(".facet-links >> text=poor")
    assert page.text_content("h1") == "Band: poor"
    page.click("#turn-index tbody a >> nth=0")
    assert "poor" in page.text_content("article:target .turn-score")
    page.click("text=All turns >> nth=0")
    page.click("text=/^\\d pages$/")
    assert page.text_content("h1").startswith("Turns 1 to 50")
    page.click("text=Next page >> nth=0")
    assert page.text_content("h1").startswith("Turns 51 to")
    page.click("text=The report >> nth=0")
    assert page.url.endswith("/index.html")


def test_on_paper_no_control_stands(open_page, example):
    page = open_page(example).page
    page.click("#check button")
    page.wait_for_selector(".mark")
    page.emulate_media(media="print")
    assert page.locator("#turn-tools").is_hidden()
    assert page.locator(".mark:visible").count() == 0
    assert page.locator("button:visible, input:visible, select:visible").count() == 0
