# SPDX-License-Identifier: MIT
"""A game as a bundle: somebody else unpacks it and verifies the game, and nothing else."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from tests.support.proven_game import GENESIS, draw_picture, sign
from tests.support.random_journal import RandomGame, WrittenJournal


@pytest.fixture
def three_games(tmp_path: Path) -> tuple[Path, list[list[str]]]:
    """Return a data folder with three games, and the pictures of each."""
    folder, journal, pictures = tmp_path / "data", WrittenJournal(), list[list[str]]()
    folder.mkdir()
    store, key = PictureStore(folder), TableKey.load_or_create(folder)
    journal.add("genesis", GENESIS)
    journal.add("key", {"key": key.public_hex})
    for seed in range(3):
        mine = list[str]()

        def picture(mine: list[str] = mine) -> str:
            mine.append(store.store(draw_picture(sum(map(len, pictures)) + len(mine))))
            return mine[-1]

        RandomGame(journal, "choice", seed=seed, mischief=0.0, picture=picture).play()
        pictures.append(mine)
        sign(journal, key)
    # The table makes room and deletes a picture of the second game after the third one.
    gone = pictures[1].pop()
    store.delete(gone)
    journal.add("deleted", {"pictures": [gone], "why": "size", "on": "2026-11-23"})
    journal.write(folder)
    return folder, pictures


def unpack(folder: Path, number: int, target: Path) -> Path:
    bundle = target / "game.zip"
    command = ["export", str(folder), "--game", str(number), "--bundle", "--language", "de"]
    assert main([*command, "--output", str(bundle)]) == 0
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(target / "out")
    return target / "out"


def verify(
    data: Path, *options: str, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    status = main(["verify", str(data), "--json", "--no-reread", *options])
    return status, json.loads(capsys.readouterr().out)


def test_a_bundle_verifies_for_its_game_alone(
    three_games: tuple[Path, list[list[str]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, pictures = three_games
    out = unpack(folder, 2, tmp_path)
    key = ("--key", str(out / "data" / "table.pub"))
    status, found = verify(out / "data", "--game", "2", *key, capsys=capsys)
    assert (status, found["breaks"]) == (0, [])
    assert found["pictures"]["unchanged"] == len(pictures[1])  # type: ignore[index]
    assert found["pictures"]["deleted"] == 1  # type: ignore[index]
    stored = {path.stem for path in (out / "data" / "pictures").rglob("*.jpg")}
    assert stored == set(pictures[1])
    # Of the first game it holds no pictures, and says so if it is asked.
    status, found = verify(out / "data", capsys=capsys)
    assert status == 1
    assert {one["kind"] for one in found["breaks"]} == {"picture missing"}  # type: ignore[attr-defined]


def test_a_bundle_tells_how_to_check_it(
    three_games: tuple[Path, list[list[str]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = unpack(three_games[0], 1, tmp_path)
    assert "dicebell verify data --game 1" in (out / "README.txt").read_text()
    assert main(["replay", str(out / "game.jsonl")]) == 0
    assert '<html lang="de">' in (out / "report.html").read_text()
    lines = (out / "data" / "journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["kind"] for line in lines].count("game") == 1
    assert json.loads(lines[-1])["kind"] == "checkpoint"


def test_a_changed_picture_of_a_bundle_is_found(
    three_games: tuple[Path, list[list[str]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, pictures = three_games
    out = unpack(folder, 3, tmp_path)
    PictureStore(out / "data").picture_path(pictures[2][0]).write_bytes(b"another one")
    status, found = verify(out / "data", "--game", "3", capsys=capsys)
    assert status == 1
    assert [one["kind"] for one in found["breaks"]] == ["picture changed"]  # type: ignore[attr-defined]


def test_verify_refuses_a_game_that_is_not_there(
    three_games: tuple[Path, list[list[str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(three_games[0]), "--game", "4", "--no-reread"]) == 2
    assert "expected a game from 1 to 3, found 4" in capsys.readouterr().err
