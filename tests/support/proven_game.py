# SPDX-License-Identifier: MIT
"""Data folders with a random game in them as a table leaves it: pictures, key, checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from controller.games.contract import GameState, Options
from controller.journal.checkpoint import Checkpoint, build_checkpoint_body, encode_for_signing
from controller.journal.hashchain import Body, encode_entry
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from tests.controller.games.playing import NAMES
from tests.support.chains import compute_root
from tests.support.random_journal import RandomGame, WrittenJournal

PICTURE_WH = (480, 240)
GENESIS: Body = {
    "format": 2,
    "software": "dicebell 1.2",
    "camera": "usb 0 <i>",
    "settings": "ab" * 32,
}


@dataclass(frozen=True)
class ProvenGame:
    """A folder, its journal, its pictures by digest in order, and where its game stands."""

    folder: Path
    journal: WrittenJournal
    pictures: tuple[str, ...]
    end: GameState

    @property
    def evidence(self) -> PictureStore:
        return PictureStore(self.folder)


def proven_game(
    folder: Path,
    game: str = "choice",
    *,
    names: tuple[str, ...] = NAMES,
    options: Options | None = None,
    events: int = 24,
    seed: int = 3,
    mischief: float = 0.3,
) -> ProvenGame:
    """Play a game into a folder; a checkpoint is signed in the middle and at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    journal, pictures, evidence = WrittenJournal(), list[str](), PictureStore(folder)
    journal.add("genesis", GENESIS)
    key = TableKey.load_or_create(folder)
    journal.add("key", {"key": key.public_hex})

    def picture() -> str:
        pictures.append(evidence.store(draw_picture(len(pictures))))
        return pictures[-1]

    played = RandomGame(
        journal,
        game,
        names=names,
        players=2,
        options=options,
        seed=seed,
        mischief=mischief,
        picture=picture,
    )
    for _ in range(2):
        played.play(events // 2)
        sign(journal, key)
    journal.write(folder)
    return ProvenGame(folder, journal, tuple(pictures), played.position)


def sign(journal: WrittenJournal, key: TableKey) -> Checkpoint:
    """Append a checkpoint of everything so far; return it."""
    size, at_ms = len(journal.entries), journal.next_at_ms
    root = compute_root(map(encode_entry, journal.entries))
    signature = key.sign(encode_for_signing(size=size, root=root, at_ms=at_ms))
    checkpoint = Checkpoint(size, root, at_ms, signature)
    journal.add("checkpoint", build_checkpoint_body(checkpoint, key_hex=key.public_hex))
    return checkpoint


def draw_picture(number: int) -> bytes:
    width, height = PICTURE_WH
    image = np.full((height, width, 3), (40, 90, 30), np.uint8)
    cv2.putText(image, str(number), (10, 230), 0, 1.0, (200, 200, 200), 2)
    _, data = cv2.imencode(".jpg", image)
    return data.tobytes()
