# SPDX-License-Identifier: MIT
"""
A journal with real pictures, checked by the real reader.

The dice are thrown in a simulated tray and a reader that knows the truth reads them, so the
journal is right whatever the real reader thinks of it; verify has only the pictures.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.journal.hashchain import Body, Entry
from controller.journal.journal import read_journal
from controller.journal.picture_store import PictureStore
from controller.journal.writer import TableInfo
from controller.runtime.autoplay import Autoplay
from controller.runtime.picture_recorder import RecordingOptions
from controller.runtime.table import TableRuntime
from controller.table.events import GameStarted
from controller.verify.findings import FindingKind
from controller.verify.reread import RereadOutcome
from controller.verify.verify import verify_journal
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import SimulatedHands
from tests.controller.verify.journals import breaks_of, edited, laid, places_of, relinked
from tests.support.truthful_reader import TruthfulReader
from tests.vision.mapped import simulated_map
from vision.image_files import encode_jpeg, load_picture

ROLLS = 3


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a table that took a few rolls and has kept the tray of each picture alone."""
    folder = tmp_path_factory.mktemp("recorded")
    camera = SimulatedCamera(SteppedClock(), seed=11, fps=6)
    SimulatedHands(camera, seed=11)
    tray = simulated_map(camera)
    runtime = TableRuntime.open(
        folder,
        TruthfulReader(camera),
        setup=TableInfo(camera="simulated", calibration=tray.to_json),
        keeping=RecordingOptions(tray_for=lambda frame_wh: tray),
    )
    start = GameStarted("wuerfelspiel", ("Ada", "Ben"))
    player = Autoplay(runtime, camera, start=start, seed=3, report=lambda line: None)
    runtime.begin()
    with camera:
        player.play(1, lambda: runtime.loop.state.play.rolls >= ROLLS)
    runtime.close()
    return folder


@pytest.fixture
def folder(recorded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(recorded, tmp_path / "data")


def rolls_of(folder: Path) -> list[Entry]:
    return [entry for entry in read_journal(folder).entries if entry.kind == "roll"]


def test_every_picture_is_read_again_as_the_journal_says(folder: Path) -> None:
    examined = verify_journal(folder)
    assert places_of(examined) == []
    assert examined.rolls == ROLLS
    assert examined.reread is not None
    assert examined.reread[RereadOutcome.SAME] >= ROLLS
    assert examined.reread[RereadOutcome.OTHER] == examined.reread[RereadOutcome.UNSURE] == 0
    roll = rolls_of(folder)[0].body
    assert roll["crop_px"] != [0, 0, 1280, 720]
    assert roll["frame_px"] == [1280, 720]


def test_a_roll_changed_with_its_dice_is_found_by_its_picture(folder: Path) -> None:
    """All that a forger can write is right here: chain, dice and roll agree, and no rule minds."""
    entries = list(read_journal(folder).entries)
    place = next(i for i, entry in enumerate(entries) if entry.kind == "roll")

    def cheat(body: Body) -> Body:
        lie = body["lie"]
        assert isinstance(lie, list)
        dice = [dict(die) for die in lie]
        dice[0]["face"] = 7 - dice[0]["face"]
        roll = "".join(sorted(str(die["face"]) for die in dice))
        return {**body, "lie": dice, "roll": roll}

    cheated = edited(entries[: place + 1], "roll", cheat)
    laid(folder, relinked(cheated))
    (finding,) = breaks_of(verify_journal(folder))
    assert (finding.kind, finding.line) == (FindingKind.READ_OTHERWISE, place + 1)
    assert finding.neighbours.startswith("At ")


def test_swapped_pictures_are_found_by_name_and_by_content(folder: Path) -> None:
    evidence = PictureStore(folder)
    one, other = (evidence.picture_path(str(roll.body["picture"])) for roll in rolls_of(folder)[:2])
    content = one.read_bytes()
    shutil.copyfile(other, one)
    other.write_bytes(content)
    kinds = [finding.kind for finding in breaks_of(verify_journal(folder))]
    assert kinds.count(FindingKind.PICTURE_SWAPPED) == 2
    assert kinds.count(FindingKind.READ_OTHERWISE) == 2


def test_rolls_on_black_pictures_are_breaks(folder: Path) -> None:
    """Chain, rules, digests and sizes are right, and every picture is black."""
    evidence, entries = PictureStore(folder), list(read_journal(folder).entries)
    for place, entry in enumerate(entries):
        if digest := entry.body.get("picture"):
            picture = load_picture(evidence.picture_path(str(digest)))
            # Other bytes for each, so that no two rolls name the same picture.
            black = evidence.store(encode_jpeg(picture * np.uint8(0)) + bytes([place]))
            entries[place] = replace(entry, body={**entry.body, "picture": black})
    laid(folder, relinked(entries))
    found = breaks_of(verify_journal(folder))
    lines = [line for line, entry in enumerate(entries, start=1) if entry.kind == "roll"]
    told = [each.line for each in found if each.kind is FindingKind.READ_OTHERWISE]
    assert set(lines) <= set(told)
