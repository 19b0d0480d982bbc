# SPDX-License-Identifier: MIT
"""
What backup and restore do with each file of a table, and why.

A backup may come from anybody. So one of another machine brings games and pictures, and never
where to send, whom to trust or who may enter. A file that is not listed here belongs to the
machine, so a new one is safe before somebody thinks of it; a test requires a line for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from controller.appliance.welcome.guide_memory import DECLINED_FILE
from controller.base.rebuilt_database import TRANSACTION_SUFFIXES
from controller.history.analysis.account_cache import CACHE_FILE
from controller.history.index.store import INDEX_FILE
from controller.history.name_book import NAMES_FILE
from controller.history.replays.downloads import FILES_FOLDER
from controller.integrations.mqtt.sent_marker import FILE_NAME as BROKER_FILE
from controller.journal.continuity.restore_marker import MARKER_FILE
from controller.journal.continuity.signing_memory import MEMORY_FILE
from controller.journal.journal import JOURNAL_FILE, LOCK_FILE
from controller.journal.picture_store import PICTURES_FOLDER
from controller.journal.signing_key import PRIVATE_FILE, PUBLIC_FILE
from controller.runtime.access.api_tokens import FILE_NAME as TOKENS_FILE
from controller.runtime.access.box_key import FILE_NAME as BOX_KEY_FILE
from controller.runtime.access.login_memory import FILE_NAME as LOGINS_FILE
from controller.runtime.access.seats import FILE_NAME as SEATS_FILE
from controller.runtime.access.store import FILE_NAME as ACCESS_FILE
from controller.runtime.calibration.own_dice import FILE as THROWS_FILE
from controller.runtime.calibration.store import FILE as CALIBRATION_FILE
from controller.runtime.devices.found_camera import FILE as CAMERA_FILE
from controller.tournament.sending.event_witness import FILE_NAME as WITNESS_FILE
from controller.tournament.sending.server_pin import FILE_NAME as TOURNAMENT_FILE
from controller.tournament.server.event_folders import EVENT_FILE, EVENTS_FOLDER

SETTINGS_NAME = "settings.toml"  # The settings file of a table, as a backup names it.
UNFINISHED = ".part"


class Handling(Enum):
    GAMES = "in every backup, and restored from every backup"
    MACHINE = "in every backup, and restored from this machine's own or a trusted one"
    STAYS = "in no backup; this machine keeps its own"
    MADE_AGAIN = "in no backup; made again when it is needed"


@dataclass(frozen=True, slots=True)
class FileRule:
    handling: Handling
    why: str  # What the file says, as the reason.
    was_archived: bool = False  # Whether backups of earlier versions contain it.


_INDEX = FileRule(Handling.MADE_AGAIN, "follows from the journal")

RULES: Mapping[str, FileRule] = {
    JOURNAL_FILE: FileRule(Handling.GAMES, "the games, with the keys that signed them"),
    PICTURES_FOLDER: FileRule(Handling.GAMES, "the pictures of the rolls"),
    NAMES_FILE: FileRule(Handling.GAMES, "the names that screens show, and who is hidden"),
    SETTINGS_NAME: FileRule(
        Handling.MACHINE, "where to send, whom to trust and who may enter; pins and camera"
    ),
    CALIBRATION_FILE: FileRule(Handling.MACHINE, "camera, tray and dice of that machine"),
    THROWS_FILE: FileRule(Handling.MACHINE, "dice of that machine, before it learnt them"),
    CAMERA_FILE: FileRule(Handling.MACHINE, "which camera of that machine was chosen"),
    DECLINED_FILE: FileRule(Handling.MACHINE, "whether its lobby offers the guide"),
    EVENT_FILE: FileRule(
        Handling.MACHINE, "an event of a desk, with the tables and players that it trusts"
    ),
    EVENTS_FOLDER: FileRule(
        Handling.MACHINE, "later events of a desk, with the tables and players that they trust"
    ),
    TOURNAMENT_FILE: FileRule(
        Handling.STAYS,
        "the desk that gets every game and picture; it knows a table by its key, which is in no"
        " backup",
        was_archived=True,
    ),
    WITNESS_FILE: FileRule(
        Handling.STAYS,
        "what a table saw of an event; an older one would make it forget what it cosigned",
        was_archived=True,
    ),
    SEATS_FILE: FileRule(Handling.STAYS, "which phones may play", was_archived=True),
    PUBLIC_FILE: FileRule(
        Handling.STAYS, "the public half of a key that is in no backup", was_archived=True
    ),
    PRIVATE_FILE: FileRule(Handling.STAYS, "the key; who has it can sign for this table"),
    MEMORY_FILE: FileRule(
        Handling.STAYS, "what the table signed; an older one would make it forget that"
    ),
    ACCESS_FILE: FileRule(Handling.STAYS, "the PIN, and the secret of the tickets"),
    LOGINS_FILE: FileRule(Handling.STAYS, "who guessed wrong, and who is logged out"),
    TOKENS_FILE: FileRule(Handling.STAYS, "which programs may ask"),
    BOX_KEY_FILE: FileRule(Handling.MADE_AGAIN, "the key of the box's own screen"),
    LOCK_FILE: FileRule(Handling.MADE_AGAIN, "says that a table runs"),
    MARKER_FILE: FileRule(Handling.MADE_AGAIN, "says that a backup was restored"),
    BROKER_FILE: FileRule(
        Handling.MADE_AGAIN, "what the broker has of this journal, not of a restored one"
    ),
    INDEX_FILE: _INDEX,
    **{INDEX_FILE + suffix: _INDEX for suffix in TRANSACTION_SUFFIXES},
    CACHE_FILE: FileRule(Handling.MADE_AGAIN, "follows from the games and the coaches"),
    FILES_FOLDER: FileRule(Handling.MADE_AGAIN, "reports and bundles of games"),
}
_OTHER = FileRule(Handling.MACHINE, "no file that this version writes")
_NEVER_ARCHIVED = (Handling.STAYS, Handling.MADE_AGAIN)


def find_rule(name: str) -> FileRule:
    """Return the rule of a file by its path in the data folder, with `/`; or `SETTINGS_NAME`."""
    first, *rest = name.split("/")
    rule = RULES.get(rest[-1] if rest else first)
    if rule is not None and (not rest or rule.handling in _NEVER_ARCHIVED):
        return rule
    return RULES[first] if rest and first in (PICTURES_FOLDER, EVENTS_FOLDER) else _OTHER


def is_archived(name: str) -> bool:
    """Return whether a backup contains a file of this path in the data folder."""
    return not is_passing(name) and find_rule(name).handling not in _NEVER_ARCHIVED


def was_archived(name: str) -> bool:
    """Return whether a backup of this or of an earlier version may contain a file of this path."""
    return is_archived(name) or (not is_passing(name) and find_rule(name).was_archived)


def is_passing(name: str) -> bool:
    """Return whether a file is hidden or unfinished: a backup does without it."""
    return name.endswith(UNFINISHED) or any(part.startswith(".") for part in name.split("/"))
