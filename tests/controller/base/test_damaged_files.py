# SPDX-License-Identifier: MIT
"""Whatever became of a small file in the data folder, a start gets its content or a clear error."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.history.name_book import NAMES_FILE, NameBook, ShownNames
from controller.integrations.mqtt.sent_marker import FILE_NAME as BROKER_FILE
from controller.integrations.mqtt.sent_marker import SentMarker
from controller.journal.continuity.restore_marker import MARKER_FILE, load_marker
from controller.journal.continuity.signing_memory import MEMORY_FILE, load_memory
from controller.journal.signing_key import PRIVATE_FILE, TableKey
from controller.runtime.access.api_tokens import FILE_NAME as TOKENS_FILE
from controller.runtime.access.api_tokens import ApiTokens
from controller.runtime.access.login_memory import FILE_NAME as LOGINS_FILE
from controller.runtime.access.login_memory import LoginMemory
from controller.runtime.access.seats import FILE_NAME as SEATS_FILE
from controller.runtime.access.seats import PhoneSeats
from controller.runtime.access.store import FILE_NAME as ACCESS_FILE
from controller.runtime.access.store import AccessFile
from controller.runtime.calibration.store import FILE as CALIBRATION_FILE
from controller.runtime.calibration.store import load_calibration
from controller.tournament.sending.event_witness import FILE_NAME as WITNESS_FILE
from controller.tournament.sending.event_witness import load_seen
from controller.tournament.sending.server_pin import FILE_NAME as TOURNAMENT_FILE
from controller.tournament.sending.server_pin import load_pin

KEY = "ab" * 32

LOADERS: dict[str, Callable[[Path], object]] = {
    ACCESS_FILE: lambda folder: AccessFile(folder).read(),
    BROKER_FILE: lambda folder: SentMarker(folder).read(),
    CALIBRATION_FILE: load_calibration,
    LOGINS_FILE: lambda folder: LoginMemory(folder).load(),
    MARKER_FILE: load_marker,
    MEMORY_FILE: load_memory,
    NAMES_FILE: NameBook,
    PRIVATE_FILE: TableKey.load_or_generate,
    SEATS_FILE: lambda folder: PhoneSeats(folder).load(),
    TOKENS_FILE: lambda folder: ApiTokens(folder).load(),
    TOURNAMENT_FILE: load_pin,
    WITNESS_FILE: lambda folder: load_seen(folder, KEY),
}

CONTENTS = (
    *("", "null", "1", "[]", "{}", "[null]", '"text"', "[" * 100_000, "9" * 5_000),
    *('{"format": 1}', '{"format": NaN}', '{"format": 1, "acknowledged": null}'),
    *('{"seats": [], "starter": ""}', '{"seats": {"Ada": 1}, "starter": 1}'),
    '{"seats": {"Ada": {"number": "1", "ends_s": Infinity}}, "starter": ""}',
    *('{"wrong": [], "logged_out": []}', '{"wrong": {"pin": []}, "logged_out": {"a": [1]}}'),
    '{"wrong": {}, "logged_out": {"a": {"b": 1e400}}}',
    *('{"tokens": [{}]}', '{"tokens": {"a": 1}}'),
    '{"format": 1, "hidden": [1], "renamed": {"ada": 1}}',
    f'{{"address": "http://[", "key": "{KEY}", "name": ""}}',
    f'{{"key": "{KEY}", "seen": 1, "shown": null}}',
    '{"made_at": 1, "software": "\\ud800"}',
    '{"checkpoint": 1, "key": 1}',
)


def require_clear_answer(name: str, folder: Path) -> None:
    """Load a file; an error may only be one that names it."""
    refused = ""
    try:
        LOADERS[name](folder)
    except InputError as error:
        refused = str(error)
    assert not refused or str(folder / name) in refused


@pytest.mark.parametrize("name", LOADERS)
def test_a_damaged_file_leads_to_a_clear_answer(name: str, tmp_path: Path) -> None:
    for content in (*(text.encode() for text in CONTENTS), b"\xff\xfe\0"):
        (tmp_path / name).write_bytes(content)
        require_clear_answer(name, tmp_path)


@pytest.mark.parametrize("name", LOADERS)
def test_something_else_in_place_of_a_file_keeps_nobody_waiting(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder" / name).mkdir(parents=True)
    require_clear_answer(name, tmp_path / "folder")
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / name)
    require_clear_answer(name, tmp_path / "pipe")


def test_names_that_no_page_can_show_are_not_read(tmp_path: Path) -> None:
    text = '{"format": 1, "hidden": ["ben"], "renamed": {"ada": "\\ud800", "cleo": "Cleopatra"}}'
    (tmp_path / NAMES_FILE).write_text(text)
    assert NameBook(tmp_path).names == ShownNames()
