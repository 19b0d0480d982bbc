# SPDX-License-Identifier: MIT
"""
Hold the files of the pages: each page's script, and its styles, are one file with all it imports.

Their addresses contain a digest of the content, so a browser keeps a file and never asks again;
an update brings other addresses. By its plain address, without the digest, a file is what stands
in the folder: the scripts are modules that a browser can load alone. So no tool is needed.

Files are read once. After a change start the program again, as for a template.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TypeAlias

from controller.base.packed_file import PackedFile, pack_file
from webui.file_answers import FileAnswer, FindHeader, answer_packed

FOLDER = Path(__file__).parent / "static"
ROOT = "/static"

_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_ASK_AGAIN = {"Cache-Control": "no-cache"}
_TAG_LENGTH = 12
_ADDRESS = re.compile(rf"(?:([0-9a-f]{{{_TAG_LENGTH}}})/)?(.+)")

_STYLE_IMPORT = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
_IMPORT = re.compile(r'^import \{ ([\w$, ]+) \} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const|class) ([\w$]+)", re.MULTILINE)
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*|\bimport\s*[.(].*", re.MULTILINE)

_Names: TypeAlias = dict[Path, str]


def find_address(name: str) -> str:
    """Return the address of a file, such as `js/phone.js`, with the digest of its content."""
    return f"{ROOT}/{_load_joined(FOLDER / name).tag[:_TAG_LENGTH]}/{name}"


def answer_page_file(path: str, find_header: FindHeader) -> FileAnswer | None:
    """
    Return the answer with the file at a path below `ROOT`; None if there is none.

    A page from before an update asks for a digest of then: it gets the newest file, which it must
    not keep.
    """
    found = _ADDRESS.fullmatch(path)
    if found is None or (FOLDER / found[2]) not in _list_files():
        return None
    file = (_load_joined if found[1] else _load_plain)(FOLDER / found[2])
    is_newest = found[1] == file.tag[:_TAG_LENGTH]
    return answer_packed(file, _FOREVER if is_newest else _ASK_AGAIN, find_header)


def join_script(path: Path) -> str:
    """
    Return a script with all the modules that it imports, in the order in which a browser runs them.

    Each of those becomes a function that is called at once and returns its exports, so its other
    names stay its own.

    Raises:
        ValueError: A module imports itself through others, or has a form that this does not know.
    """
    modules: list[str] = []
    script, _ = _link_module(path, {}, modules)
    return "".join([*modules, script])


def join_style(path: Path) -> str:
    """Return a style sheet with the sheets that it imports in their places."""
    return _STYLE_IMPORT.sub(lambda found: join_style(path.parent / found[1]), path.read_text())


@cache
def _list_files() -> frozenset[Path]:
    return frozenset(path for path in FOLDER.rglob("*") if path.suffix in _MEDIA_TYPES)


@cache
def _load_plain(path: Path) -> PackedFile:
    return pack_file(_MEDIA_TYPES[path.suffix], path.read_bytes())


@cache
def _load_joined(path: Path) -> PackedFile:
    join = {".js": join_script, ".css": join_style}.get(path.suffix)
    if join is None:
        return _load_plain(path)
    return pack_file(_MEDIA_TYPES[path.suffix], join(path).encode())


def _link_module(path: Path, known: _Names, modules: list[str]) -> tuple[str, str]:
    """
    Return a module that has its imports from constants, and the names that it exports.

    Args:
        known: The constant of each module so far; empty while what it imports is added.
        modules: Gets the modules that it imports, if they are not there yet.
    """
    known[path] = ""
    text, heads = path.read_text(), []
    for names, file in _IMPORT.findall(text):
        other = (path.parent / file).resolve()
        if other not in known:
            body, exported = _link_module(other, known, modules)
            known[other] = f"module${len(modules)}"
            modules.append(
                f"const {known[other]} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
            )
        if not known[other]:
            raise ValueError(f"{path}: expected no circle of imports, found {file}")
        heads.append(f"const {{ {names} }} = {known[other]};\n")
    exported = ", ".join(name for _, name in _EXPORT.findall(text))
    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub("", text))
    if other_form := _OTHER_FORM.search(body):
        raise ValueError(
            f'{path}: expected `import {{ … }} from "…";`, or `export` before a function, const '
            f"or class, found {other_form[0]!r}"
        )
    return "".join([*heads, body]), exported
