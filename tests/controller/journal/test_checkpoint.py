# SPDX-License-Identifier: MIT
"""A checkpoint is written and read in both of its forms, and nothing else passes for one."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.journal.checkpoint import (
    Checkpoint,
    CheckpointWords,
    build_checkpoint_body,
    decode_checkpoint,
    derive_words,
    encode_checkpoint,
    encode_for_signing,
    format_words,
    parse_checkpoint,
)
from controller.journal.wordlist import WORDS

ROOT = bytes(range(32))
SIGNATURE = bytes(range(64))
ONE = Checkpoint(128, ROOT, 1_700_000_000_000, SIGNATURE)
TEXT = encode_checkpoint(ONE)


def edits(one: str, other: str) -> int:
    """Return how many letters are to be changed, put in or left out between two words."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, start=1):
        before, row = row, [number]
        for place, wanted in enumerate(other):
            row.append(min(before[place + 1] + 1, row[-1] + 1, before[place] + (letter != wanted)))
    return row[-1]


def test_every_byte_has_a_word_that_passes_for_no_other() -> None:
    assert len(set(WORDS)) == len(WORDS) == 256
    for word in WORDS:
        assert word.isascii()
        assert word.isalpha()
        assert word.islower()
        assert 3 <= len(word) <= 9
    for one, other in itertools.combinations(WORDS, 2):
        assert not one.startswith(other), (one, other)
        assert not other.startswith(one), (one, other)
        assert edits(one, other) >= 2, (one, other)


@given(
    st.integers(1, 10**9 - 1),
    st.binary(min_size=32, max_size=32),
    st.integers(0, 10**15),
    st.binary(min_size=64, max_size=64),
)
def test_the_text_of_a_code_gives_the_checkpoint_back(
    size: int, root: bytes, at_ms: int, signature: bytes
) -> None:
    checkpoint = Checkpoint(size, root, at_ms, signature)
    text = encode_checkpoint(checkpoint)
    assert parse_checkpoint(text) == checkpoint
    assert parse_checkpoint(f"  {text}\n") == checkpoint
    assert len(text) < 180


def test_the_text_is_the_one_that_the_documentation_promises() -> None:
    name, size, at_ms, root, signature = TEXT.split(":")
    assert (name, size, at_ms) == ("dicebell1", "128", "1700000000000")
    assert root == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    assert "=" not in signature


def test_words_say_which_size_and_root_they_are_of() -> None:
    assert format_words(128, ROOT) == " ".join(("128", *derive_words(128, ROOT)))
    assert len(derive_words(128, ROOT)) == 6
    assert derive_words(128, ROOT) != derive_words(129, ROOT)
    assert derive_words(128, ROOT) != derive_words(128, ROOT[::-1])


def test_the_words_of_a_root_stay_what_they_are() -> None:
    # Whoever noted them years ago must still be able to compare: another list is another format.
    assert format_words(128, ROOT) == "128 leopard fountain album jelly goblin piano"


@pytest.mark.parametrize("text", ["{}", " {}  ", "{}\n"])
def test_words_are_read_however_they_were_noted(text: str) -> None:
    noted = text.format(format_words(128, ROOT).title().replace(" ", "  "))
    spoken = CheckpointWords(128, derive_words(128, ROOT))
    assert parse_checkpoint(noted) == parse_checkpoint(noted.replace("  ", ", ")) == spoken


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("", "dicebell1:SIZE:TIME:ROOT:SIGNATURE or SIZE and 6 words", "''"),
        ("128 album", "SIZE and 6 words", "'128 album'"),
        ("x " + " ".join(["album"] * 6), "size as a whole number", "'x'"),
        ("012 " + " ".join(["album"] * 6), "size as a whole number", "'012'"),
        ("-1 " + " ".join(["album"] * 6), "size as a whole number", "'-1'"),
        ("0 " + " ".join(["album"] * 6), "size as a whole number from 1", "'0'"),
        (f"{10**9} " + " ".join(["album"] * 6), "from 1 to 999999999", "'1000000000'"),
        ("1 " + " ".join(["album"] * 5) + " albun", "such as album", "'albun'"),
        ("dicebell1:1:2", "SIZE and 6 words", "3 parts between colons"),
        (f"{TEXT}:", "SIZE and 6 words", "6 parts between colons"),
        (TEXT.replace(":128:", ":0128:"), "size as a whole number", "'0128'"),
        (TEXT.replace(":128:", ":0:"), "size as a whole number from 1", "'0'"),
        (TEXT.replace(":128:", ":٣:"), "size as a whole number", "'٣'"),
        (TEXT.replace(":1700", ":x1700"), "time as a whole number", "'x1700000000000'"),
        (TEXT.replace("AAEC", "AAE"), "root as 32 bytes in base64url", "'AAE"),
        (TEXT.replace("Hh8:", "Hh9:"), "root as 32 bytes in base64url", "Hh9'"),
        (TEXT.replace("AAEC", "AA+C"), "root as 32 bytes in base64url", "AA+C"),
        (f"{TEXT}==", "signature as 64 bytes in base64url without padding", "=='"),
        (TEXT[:-1], "signature as 64 bytes in base64url", "'AAEC"),
    ],
)
def test_what_is_no_checkpoint_is_refused_with_what_was_expected(
    text: str, expected: str, found: str
) -> None:
    with pytest.raises(InputError) as refused:
        parse_checkpoint(text)
    assert expected in refused.value.expected
    assert found in refused.value.found


def test_the_signed_text_is_canonical_and_only_a_checkpoint() -> None:
    signed = encode_for_signing(size=3, root=ROOT, at_ms=7)
    assert signed == (
        b'{"at_ms":7,"root":"%s","size":3,"what":"dicebell checkpoint 1"}' % ROOT.hex().encode()
    )


def test_an_entry_gives_its_checkpoint_and_key_back() -> None:
    body = build_checkpoint_body(ONE, key_hex="ab" * 32)
    assert decode_checkpoint(body, at_ms=ONE.at_ms) == (ONE, b"\xab" * 32)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", "128"),
        ("size", -1),
        ("size", True),
        ("root", ROOT.hex().upper()),
        ("root", ROOT.hex()[:-2]),
        ("root", None),
        ("signature", "AAAA"),
        ("signature", None),
        ("key", "x" * 64),
    ],
)
def test_an_entry_that_holds_no_checkpoint_is_refused(name: str, value: str | int | None) -> None:
    body = {**build_checkpoint_body(ONE, key_hex="ab" * 32), name: value}
    with pytest.raises(InputError, match=f"expected {name}"):
        decode_checkpoint(body, at_ms=0)
    with pytest.raises(InputError, match=f"expected {name}"):
        decode_checkpoint({key: held for key, held in body.items() if key != name}, at_ms=0)
