"""Nothing leaves a page, and nothing in it acts that is not the report's own."""

import pytest


def test_one_file_asks_for_nothing_but_itself(open_page, example):
    opened = open_page(example)
    use_everything(opened.page)
    assert opened.files == ["report.html"]
    assert opened.complaints == []


def test_a_folder_asks_only_for_its_own_files_and_for_the_data_when_it_is_first_used(open_page, folder):
    opened = open_page(folder / "index.html")
    assert opened.files == ["index.html", "style.css", "script.js"]
    use_everything(opened.page)
    assert opened.files == ["index.html", "style.css", "script.js", "0001.js"]
    assert opened.complaints == []


@pytest.mark.parametrize("name", ["turns/0002.html", "lists/all.html"])
def test_pages_of_a_folder_are_dressed_by_its_files(open_page, folder, name):
    opened = open_page(folder / name)
    assert set(opened.files) - {name.rpartition("/")[2]} <= {"style.css", "script.js"}
    assert opened.page.evaluate("getComputedStyle(document.querySelector('.band-good')).color") == "rgb(255, 255, 255)"
    assert opened.complaints == []


def test_hostile_turns_neither_act_nor_ask_for_anything(open_page, hostile):
    opened = open_page(hostile)
    dialogs = []
    opened.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    use_everything(opened.page)
    assert opened.files == ["report.html"]
    assert opened.complaints == []
    assert dialogs == []
    assert "recomputed. All agree" in opened.page.text_content("#check [role=status]")
    assert "<script>alert(1)</script>" in opened.page.text_content("#turn-index")


def test_hostile_turns_in_a_folder_neither_act_nor_ask_for_anything(open_page, small_folder):
    opened = open_page(small_folder / "index.html")
    use_everything(opened.page)
    assert opened.files == ["index.html", "style.css", "script.js", "0001.js"]
    opened.page.fill("#find-text", "alert(1)")
    opened.page.locator("#find [role=status]").filter(has_text="1 of 6 turns found").wait_for()
    assert "<script>alert(1)</script>" in opened.page.text_content("#turn-index tbody tr")
    opened.page.click("#turn-index tbody a")
    opened.page.wait_for_url("**/turns/0003.html#turn-harm-*")
    assert opened.complaints == []


def test_a_script_that_slips_in_is_refused(open_page, small, tmp_path):
    changed = tmp_path / "report.html"
    harm = "<script>document.title = 'seized'</script><img src='http://127.0.0.1:9/x.png'>"
    changed.write_text(small.read_text("utf-8").replace("</main>", f"{harm}</main>"), "utf-8")
    opened = open_page(changed)
    assert opened.page.title() != "seized"
    assert opened.refused == ["csp: http://127.0.0.1:9/x.png"]
    assert sum("Content Security Policy" in text for text in opened.complaints) == 2


def use_everything(page):
    """Uses each control, as a reader would."""
    page.click("#check button")
    page.wait_for_selector("#check [role=status]:not(:empty)")
    page.click("#weights summary")
    page.fill("#weight-0", "60")
    page.wait_for_selector("#weights [role=status]:not(:empty)")
    page.fill("#find-text", "a")
    page.wait_for_selector("#find [role=status]:not(:empty)")
