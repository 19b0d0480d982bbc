# SPDX-License-Identifier: MIT
"""
Measure the entries a minute of a verification, with and without reading pictures again.

A table plays at the simulated tray, and its journal is verified. For the check without pictures
the same games are repeated in one chain. Parsing, hashing and reading alone are measured too, as
the least that any check costs.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.cli.bench_reader.benchmark import time_best
from controller.journal.checkpoint import (
    CHECKPOINT,
    Checkpoint,
    build_checkpoint_body,
    encode_for_signing,
)
from controller.journal.hashchain import Entry, build_next_entry, encode_entry
from controller.journal.journal import JOURNAL_FILE, read_journal
from controller.journal.merkle import MerkleTree
from controller.journal.picture_store import PICTURES_FOLDER, PictureStore
from controller.journal.signing_key import TableKey
from controller.runtime.autoplay import Autoplay
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.table import TableRuntime
from controller.table.events import GameStarted
from controller.verify.verify import VerifyResult, verify_journal
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import SimulatedHands
from vision.image_files import limit_to_one_thread, load_picture
from vision.pipeline import Reader

SEED = 7
ROLLS = 12
ENTRIES = 5000
ROUNDS = 3
DICE = 5

_FPS = 6
_GAME = GameStarted("choice", ("Ada", "Ben"))


def measure_verify(rolls: int = ROLLS, entries: int = ENTRIES) -> dict[str, float]:
    """Return the entries a minute with this many pictures read again, and without pictures."""
    limit_to_one_thread()
    with TemporaryDirectory() as folder:
        played, grown = Path(folder, "played"), Path(folder, "grown")
        play(played, rolls)
        grow(played, grown, entries)
        return _measure_with_pictures(played) | _measure_without(grown)


def play(folder: Path, rolls: int) -> None:
    """Play until a table has taken this many rolls."""
    camera = SimulatedCamera(SteppedClock(), seed=SEED, fps=_FPS)
    SimulatedHands(camera, seed=SEED)
    runtime = TableRuntime.open(folder, ActiveCalibration())
    runtime.begin()
    player = Autoplay(runtime, camera, start=_GAME, seed=SEED, report=lambda line: None)
    with camera:
        player.play(1, lambda: runtime.loop.state.play.rolls >= rolls)
    runtime.close()


def grow(played: Path, grown: Path, entries: int) -> None:
    """Write a journal of this many entries that repeats the same games, with small pictures."""
    shutil.copytree(played, grown, ignore=shutil.ignore_patterns(PICTURES_FOLDER))
    evidence = PictureStore(grown)
    key, tree = TableKey.load_or_create(grown), MerkleTree()
    begun = read_journal(played).entries
    first = next(place for place, entry in enumerate(begun) if entry.kind == "game")
    before: Entry | None = None
    with open(grown / JOURNAL_FILE, "wb") as file:
        repeated = islice(chain(begun[:first], cycle(begun[first:])), entries)
        for number, entry in enumerate(repeated):
            if "picture" in entry.body:
                # No two rolls may name the same one.
                picture = evidence.store(f"picture {number}".encode())
                entry = replace(entry, body={**entry.body, "picture": picture})
            before = _append_like(file.write, tree, before, entry, key)


def parse_and_hash(lines: Iterable[bytes]) -> None:
    """Do with the lines of a journal the least that any reader does."""
    for line in lines:
        json.loads(line)
        hashlib.sha256(line).digest()


def _append_like(
    write: Callable[[bytes], object],
    tree: MerkleTree,
    before: Entry | None,
    like: Entry,
    key: TableKey,
) -> Entry:
    """Write an entry like this one as the next; a checkpoint is signed again."""
    body, at_ms = like.body, like.at_ms if before is None else before.at_ms + 1000
    if like.kind == CHECKPOINT:
        size, root = tree.size, tree.root()
        signature = key.sign(encode_for_signing(size=size, root=root, at_ms=at_ms))
        made = Checkpoint(size, root, at_ms, signature)
        body = build_checkpoint_body(made, key_hex=key.public_hex)
    entry = build_next_entry(before, at_ms=at_ms, kind=like.kind, body=body)
    line = encode_entry(entry)
    write(line + b"\n")
    tree.append(line)
    return entry


def _measure_with_pictures(folder: Path) -> dict[str, float]:
    examined, elapsed_s = time_best(partial(verify_journal, folder), ROUNDS)
    pictures = list((folder / PICTURES_FOLDER).rglob("*.jpg"))
    reader = Reader()
    _, least_s = time_best(partial(_read_all, reader, pictures), ROUNDS)
    return _figures("with pictures read again", examined, elapsed_s) | {
        "with pictures read again, pictures": len(pictures),
        "with pictures read again, pictures a minute": round(60 * len(pictures) / elapsed_s),
        "with pictures read again / reading alone": round(elapsed_s / least_s, 3),
    }


def _measure_without(folder: Path) -> dict[str, float]:
    examined, elapsed_s = time_best(partial(verify_journal, folder, rereads=False), ROUNDS)
    lines = (folder / JOURNAL_FILE).read_bytes().splitlines()
    _, least_s = time_best(partial(parse_and_hash, lines), ROUNDS)
    return _figures("without", examined, elapsed_s) | {
        "without / parsing and hashing alone": round(elapsed_s / least_s, 3)
    }


def _figures(name: str, examined: VerifyResult, elapsed_s: float) -> dict[str, float]:
    """
    Return the entries a minute.

    Raises:
        RuntimeError: Something is broken, so that this is no measure of a sound journal.
    """
    if examined.is_broken:
        (first, *_) = examined.findings.in_order(is_break=True)
        raise RuntimeError(f"the journal of the bench is broken: {first}")
    return {
        f"{name}, entries": examined.entries,
        f"{name}, entries a minute": round(60 * examined.entries / elapsed_s),
    }


def _read_all(reader: Reader, pictures: Sequence[Path]) -> None:
    for path in pictures:
        reader.read(load_picture(path), expect=DICE)
