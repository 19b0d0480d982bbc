# SPDX-License-Identifier: MIT
"""What entries name is a digest or nothing, whoever wrote the journal."""

from __future__ import annotations

import pytest

from controller.journal.hashchain import Body, Value, build_next_entry
from controller.journal.picture_refs import is_digest, list_deleted, list_references

A, B = "a" * 64, "b" * 64
NO_DIGESTS = ("", "ab", A.upper(), f"{A}\n", f"{A}0", "/etc/passwd", "../../x", "\0", 7, None, [A])


def deleted(body: Body, kind: str = "deleted") -> tuple[str, ...]:
    return list_deleted(build_next_entry(None, at_ms=0, kind=kind, body=body))


def test_an_entry_names_its_picture_and_its_clip() -> None:
    assert list_references({"picture": A, "clip": B}) == (A, B)
    assert list_references({"picture": "", "clip": B}) == (B,)
    assert list_references({"do": "4+10/4"}) == ()


def test_an_entry_that_deletes_says_what() -> None:
    assert deleted({"pictures": [A, B]}) == (A, B)
    assert deleted({"pictures": [A]}, kind="roll") == ()
    assert deleted({}) == deleted({"pictures": A}) == ()


@pytest.mark.parametrize("name", NO_DIGESTS)
def test_what_is_no_digest_is_not_named(name: Value) -> None:
    assert not is_digest(name)
    assert list_references({"picture": name, "clip": B}) == (B,)
    assert deleted({"pictures": [name, B]}) == (B,)
