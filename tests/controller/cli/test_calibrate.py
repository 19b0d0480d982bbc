# SPDX-License-Identifier: MIT
"""`dicebell calibrate`: prints the cards, calibrates a simulated table, and says what is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import cv2
import pytest

from controller.cli.main import main
from controller.cli.own_dice import ASK_THROW, forget_dice, learn_dice
from controller.runtime.calibration.own_dice import FILE
from controller.runtime.calibration.store import load_calibration
from tests.controller.runtime.calibration.cameras import desk_at, tray_camera
from vision.calibration.markers import find_markers

CORNERS = ("1130,660", "150,65", "1122,64", "125,662")


def settings_in(folder: Path, width: int = 1280, height: int = 720) -> str:
    path = folder / "settings.toml"
    camera = f'[camera]\ndriver = "simulated"\nfps = 120\nwidth = {width}\nheight = {height}\n'
    path.write_text(f'{camera}[data]\nfolder = "{folder / "data"}"\n')
    return str(path)


@pytest.mark.parametrize("name", ["cards.pdf", "cards.png"])
def test_the_cards_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / name
    assert main(["calibrate", "--print", str(path), "--felt", "300x200"]) == 0
    assert "print it at 100 %" in capsys.readouterr().out
    if name.endswith("png"):
        picture = cv2.imread(str(path))
        assert picture is not None
        assert len(find_markers(picture)) == 4  # type: ignore[arg-type]
    else:
        assert path.read_bytes().startswith(b"%PDF-")


def test_cards_for_a_felt_that_cannot_be_are_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cards.pdf"
    assert main(["calibrate", "--print", str(path), "--felt", "30x20"]) == 2
    assert "a felt of 80 to 1000 mm in width and depth, found 30 x 20" in capsys.readouterr().err
    assert not path.exists()


def test_a_table_is_calibrated_by_its_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--config", settings_in(tmp_path)]) == 0
    told = capsys.readouterr().out
    for word in ("exposure  Fixed:", "tray      26", "focus     sharpness", "dice      edge 1"):
        assert word in told
    assert "reading   " in told
    kept = load_calibration(tmp_path / "data")
    assert kept is not None
    assert kept.exposure is not None
    assert "saved     " in told


def test_a_table_is_calibrated_by_corners_given_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--felt", "260x160", "--die-edge", "16", "--corners", *CORNERS]
    assert main(["calibrate", "--config", settings_in(tmp_path), *options]) == 0
    assert "dice      edge 16 mm, as given" in capsys.readouterr().out
    kept = load_calibration(tmp_path / "data")
    assert kept is not None
    assert kept.tray.die_edge_mm == 16.0


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--corners", "1,1", "9,1", "9,9", "1,9"], 1, "enclose 0.0 % of the picture"),
        (
            ["--felt", "260x160", "--corners", "1,1", "9000,1", "9,9", "1,9"],
            1,
            "Corner 2 is outside of the picture (9000, 1 of ",
        ),
        (["--die-edge", "50"], 2, "dice with an edge of 8 to 25 mm, found 50"),
        (["--felt", "10x10"], 2, "a felt of 80 to 1000 mm"),
        (["--print", "cards.doc"], 2, "--print: expected a file .pdf or .png, found cards.doc"),
    ],
)
def test_what_cannot_be_is_told(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    status: int,
    message: str,
) -> None:
    assert main(["calibrate", "--config", settings_in(tmp_path, 640, 360), *options]) == status
    told = capsys.readouterr()
    assert message in told.out + told.err
    assert load_calibration(tmp_path / "data") is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--felt", "300"], "expected width and depth such as 300x200, found '300'"),
        (["--corners", "1", "2", "3", "4"], "expected a position such as 120,80, found '1'"),
    ],
)
def test_what_cannot_be_read_is_told(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    with pytest.raises(SystemExit):
        main(["calibrate", *options])
    assert message in capsys.readouterr().err


def calibrated(folder: Path) -> str:
    settings = settings_in(folder)
    options = ["--felt", "260x160", "--die-edge", "16", "--corners", *CORNERS]
    assert main(["calibrate", "--config", settings, *options]) == 0
    return settings


def test_own_dice_are_corrected_and_too_few_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = calibrated(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO("k\n\n9=4\nx\n1=0\n\nk\n"))
    assert main(["calibrate", "--config", settings, "--own-dice"]) == 1
    told = capsys.readouterr().out
    assert "expected a confirmed throw, found none" in told
    assert "face 1    at " in told
    assert re.search(r"expected a face from 1 to \d, found 9", told)
    assert "expected an answer such as 2=5, found x" in told
    assert "1 throw is confirmed. 4 more are wanted." in told
    assert "expected 4 confirmed throws, found 1. Throw again." in told


def test_own_dice_are_learned_and_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = tray_camera()
    desk, eye, live = desk_at(camera, tmp_path)
    desk.save()
    answers = iter(["", "", "", "", "", "", "", "", "k"])

    def throw_and_answer(question: str) -> str:
        if question == ASK_THROW:
            camera.throw((1, 2, 3, 4, 5))
            eye.next_frame()
            while camera.is_moving:
                eye.next_frame()
        return next(answers)

    assert learn_dice(tmp_path, eye, live, throw_and_answer) == 0
    assert "saved     what 4 throws of your dice taught" in capsys.readouterr().out
    kept = load_calibration(tmp_path)
    assert kept is not None
    assert kept.table_model is not None
    for told in ("what the table learned is deleted", "none have been learned"):
        forget_dice(tmp_path)
        assert told in capsys.readouterr().out
    assert load_calibration(tmp_path) == replace(kept, table_model=None)


def test_throws_that_wait_are_forgotten_too(tmp_path: Path) -> None:
    (waiting := tmp_path / FILE).write_text("{}")
    forget_dice(tmp_path)
    assert not waiting.exists()


@pytest.mark.parametrize("answers", ["", "\nd\nq\n"])
def test_a_session_without_a_confirmed_throw_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: str
) -> None:
    settings = calibrated(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO(answers))
    assert main(["calibrate", "--config", settings, "--own-dice"]) == 1
    kept = load_calibration(tmp_path / "data")
    assert kept is not None
    assert kept.table_model is None


def test_own_dice_need_a_calibration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--config", settings_in(tmp_path), "--own-dice"]) == 2
    assert "expected a calibrated table, found none" in capsys.readouterr().err
