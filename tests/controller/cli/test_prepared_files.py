# SPDX-License-Identifier: MIT
"""Files that somebody prepared to break the program end in one line and status 2, or a finding."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.journal.journal import JOURNAL_FILE, MAX_READ_BYTES
from controller.verify.verify import MAX_JOURNAL_BYTES
from tests.support.forked import ForkedCommand
from tests.support.proven_game import proven_game

DEEP = "[" * 100_000
NUMBER = "[camera]\nfps = " + "1" * 5000
INFINITE_MAP = (
    '{"die_edge_mm": 16, "felt_from_px": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "focal_px": 900,'
    ' "felt_mm": [[0, 0], [1, 0], [1, 1]], "picture_wh": [1e400, 5]}'
)


def run(*arguments: str | Path) -> list[str]:
    """Run a command in a process with little memory; return the lines of its refusal."""
    command = ForkedCommand([str(each) for each in arguments], "tests.support.little_memory")
    with command.stdin, command.stdout as output:
        lines = output.read().splitlines()
        assert command.wait(120) == 2, lines
    assert not any("Traceback" in line for line in lines)
    return lines


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A picture that takes 0.4 MB in the file and 1.2 GB in memory."""
    path = tmp_path / "large.png"
    cv2.imwrite(str(path), np.zeros((20_000, 20_000), np.uint8))
    assert path.stat().st_size < 1_000_000
    return path


def test_endless_and_too_large_pictures_are_refused_undecoded(tmp_path: Path, large: Path) -> None:
    paths = [tmp_path / name for name in ("zero.png", "zero.mp4", "pipe.jpg", "pipe.avi")]
    for path in paths:
        path.symlink_to("/dev/zero") if "zero" in path.name else os.mkfifo(path)
    narrow = tmp_path / "narrow.avi"
    writer = cv2.VideoWriter(str(narrow), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (1, 5000))
    writer.write(np.zeros((5000, 1, 3), np.uint8))
    writer.release()
    assert run("read", large, narrow, *paths) == [
        f"{large}: expected at most 100 million pixels, found 20000 x 20000",
        f"{narrow}: expected a video of 24 pixels or more, no side 8 times the other,"
        " found 1 x 5000",
        *(f"{path}: expected a picture, found no regular file" for path in paths[:1]),
        *(f"{path}: expected a video, found no regular file" for path in paths[1:2]),
        *(f"{path}: expected a picture, found no regular file" for path in paths[2:3]),
        *(f"{path}: expected a video, found no regular file" for path in paths[3:]),
    ]


@pytest.mark.parametrize(
    ("name", "content", "command"),
    [
        ("calibration.json", DEEP, ("demo", "--no-web", "--autoplay", "1", "--data", ".")),
        ("map.json", DEEP[:50_000], ("read", "--tray", "map.json", "none.jpg")),
        ("map.json", INFINITE_MAP, ("read", "--tray", "map.json", "none.jpg")),
        ("a.toml", f"x = {DEEP}", ("run", "--print-config", "--config", "a.toml")),
        ("a.toml", NUMBER, ("run", "--print-config", "--config", "a.toml")),
        ("game.jsonl", DEEP, ("replay", "game.jsonl")),
        ("game.jsonl", "x" * (3 << 20), ("replay", "game.jsonl")),
    ],
)
def test_deep_nesting_and_huge_numbers_are_refused(
    tmp_path: Path, name: str, content: str, command: tuple[str]
) -> None:
    (tmp_path / name).write_text(content)
    *_, last = run(*(tmp_path / word if word in (name, ".") else word for word in command))
    assert "expected" in last


@pytest.mark.parametrize("command", [("replay", "/dev/zero"), ("run", "--config", "/dev/zero")])
def test_a_file_without_an_end_is_refused(command: tuple[str, ...]) -> None:
    (line,) = run(*command)
    assert line.startswith(f"dicebell {command[0]}: /dev/zero")


@pytest.mark.parametrize("key", ["/dev/zero", "a pipe"])
def test_a_key_without_an_end_is_refused(tmp_path: Path, key: str) -> None:
    proven_game(tmp_path / "data", events=2)
    path = tmp_path / "table.pub"
    os.mkfifo(path) if key == "a pipe" else path.symlink_to(key)
    (line,) = run("verify", "--no-reread", tmp_path / "data", "--key", path)
    assert line.startswith(f"dicebell verify: {path}: expected a key file that can be read")


@pytest.mark.parametrize(
    ("command", "size"),
    [("export", MAX_READ_BYTES), ("report", MAX_JOURNAL_BYTES), ("verify", MAX_JOURNAL_BYTES)],
)
def test_a_journal_of_holes_is_refused(tmp_path: Path, command: str, size: int) -> None:
    with open(tmp_path / JOURNAL_FILE, "wb") as file:
        file.truncate(size + 1)
    (line,) = run(command, tmp_path)
    assert f"expected a journal of at most {size >> 20} MiB" in line
