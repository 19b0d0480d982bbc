# SPDX-License-Identifier: MIT
"""Tokens of other programs: shown once, kept as a digest, withdrawn at once."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from controller.appliance.backup.data_files import is_archived
from controller.base.errors import InputError
from controller.runtime.access.api_tokens import FILE_NAME, MOST_TOKENS, ApiTokens


def test_a_token_survives_a_restart_and_is_stored_as_a_digest(tmp_path: Path) -> None:
    now_s = [1000.0]
    tokens = ApiTokens(tmp_path, wall_s=lambda: now_s[0])
    text = tokens.make_token("  Dungeon ", ("ask", "read"))
    path = tmp_path / FILE_NAME
    assert text[-20:] not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not is_archived(FILE_NAME)

    again = ApiTokens(tmp_path, wall_s=lambda: now_s[0])
    again.load()
    now_s[0] = 9000.0
    found = again.find_token(text)
    assert found is not None
    assert (found.name, found.scopes, found.used_s) == ("Dungeon", ("read", "ask"), 9000)
    later = ApiTokens(tmp_path)
    later.load()
    assert [each.used_s for each in later.list_tokens()] == [9000]
    again.withdraw(found.number)
    assert again.find_token(text) is None
    assert not again.is_valid(found.number)
    with pytest.raises(InputError, match="the number of a token"):
        again.withdraw(found.number)


@pytest.mark.parametrize(
    ("name", "scopes"),
    [("", ("read",)), ("x" * 41, ("read",)), ("a\nb\0", ("read",)), ("A", ()), ("A", ("box",))],
)
def test_wrong_names_and_scopes_are_refused(
    tmp_path: Path, name: str, scopes: tuple[str, ...]
) -> None:
    with pytest.raises(InputError):
        ApiTokens(tmp_path).make_token(name, scopes)
    assert not (tmp_path / FILE_NAME).exists()


def test_names_are_unique_and_tokens_limited(tmp_path: Path) -> None:
    tokens = ApiTokens(tmp_path)
    for number in range(MOST_TOKENS):
        tokens.make_token(f"program {number}", ("read",))
    with pytest.raises(InputError, match="no other token"):
        tokens.make_token("program 1", ("ask",))
    with pytest.raises(InputError, match="at most 50 tokens"):
        tokens.make_token("one more", ("read",))


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"tokens": [{}]}', '{"tokens": [1]}', "x", "[" * 9999]
)
def test_a_broken_file_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    with pytest.raises(InputError, match="a file written by dicebell"):
        ApiTokens(tmp_path).load()
