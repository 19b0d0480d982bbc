# SPDX-License-Identifier: MIT
"""
Find the messages of the code, and bring the catalogues up to date with them: `make messages`.

Translated texts and the header of each file stay. A message that the code no longer has is
dropped; a new one is empty, so that its English text is shown until it is translated.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
LANGUAGES = Path("controller") / "base" / "languages"
PACKAGES = ("controller", "hardware", "vision", "webui")
KEYWORDS = {
    "message": None,
    "plural_message": (1, 2),
    "gettext": None,
    "ngettext": (1, 2),
    "_": None,
}
"""The functions that take messages, and where singular and plural are among their arguments."""

SETTINGS = ("setting", "pin")
"""The functions whose second and third argument are two messages: the label of a key, its use."""


def extract_messages(root: Path = ROOT) -> Catalog:
    """Return every message of the code, each with the files that contain it."""
    with (root / LANGUAGES / "babel.cfg").open(encoding="utf-8") as lines:
        methods, options = parse_mapping_cfg(lines)  # type: ignore[no-untyped-call]

    def is_searched(folder: str) -> bool:
        return Path(folder).relative_to(root).parts[0] in PACKAGES

    catalog = Catalog()
    for file, _, text, _, _ in extract_from_dir(
        root, methods, options, KEYWORDS, directory_filter=is_searched
    ):
        catalog.add(text, locations=[(file, 0)])
    return catalog


def extract_settings(
    lines: IO[bytes], keywords: Iterable[str], tags: Sequence[str], options: Any
) -> Iterator[tuple[object, ...]]:
    """Extract what the definition of the settings has; Babel knows one message a call only."""
    found = extract_python(lines, dict.fromkeys((*keywords, *SETTINGS)), tags, options)
    for line, function, texts, comments in found:
        if function in SETTINGS:
            for text in texts[1:3]:
                yield line, "message", [text], comments
        else:
            yield line, function, texts, comments


def read_catalogue_file(path: Path) -> Catalog:
    """Return a file of translations, which is named by its language."""
    with path.open("rb") as lines:
        return read_po(lines, locale=path.stem)


def update_catalogue(path: Path, messages: Catalog) -> None:
    """Give a file of translations exactly these messages; texts and header stay."""
    catalog = read_catalogue_file(path)
    catalog.update(messages, no_fuzzy_matching=True)
    write_catalogue(path, catalog)


def write_catalogue(path: Path, catalog: Catalog) -> None:
    """Write translations sorted by the files of the code, below the header that is there."""
    header, _, _ = path.read_text(encoding="utf-8").partition("\n\n")
    written = io.BytesIO()
    write_po(
        written,
        catalog,
        width=96,
        omit_header=True,
        sort_by_file=True,
        ignore_obsolete=True,
        include_lineno=False,
    )
    path.write_text(f"{header}\n\n{written.getvalue().decode().strip()}\n", encoding="utf-8")


def main() -> None:
    """Bring every catalogue up to date."""
    messages = extract_messages()
    for path in sorted((ROOT / LANGUAGES).glob("*.po")):
        update_catalogue(path, messages)
        catalog = read_catalogue_file(path)
        missing = sum(not all(_forms(each.string)) for each in catalog if each.id)
        sys.stdout.write(f"{path.name}: {len(catalog)} messages, {missing} without a translation\n")


def _forms(string: str | Sequence[str] | None) -> tuple[str, ...]:
    return (string or "",) if isinstance(string, str | None) else tuple(string)


if __name__ == "__main__":
    main()
