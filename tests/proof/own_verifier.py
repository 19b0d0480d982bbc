# SPDX-License-Identifier: MIT
"""
A small verifier of journals, written from `docs/proof.md` and from nothing else.

It imports nothing of the product, so it shows that the page is complete: chain, tree,
signatures, words, pictures by their digests, notation. It does not read dice and knows no rules.
`python tests/proof/own_verifier.py DATA` prints what is broken.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PAGE = Path(__file__).parents[2] / "docs" / "proof.md"
WORDS = PAGE.with_name("words.txt")
MOST_DEPTH = 32
SHORT_ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
PAIRS = r"([2-9]|1[0-2])\+([2-9]|1[0-2])/[1-6]"
NOTATION = {
    "choice": (
        r"[1-6]{5}",
        rf"{PAIRS}|terminator|corrector [1-6]>[1-6]|3:1 ([3-9]|1[0-8])\+[1-6]/[1-6]",
    ),
    "black-n-white": (r"w[1-6] b[1-6]", r"throw (white|black|both)|stop|tens (white|black)"),
    "wuerfelspiel": (
        r"[1-6]{5}",
        r"hold( [1-6]{1,4})?|(ones|twos|threes|fours|fives|sixes|three|four|fullhouse|small|large"
        r"|five|chance)\*[123]",
    ),
    "dice": (r"[1-6]{1,20}", r"throw|again|end|dice ([1-9]|1[0-9]|20)"),
}


class RefusedError(ValueError):
    """This is no journal that can be checked."""


@dataclass
class Result:
    """What a check found; breaks and notes are pairs of a line and a text."""

    lines: int = 0
    root: bytes = b""
    signed: int = 0
    roots: dict[int, bytes] = field(default_factory=dict)
    checkpoints: set[int] = field(default_factory=set)
    breaks: list[tuple[int, str]] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)

    def fits(self, kept: str) -> bool:
        """Return whether a kept checkpoint fits, as its code or its size and words."""
        if kept.startswith("dicebell1:"):
            size, root = int(kept.split(":")[1]), decode_base64(kept.split(":")[3])
            return self.roots.get(size) == root and size in self.checkpoints
        size = int(kept.split()[0])
        known = self.roots.get(size)
        return known is not None and words(size, known) == kept and size in self.checkpoints


def spell(value: Any, depth: int = 0) -> str:
    """Return the one spelling of a value."""
    if depth > MOST_DEPTH:
        raise ValueError("nested too deep")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + "".join(map(spell_character, value)) + '"'
    if isinstance(value, list):
        return "[" + ",".join(spell(each, depth + 1) for each in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{spell(key)}:{spell(value[key], depth + 1)}" for key in sorted(value))
        return "{" + ",".join(pairs) + "}"
    raise ValueError(f"no value of an entry: {value!r}")


def spell_character(character: str) -> str:
    code = ord(character)
    if code in SHORT_ESCAPES:
        return SHORT_ESCAPES[code]
    return f"\\u{code:04x}" if code < 32 else character


def decode_base64(text: str) -> bytes:
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError("not the one spelling in base64url")
    return data


def tree_root(lines: list[bytes]) -> bytes:
    """Return the root of the tree over lines."""
    if not lines:
        return hashlib.sha256().digest()
    if len(lines) == 1:
        return hashlib.sha256(b"\0" + lines[0]).digest()
    split = 1 << (len(lines) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + tree_root(lines[:split]) + tree_root(lines[split:])).digest()


def word_list() -> list[str]:
    """Return the 256 words that the page names."""
    return WORDS.read_text().split()


def words(size: int, root: bytes) -> str:
    """Return size and words as the screen shows them."""
    salt = f"dicebell checkpoint 1 {size}".encode("ascii")
    drawn = hashlib.pbkdf2_hmac("sha256", root, salt, 20_000)
    known = word_list()
    return " ".join([str(size), *(known[byte] for byte in drawn[:6])])


def signed_bytes(size: int, root: str, at_ms: int) -> bytes:
    signed = {"at_ms": at_ms, "root": root, "size": size, "what": "dicebell checkpoint 1"}
    return spell(signed).encode()


def is_signed(key: str, signature: str, data: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            decode_base64(signature), data
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def known_kinds() -> dict[str, set[str]]:
    """Return the keys of each kind, from the table of the page."""
    found = re.search(r"<!-- kinds: begin -->\n(.*?)<!-- kinds: end -->", PAGE.read_text(), re.S)
    assert found is not None
    rows = [line.split("|")[1:3] for line in found[1].splitlines()[2:]]
    return {kind.strip(" `"): set(re.findall(r"`(\w+)`", keys)) for kind, keys in rows}


def verify(folder: Path) -> Result:
    """Check a data folder."""
    result, game = Result(), ""
    lines: list[bytes] = []
    keys: list[str] = []
    missing: dict[str, int] = {}
    pictures: dict[str, int] = {}
    told: set[str] = set()
    kinds, before = known_kinds(), "0" * 64
    *whole, torn = (folder / "journal.jsonl").read_bytes().split(b"\n")
    if torn:
        result.notes.append((len(whole) + 1, "torn"))
    for number, raw in enumerate(whole, start=1):
        try:
            entry = read_entry(raw, number - 1, before)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            result.breaks.append((number, str(error)))
            break
        if number == 1 and (entry["kind"] != "genesis" or entry.get("format") not in (1, 2)):
            raise RefusedError(f"format {entry.get('format')}")
        result.roots[number - 1] = tree_root(lines)
        game = str(entry.get("game")) if entry["kind"] == "game" else game
        checks = (
            check_kind(entry, kinds, told, result, number),
            check_checkpoint(entry, result, keys, number),
            check_notation(entry, game),
            check_files(folder, entry, missing, pictures, number),
        )
        result.breaks += [(number, what) for check in checks for what in check]
        lines.append(raw)
        before = entry["link"]
    result.breaks += [(number, "missing picture") for number in missing.values()]
    result.lines, result.root = len(lines), tree_root(lines)
    result.roots[len(lines)] = result.root
    return result


def read_entry(raw: bytes, seq: int, before: str) -> dict[str, Any]:
    entry = json.loads(raw)
    if not isinstance(entry, dict) or spell(entry).encode() != raw:
        raise ValueError("not in the one spelling")
    if [type(entry[key]) for key in ("seq", "at_ms", "kind")] != [int, int, str]:
        raise ValueError("a key of another type")
    if entry["seq"] != seq or entry["prev"] != before:
        raise ValueError("does not follow the line before")
    rest = {key: value for key, value in entry.items() if key != "link"}
    if hashlib.sha256(spell(rest).encode()).hexdigest() != entry["link"]:
        raise ValueError("another link")
    return entry


def check_kind(
    entry: Mapping[str, Any], kinds: dict[str, set[str]], told: set[str], result: Result, line: int
) -> Iterator[str]:
    frame = {"seq", "at_ms", "kind", "prev", "link"}
    kind = entry["kind"]
    names = {kind} - set(kinds) or {f"{kind}.{key}" for key in set(entry) - frame - kinds[kind]}
    result.notes += [(line, f"unknown {name}") for name in sorted(names - told)]
    told |= names
    yield from ()


def check_checkpoint(
    entry: Mapping[str, Any], result: Result, keys: list[str], line: int
) -> Iterator[str]:
    if entry["kind"] == "key":
        keys.append(entry["key"])
    if entry["kind"] != "checkpoint":
        return
    size, root = entry["size"], entry["root"]
    result.checkpoints.add(entry["seq"])
    if size != entry["seq"] or bytes.fromhex(root) != result.roots[line - 1]:
        yield "a checkpoint of other lines"
    if entry["key"] != (keys or [""])[-1]:
        yield "a checkpoint by another key"
    if is_signed(entry["key"], entry["signature"], signed_bytes(size, root, entry["at_ms"])):
        result.signed += 1
    else:
        yield "a checkpoint that its key did not sign"


def check_notation(entry: Mapping[str, Any], game: str) -> Iterator[str]:
    roll, action = NOTATION.get(game, ("", ""))
    for key, form in (("roll", roll), ("do", action), ("held", action)):
        if entry.get(key) and not re.fullmatch(form, entry[key]):
            yield f"{key} is not in the notation of {game}"
    if entry["kind"] == "roll" and not entry["by_hand"]:
        faces = sorted(die["face"] for die in entry["lie"])
        if faces != sorted(int(digit) for digit in re.findall(r"[1-6]", entry["roll"])):
            yield "the roll is not that of its dice"


def check_files(
    folder: Path,
    entry: Mapping[str, Any],
    missing: dict[str, int],
    pictures: dict[str, int],
    line: int,
) -> Iterator[str]:
    if entry["kind"] == "deleted":
        for digest in entry["pictures"]:
            missing.pop(digest, None)
        return
    for key, ending in (("picture", ".jpg"), ("clip", ".avi")):
        if not (digest := entry.get(key)):
            continue
        path = folder / "pictures" / digest[:2] / f"{digest}{ending}"
        if not path.exists():
            missing[digest] = line
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            yield f"another {key}"
        if (
            key == "picture"
            and entry["kind"] == "roll"
            and pictures.setdefault(digest, line) < line
        ):
            yield "the picture of another roll"


if __name__ == "__main__":
    checked = verify(Path(sys.argv[1]))
    sys.stdout.writelines(f"line {line}: {what}\n" for line, what in checked.breaks + checked.notes)
    sys.stdout.write(f"{words(checked.lines, checked.root)}\n")
    sys.exit(1 if checked.breaks else 0)
