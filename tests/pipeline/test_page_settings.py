"""How a PDF's pages were made is read with distrust: nothing in it can put figures on the pages that are set again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reportgen.config import BrandConfig
from reportgen.errors import RunError
from reportgen.pipeline.page_settings import PROGRAM, read_settings, write_settings
from reportgen.publishing.look.brand import build_style, read_brand
from reportgen.publishing.look.look import Look
from reportgen.publishing.look.overrides import Override, Overrides
from reportgen.publishing.report import Report

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#123456"/></svg>'


def written(look, **others):
    report = Report(None, None, None, lambda: iter(()), "July", look=look)
    return json.loads(write_settings(report, all_turns=True)) | others


@pytest.fixture
def brand(tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_text(LOGO)
    return read_brand(
        BrandConfig(name="Harbour", logo=str(logo), footer="In confidence", accent="#17456b", cover="#0a7a5a")
    )


def test_settings_read_are_those_that_were_written(brand):
    found = read_settings(written(Look(brand)), "pages.json")
    assert found.brand == brand
    assert (found.program, found.title, found.all_turns, found.own_templates) == (PROGRAM, "July", True, False)


def test_colours_alone_are_a_brand_too():
    for colours in ({"accent": "#17456b"}, {"cover": "#0a7a5a"}, {}):
        brand = read_brand(BrandConfig(name="Harbour", **colours))
        assert read_settings(written(Look(brand)), "pages.json").brand == brand


def test_templates_of_the_publishers_own_are_told_but_not_carried():
    overrides = Overrides(Path("own"), (Override("style/print.css", "secret rules"),))
    content = written(Look(overrides=overrides))
    assert read_settings(content, "pages.json").own_templates
    assert "secret rules" not in json.dumps(content)


@pytest.mark.parametrize(
    "change",
    [
        {"style": ".figure { display: none }"},
        {"style": ":root { --accent: #17456b; } </style><h1>99.9</h1>"},
        {"style": ":root { --accent: url(x); }"},
        {"style": ":root { --brand: #ffffff; --on-brand: #ffffff; }"},
        {"style": ":root { --accent: #ffffff; }"},
        {"style": build_style("#17456b", "#0a7a5a").replace("--accent: #17456b", "--accent: #fdfdfd")},
        {"logo": "http://evil.example/x.png"},
        {"logo": "data:image/svg+xml;base64,PHN2Zz48dGV4dD45OS45PC90ZXh0Pjwvc3ZnPg=="},
        {"logo": "data:image/png;base64,!"},
        {"name": 7},
        {"style": None},
        {"more": "x"},
    ],
)
def test_a_brand_that_says_more_than_legible_colours_and_a_logo_is_refused(brand, change):
    content = written(Look(brand))
    content["brand"] |= change
    with pytest.raises(RunError, match="brand"):
        read_settings(content, "pages.json")


@pytest.mark.parametrize("content", [None, [], {}, {"format": "reportgen/pages/2"}, {"brand": {}}])
def test_settings_of_another_shape_are_refused(content):
    with pytest.raises(RunError, match="does not say how the pages were made"):
        read_settings(content, "pages.json")


def test_a_brand_without_its_fields_is_refused(brand):
    with pytest.raises(RunError, match="not one that the program writes"):
        read_settings(written(replace(Look(brand)), brand={}), "pages.json")
