# SPDX-License-Identifier: MIT
"""
Count phrases and names that are hard to read: `python -m tests.plain_english`.

`make lint` runs it. It counts odd phrases and names of the product and long names of tests,
prints the counts and every place above the limits, and fails if a count exceeds its limit
below. Limits only go down.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("controller", "hardware", "vision", "webui")

MOST_PHRASES = 14
MOST_NAMES = 1
LONGEST_TEST_NAME = 60

PHRASES = re.compile(
    r"\bnone (where|while|once|if|for|when)\b|\bwhere (it|there|they) (is|are) (not|no|none)\b"
    r"|\b(is|are|be|was) told\b|\b(nobody|whoever)\b|\bof which\b|\bso many\b|\bmend(s|ed)?\b"
    r"|\b(\d+|many|most|more|fewer|of) signs\b|\banew\b|\btells?\b|\bTake (a|the|what|its)\b"
)
TEST = re.compile(r"\s*def (test_\w*)\(")
BANNED = frozenset(
    "take look see tell say way place thing lie told kept made desk house shelf eye door".split()
)
PARTICIPLES = frozenset(
    "told kept made said seen taken thrown given held left lost found known shown drawn written"
    " laid put read_ sent met chosen gone done begun".split()
)

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def find_phrases(text: str) -> list[str]:
    return [match[0] for match in PHRASES.finditer(" ".join(text.split()))]


def may_have_phrases(source: str) -> bool:
    """Return whether it is worth the time to separate the texts from the code."""
    return bool(find_phrases(re.sub(r"^\s*(#|//|/?\*+)", "", source, flags=re.MULTILINE)))


def python_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every docstring and every run of comment lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                yield node.lineno, node.value.value
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [(at.start[0], at.string) for at in tokens if at.type == tokenize.COMMENT]
    yield from join_lines(comments)


def script_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every comment of a script or a style sheet."""
    lines = enumerate(source.splitlines(), start=1)
    is_comment = re.compile(r"\s*(//|/\*|\*)")
    yield from join_lines([(number, line) for number, line in lines if is_comment.match(line)])


def join_lines(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for _, run in groupby(enumerate(lines), key=lambda item: item[1][0] - item[0]):
        block = [line for _, line in run]
        yield block[0][0], " ".join(text.lstrip("#/* ") for _, text in block)


def is_bad_name(node: Definition) -> bool:
    """Return whether a definition has a banned name, or a function that of a bare participle."""
    name = node.name.strip("_").lower()
    if name in BANNED:
        return True
    if isinstance(node, ast.ClassDef) or node.decorator_list:
        return False
    return name in PARTICIPLES or re.fullmatch(r"[a-z]{3,}(?<!e)ed", name) is not None


def bad_names(path: Path, source: str) -> Iterator[tuple[int, str]]:
    if path.stem in BANNED:
        yield 1, f"module {path.stem}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Definition) and is_bad_name(node):
            yield node.lineno, node.name


def long_test_names() -> list[str]:
    """Return every test with a name too long for a line of a report, and its place."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {found[1]}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if (found := TEST.match(line)) and len(found[1]) > LONGEST_TEST_NAME
    ]


def main() -> int:
    phrases: list[str] = []
    names: list[str] = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix not in (".py", ".js", ".css"):
                continue
            source, where = path.read_text(), path.relative_to(ROOT)
            if may_have_phrases(source):
                find_texts = python_texts if path.suffix == ".py" else script_texts
                for line, text in find_texts(source):
                    phrases += [f"{where}:{line}: {phrase}" for phrase in find_phrases(text)[:1]]
            if path.suffix == ".py":
                names += [f"{where}:{line}: {name}" for line, name in bad_names(path, source)]
    long_names = long_test_names()
    sys.stdout.write(
        f"plain English: {len(phrases)} docstrings and comments with an odd phrase"
        f" (at most {MOST_PHRASES}); {len(names)} odd names (at most {MOST_NAMES});"
        f" {len(long_names)} names of tests above {LONGEST_TEST_NAME} characters (none allowed)\n"
    )
    is_over = len(phrases) > MOST_PHRASES or len(names) > MOST_NAMES or bool(long_names)
    if is_over or "--list" in sys.argv:
        sys.stdout.writelines(f"{line}\n" for line in phrases + names + long_names)
    return 1 if is_over else 0


if __name__ == "__main__":
    sys.exit(main())
