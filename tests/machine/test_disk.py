# SPDX-License-Identifier: MIT
"""The disk of the virtual machine loses at a power cut what was not flushed, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

from tests.machine.disk import BLOCK, Disk, Record

BEFORE = {1: b"1", 2: b"2"}
AFTER = {1: b"3", 4: b"4", 5: b"5"}


def blocks(letters: dict[int, bytes]) -> Record:
    return [(number, letter * BLOCK) for number, letter in letters.items()]


def test_a_power_cut_loses_only_what_was_not_flushed(tmp_path: Path) -> None:
    image, saved = tmp_path / "disk.img", tmp_path / "blocks"
    image.write_bytes(bytes(8 * BLOCK))
    lost_of_three = set()
    for seed in range(20):
        disk = Disk(image, tmp_path)
        cached, lost = disk.lose_power([*blocks(BEFORE), None, *blocks(AFTER)], random.Random(seed))
        disk.save(saved)
        disk.close()
        data = saved.read_bytes()
        entries = range(0, len(data), 8 + BLOCK)
        kept = {int.from_bytes(data[at : at + 8]): data[at + 8 : at + 9] for at in entries}
        assert cached == len(AFTER)
        assert sum(kept.get(number) == letter for number, letter in AFTER.items()) == 3 - lost
        assert kept[2] == b"2"
        assert kept[1] in (b"1", b"3")
        lost_of_three.add(lost)
    assert lost_of_three == {0, 1, 2, 3}
