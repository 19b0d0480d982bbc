# SPDX-License-Identifier: MIT
"""The files of the pages: joined, compressed, and kept by the browser until they change."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from controller.base.settings import WebSettings
from tests.webui.fakes import FakeTable, FakeTray
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.page_files import FOLDER, answer_page_file, find_address, join_script, join_style

ZIPPED = {"Accept-Encoding": "gzip, br"}
ROOTS = sorted(FOLDER.glob("js/*.js"))
PAGE_STYLES = sorted(FOLDER.glob("css/pages/*.css"))


@pytest.fixture
def client() -> FlaskClient:
    return create_app(
        FakeTable().running, FakeTray(), FakeAccess(), web=WebSettings()
    ).test_client()


@pytest.mark.parametrize("name", ["js/phone.js", "css/pages/phone.css", "bell.svg"])
def test_a_browser_keeps_a_file_until_its_content_changes(client: FlaskClient, name: str) -> None:
    answer = client.get(find_address(name), headers=ZIPPED)
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Vary"] == "Accept-Encoding"
    plain = client.get(find_address(name))
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(answer.data) == plain.data
    assert len(answer.data) < len(plain.data)


def test_an_address_of_another_version_gives_the_newest_file(client: FlaskClient) -> None:
    """A page that is open during an update still gets its styles, and keeps nothing wrong."""
    older = re.sub("/[0-9a-f]{12}/", "/0123456789ab/", find_address("js/phone.js"))
    answer = client.get(older)
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.data == client.get(find_address("js/phone.js")).data


def test_a_plain_address_gives_the_module_as_it_is(client: FlaskClient) -> None:
    answer = client.get("/static/js/phone.js")
    assert answer.data == (FOLDER / "js/phone.js").read_bytes()
    assert answer.headers["Cache-Control"] == "no-cache"
    known = {"If-None-Match": answer.headers["ETag"]}
    again = client.get("/static/js/phone.js", headers=known)
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "path",
    ["none.css", "js", "../page_files.py", "js/../js/main.js", "/etc/passwd", "0" * 12 + "/x"],
)
def test_nothing_outside_the_folder_is_served(path: str) -> None:
    assert answer_page_file(path, lambda _: None) is None


@pytest.mark.parametrize(
    ("accepted", "encoding"), [("gzip", "gzip"), ("gzip;q=0", None), ("", None)]
)
def test_a_page_is_compressed_if_the_browser_reads_that(
    client: FlaskClient, accepted: str, encoding: str | None
) -> None:
    answer = client.get("/", headers={"Accept-Encoding": accepted})
    assert answer.headers.get("Content-Encoding") == encoding
    page = gzip.decompress(answer.data) if encoding else answer.data
    assert b"</html>" in page
    assert "Accept-Encoding" in answer.headers["Vary"]


@pytest.mark.parametrize("page", ["/", "/join", "/tv", "/login"])
def test_a_page_asks_for_three_files_at_most(client: FlaskClient, page: str) -> None:
    files = set(
        re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get(page).get_data(as_text=True))
    )
    assert 2 <= len(files) <= 3
    for file in files:
        assert "immutable" in client.get(file).headers["Cache-Control"]


@pytest.mark.parametrize("root", ROOTS, ids=lambda path: path.name)
def test_every_script_can_be_joined(root: Path) -> None:
    joined = join_script(root)
    assert not re.search(r"^(import|export)\b", joined, re.MULTILINE)
    assert joined.count("const module$") == len(_list_imported(root, set()))


def _list_imported(path: Path, found: set[Path]) -> set[Path]:
    for file in re.findall(r'^import .* from "([^"]+)";', path.read_text(), re.MULTILINE):
        other = (path.parent / file).resolve()
        if other not in found:
            found.add(other)
            _list_imported(other, found)
    return found


@pytest.mark.parametrize("style", PAGE_STYLES, ids=lambda path: path.name)
def test_styles_of_a_page_keep_their_order(style: Path) -> None:
    parts = re.findall(r'@import "([^"]+)"', style.read_text())
    joined = join_style(style)
    assert "@import" not in joined
    places = [joined.index(join_style(style.parent / part)) for part in parts]
    assert places == sorted(places)


def test_a_module_is_joined_once_after_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text(
        'import { b } from "./b.js";\nimport { $, C } from "./a.js";\nawait b($, C);\n'
    )
    (tmp_path / "b.js").write_text(
        'import { $ } from "./a.js";\nconst own = $;\nexport async function b() { return own; }\n'
    )
    (tmp_path / "a.js").write_text(
        "const own = 1;\nexport const $ = () => own;\nexport class C {}\n"
    )
    assert join_script(tmp_path / "page.js") == (
        "const module$0 = (() => {\nconst own = 1;\nconst $ = () => own;\nclass C {}\n"
        "return { $, C };\n})();\n"
        "const module$1 = (() => {\nconst { $ } = module$0;\nconst own = $;\n"
        "async function b() { return own; }\nreturn { b };\n})();\n"
        "const { b } = module$1;\nconst { $, C } = module$0;\nawait b($, C);\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./a.js";',
        "export default 1;",
        "export let count = 0;",
        'const later = () => import("./a.js");',
        "const here = import.meta.url;",
    ],
)
def test_another_form_of_import_or_export_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "page.js").write_text(f"{line}\n")
    with pytest.raises(ValueError, match="expected `import"):
        join_script(tmp_path / "page.js")


def test_a_circle_of_imports_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(ValueError, match="expected no circle of imports"):
        join_script(tmp_path / "a.js")
