# SPDX-License-Identifier: MIT
"""All parts of the pages fit each other: templates, scripts and style sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import webui
from controller.games.player_names import NAME_LONGEST
from tests.webui.fakes import FakeTable, FakeTray
from tests.webui.visitors import PHONE, FakeAccess, Visitor, app_of
from webui import create_app
from webui.moved_urls import MOVED

FOLDER = Path(webui.__file__).parent
STATIC = FOLDER / "static"
TEMPLATES = sorted((FOLDER / "templates").glob("*.html"))
SCRIPTS = sorted(STATIC.glob("js/**/*.js"))
SHEETS = sorted(STATIC.glob("css/*.css"))
TOKENS = FOLDER.parent / "controller" / "base" / "tokens.css"
COLOUR = re.compile(
    r"(?<![\w-])(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})(?![\w-])(?=[^{}]*[;}])"
    r"|(?:rgb|hsl|oklch|lab)a?\(|(?<=: )(?:white|black|red|green|grey|gray|yellow|blue)\b)",
    re.IGNORECASE,
)
"""A colour in a sheet, which is no selector of an id."""
SINGLE_FILE = "event_public.html"

each_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
each_script = pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)


def page_of(template: Path) -> str:
    """Return a template with what it includes in its place, and with the frame that it fills."""
    return re.sub(
        r'\{% (?:include|extends) "([^"]+)" %\}',
        lambda part: page_of(template.with_name(part[1])),
        template.read_text(),
    )


def scripts_of(template: Path) -> set[Path]:
    text = page_of(template)
    roots = [f"js/{name}.js" for name in re.findall(r'set script = "(\w+)"', text)]
    if template.name == SINGLE_FILE:
        roots.append("js/event_public.js")  # which stands beside it, under another name
    reached: set[Path] = set()
    waiting = {(STATIC / root).resolve() for root in roots}
    while waiting:
        script = waiting.pop()
        reached.add(script)
        files = re.findall(r"from \"(.*)\";", script.read_text())
        waiting |= {(script.parent / file).resolve() for file in files} - reached
    return reached


def sheets_of(template: Path) -> set[str]:
    own = re.findall(r'set style = "(\w+)"', page_of(template))
    if template.name == SINGLE_FILE:
        return {"event_public"}  # whose text is in the page
    waiting = [STATIC / f"css/pages/{name}.css" for name in own]
    reached: set[str] = set()
    while waiting:
        sheet = waiting.pop()
        parts = re.findall(r'@import "(?:\.\./)?(\w+)\.css";', sheet.read_text())
        waiting += [STATIC / f"css/{name}.css" for name in parts]
        reached |= {*parts}
    return reached


def test_every_script_belongs_to_a_page() -> None:
    reached = set().union(*(scripts_of(template) for template in TEMPLATES))
    assert sorted(reached) == SCRIPTS


def test_colours_are_named_in_the_design_only() -> None:
    """So kiosk, phone, big screen, desk and report have one look, which one file changes."""
    sheets = [*STATIC.glob("css/**/*.css"), *(TOKENS.parents[1] / "history/report").rglob("*.css")]
    named = {sheet.name: COLOUR.findall(sheet.read_text()) for sheet in sheets}
    assert len(named) > 50
    assert {name: colours for name, colours in named.items() if colours} == {}
    assert COLOUR.findall(TOKENS.read_text()), "the pattern finds colours"


def test_every_part_of_the_design_is_used_and_exists() -> None:
    sheets = [*STATIC.glob("css/**/*.css"), *(TOKENS.parents[1] / "history/report").rglob("*.css")]
    text = "".join(sheet.read_text() for sheet in [*sheets, TOKENS])
    design = set(re.findall(r"^  (--[\w-]+):", TOKENS.read_text(), re.MULTILINE))
    set_elsewhere = set(re.findall(r"(--[\w-]+):", text)) | set(
        re.findall(r"--[a-z][\w-]*", "".join(script.read_text() for script in SCRIPTS))
    )
    used = set(re.findall(r"var\((--[\w-]+)", text))
    assert design - used == set()
    assert used - set_elsewhere == set()


def test_every_style_sheet_belongs_to_a_page() -> None:
    used = set().union(*(sheets_of(template) for template in TEMPLATES))
    assert used == {sheet.stem for sheet in SHEETS}


@each_script
def test_every_import_of_a_script_exists(script: Path) -> None:
    for names, file in re.findall(r"import \{ ([^}]*) \} from \"(.*)\";", script.read_text()):
        imported = (script.parent / file).read_text()
        for name in names.split(", "):
            assert re.search(
                rf"export (async )?(function|const|class) {re.escape(name)}\s*[({{=]", imported
            ), name


@each_script
@pytest.mark.parametrize("name", ["gettext", "ngettext"])
def test_every_script_imports_what_translates_its_texts(script: Path, name: str) -> None:
    text = script.read_text()
    if script.name != "messages.js" and re.search(rf"\b{name}\(", text):
        assert re.search(rf"import \{{[^}}]*\b{name}\b[^}}]*\}} from", text)


@each_template
def test_every_element_that_a_script_asks_for_is_on_the_page(template: Path) -> None:
    page = page_of(template)
    for script in scripts_of(template):
        for name in re.findall(r'\$\("([^"]+)"\)', script.read_text()):
            assert f'id="{name}"' in page, f"{script.name}: {name}"


@each_script
def test_no_script_writes_markup(script: Path) -> None:
    text = script.read_text()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", text)


@each_template
def test_ids_on_the_page_are_unique(template: Path) -> None:
    names = re.findall(r'\bid="([^"]+)"', page_of(template))
    assert sorted(set(names)) == sorted(names)


@each_template
def test_page_has_no_inline_or_foreign_script_or_style(template: Path) -> None:
    if template.name in (SINGLE_FILE, "refusal.html"):
        pytest.skip("nothing beside it may be there, so its style is in it")
    page = page_of(template)
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page)
    assert not re.search(r"https?://", page)


def test_old_addresses_redirect_and_keep_method_body_and_query() -> None:
    tray = FakeTray()
    client = create_app(FakeTable().running, tray, FakeAccess()).test_client()
    for old, new in MOVED.items():
        answer = client.post(f"{old}?to=%2Fservice", json={})
        assert (answer.status_code, answer.headers["Location"]) == (308, f"{new}?to=%2Fservice")
    client.post("/tray", json={"do": "throw"}, follow_redirects=True)
    assert tray.done == ["throw"]


def test_new_addresses_exist_and_still_check_the_role() -> None:
    phone = Visitor(app_of(FakeTable(), FakeAccess()), PHONE)
    addresses = {
        rule.rule
        for rule in create_app(FakeTable().running, None, FakeAccess()).url_map.iter_rules()
    }
    assert {new for new in MOVED.values() if not new.startswith("/calibrate")} <= addresses
    assert phone.post("/tray", {"do": "throw"}).headers["Location"] == "/simulator"
    assert phone.post("/simulator", {"do": "throw"}).status_code == 403


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_no_style_sheet_holds_words(sheet: Path) -> None:
    """Words belong to the pages and scripts, which translate them."""
    contents = re.findall(r"content:([^;}]*)", sheet.read_text())
    words = [word for value in contents for word in re.findall(r'"([^"]*)"', value)]
    assert [word for word in words if re.search(r"[A-Za-z]{2,}", word)] == []


def test_no_field_cuts_a_name_that_the_rule_takes() -> None:
    """Browsers count the halves of characters, and would cut a name without a word."""
    texts = [path.read_text() for path in TEMPLATES]
    fields = [
        field
        for text in texts
        for field in re.findall(r"<input[^>]*maxlength[^>]*>|{{ text\([^}]*maxlength[^}]*}}", text)
        if re.search(r'name="name"|id="[a-z]+-name"|, "name",', field)
    ]
    assert len(fields) >= 10
    for field in fields:
        found = re.search(r'maxlength="?(\d+)', field)
        assert found is not None
        assert int(found[1]) >= 4 * NAME_LONGEST, field
