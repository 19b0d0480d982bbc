# SPDX-License-Identifier: MIT
"""`dicebell read`, from its arguments to its lines and its exit status."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.base.errors import InputError
from controller.cli import read
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.videos import write_h264
from vision.frame import Image
from vision.image_files import encode_jpeg

Read = Callable[..., tuple[int, list[dict[str, Any]], str]]

KEYS = ["file", "status", "reason", "elapsed_ms", "dice", "doubts"]
DIE_KEYS = ["face", "polarity", "colour", "center_px", "angle_deg", "confidence"]


@pytest.fixture(scope="module")
def tray() -> Image:
    """Five simulated dice that lie apart."""
    with SimulatedCamera(SteppedClock(), seed=0, size_wh=(640, 360)) as camera:
        return camera.frame(1.0).image_bgr


@pytest.fixture(scope="module")
def felt(tray: Image) -> Image:
    """Nothing but noise."""
    noise = np.random.default_rng(1).normal(70.0, 2.0, tray.shape)
    return np.clip(noise, 0, 255).astype(np.uint8)


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser(prog="dicebell")
    read.add_parser(parser.add_subparsers())
    return read.run(parser.parse_args(["read", *arguments]))


@pytest.fixture
def read_json(capfd: pytest.CaptureFixture[str]) -> Read:
    def call(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
        status = run("--json", *map(str, arguments))
        captured = capfd.readouterr()
        return status, [json.loads(line) for line in captured.out.splitlines()], captured.err

    return call


def write_video(path: Path, images: list[Image]) -> None:
    height, width = images[0].shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (width, height))
    for image in images:
        writer.write(image)
    writer.release()


def test_a_picture_is_one_object(tmp_path: Path, tray: Image, read_json: Read) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), tray)
    status, [row], error = read_json(path)
    assert (status, error) == (0, "")
    assert list(row) == KEYS
    assert (row["file"], row["status"], row["reason"]) == (str(path), "read", None)
    assert row["elapsed_ms"] > 0
    assert all(list(die) == DIE_KEYS for die in row["dice"])
    with SimulatedCamera(SteppedClock(), seed=0) as camera:
        truth = sorted(die.face for die in camera.truth() if die.face)
    assert sorted(die["face"] for die in row["dice"]) == truth
    assert len(truth) == 5


def test_another_count_than_expected_is_unsure(
    tmp_path: Path, tray: Image, read_json: Read
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), tray)
    status, [row], _ = read_json("--expect", "4", tmp_path / "a.png")
    assert (status, row["status"]) == (0, "unsure")
    assert row["reason"].startswith("count")


def test_sources_are_read_in_the_order_given_and_folders_by_name(
    tmp_path: Path, felt: Image, read_json: Read
) -> None:
    folder = tmp_path / "roll"
    folder.mkdir()
    for path in (folder / "2.jpg", folder / "1.jpg", tmp_path / "z.jpg", tmp_path / "a.jpg"):
        path.write_bytes(encode_jpeg(felt))
    _, rows, _ = read_json(tmp_path / "z.jpg", folder, tmp_path / "a.jpg")
    assert [Path(row["file"]).name for row in rows] == ["z.jpg", "1.jpg", "2.jpg", "a.jpg"]


def test_a_file_that_is_no_picture_fails_and_the_rest_is_read(
    tmp_path: Path, felt: Image, read_json: Read
) -> None:
    (tmp_path / "1.jpg").write_bytes(b"no picture")
    (tmp_path / "2.jpg").write_bytes(encode_jpeg(felt))
    status, rows, error = read_json(tmp_path)
    assert (status, error) == (2, "")
    assert [row["status"] for row in rows] == ["error", "empty"]
    assert list(rows[0]) == KEYS
    assert rows[0]["reason"].startswith("expected a picture, found ")
    assert rows[0]["dice"] == []


def test_a_missing_file_is_one_line_and_the_rest_is_read(
    tmp_path: Path, felt: Image, read_json: Read
) -> None:
    (tmp_path / "2.jpg").write_bytes(encode_jpeg(felt))
    status, rows, error = read_json(tmp_path / "1.jpg", tmp_path / "2.jpg")
    assert status == 2
    assert [row["status"] for row in rows] == ["error", "empty"]
    assert error == (
        f"dicebell read: {tmp_path / '1.jpg'}: "
        "expected a picture, a folder or a video, found no such file\n"
    )


def test_an_empty_folder_is_one_line(tmp_path: Path, read_json: Read) -> None:
    status, [row], error = read_json(tmp_path)
    expected = "expected a folder with pictures, found an empty folder"
    assert (status, row["status"], row["reason"]) == (2, "error", expected)
    assert error == f"dicebell read: {tmp_path}: {expected}\n"


def test_a_video_gives_an_object_for_every_rest(
    tmp_path: Path, tray: Image, felt: Image, read_json: Read
) -> None:
    path = tmp_path / "throw.avi"
    # All of the picture changes, as when a hand covers it; that is waited for a while.
    write_video(path, [felt] * 15 + [tray] * 75)
    status, rows, error = read_json(path)
    assert (status, error) == (0, "")
    assert [list(row) for row in rows] == [[*KEYS, "frames"]] * 2
    assert [row["frames"] for row in rows] == [[0, 14], [15, 89]]
    assert [row["status"] for row in rows] == ["empty", "read"]
    # They were not there before, and neither their flight nor a hand was seen.
    assert {die["origin"] for die in rows[1]["dice"]} == {"unseen"}
    assert list(rows[1]["dice"][0]) == [*DIE_KEYS, "origin"]


def test_a_video_that_ends_early_gives_its_rests_and_one_line(
    tmp_path: Path, tray: Image, read_json: Read
) -> None:
    path = tmp_path / "a.avi"
    write_video(path, [tray] * 40)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    status, [row, torn], error = read_json(path)
    assert status == 2
    assert (row["status"], torn["status"]) == ("read", "error")
    assert torn["reason"].startswith(("expected 40 frames, found ", "expected a whole frame "))
    assert error == f"dicebell read: {path}: {torn['reason']}\n"
    assert row["frames"][0] == 0


def test_a_video_without_a_rest_says_so(tmp_path: Path, tray: Image, read_json: Read) -> None:
    write_video(tmp_path / "a.avi", [tray, 255 - tray] * 10)
    status, [row], error = read_json(tmp_path / "a.avi")
    assert (status, row["status"], error) == (2, "error", "")
    assert (
        row["reason"]
        == "expected a rest, 3 still frames over 0.2 s, found none in 20 frames, 0.6 s"
    )


def test_rests_are_found_by_time_stamps(tmp_path: Path, tray: Image, read_json: Read) -> None:
    """Twelve still frames are a rest after 0.2 s, however many a second the file has on average."""
    times_ms = [*range(0, 396, 33), *range(5000, 5006)]
    images = [tray] * 12 + [255 - tray, tray] * 3
    write_h264(tmp_path / "a.mp4", images, times_ms=times_ms)
    status, [row], _ = read_json(tmp_path / "a.mp4")
    assert (status, row["status"], row["frames"]) == (0, "read", [0, 11])


def test_a_video_is_read_alike_after_another(tmp_path: Path, tray: Image, read_json: Read) -> None:
    """OpenCV 5 returns the other video's memory for an interlaced frame."""
    write_video(tmp_path / "a.avi", [tray] * 12)
    still = [np.full_like(tray, 90)] * 12
    write_h264(tmp_path / "b.mp4", still, times_ms=range(0, 396, 33), is_interlaced=True)
    _, [alone], _ = read_json(tmp_path / "b.mp4")
    _, [_, after], _ = read_json(tmp_path / "a.avi", tmp_path / "b.mp4")
    assert (alone["status"], alone["dice"]) == (after["status"], after["dice"]) == ("empty", [])


def test_a_torn_jpeg_with_an_end_mark_is_an_error(
    tmp_path: Path, tray: Image, read_json: Read
) -> None:
    data = encode_jpeg(tray)
    (tmp_path / "a.jpg").write_bytes(data[: len(data) * 6 // 10] + b"\xff\xd9")
    status, [row], error = read_json(tmp_path / "a.jpg")
    assert (status, row["status"], row["dice"], error) == (2, "error", [], "")
    assert row["reason"].startswith("expected a whole picture, found Corrupt JPEG data")


def test_a_file_that_is_no_video_is_an_error(tmp_path: Path, read_json: Read) -> None:
    (tmp_path / "a.mp4").write_bytes(b"no video")
    status, [row], error = read_json(tmp_path / "a.mp4")
    assert (status, row["status"], error) == (2, "error", "")


def test_a_camera_is_read_at_its_first_rest(read_json: Read) -> None:
    status, [row], error = read_json("camera:simulated")
    assert (status, error) == (0, "")
    assert list(row) == KEYS
    assert (row["file"], row["status"], len(row["dice"])) == ("camera:simulated", "read", 5)


def test_a_camera_watched_for_some_seconds_is_like_a_video(read_json: Read) -> None:
    status, [row], _ = read_json("camera:simulated", "--for", "1")
    assert status == 0
    assert row["frames"] == [0, 29]
    assert {die["origin"] for die in row["dice"]} == {"present"}


def test_an_unknown_camera_is_one_line_that_names_the_known_ones(read_json: Read) -> None:
    status, [row], error = read_json("camera:moon")
    assert (status, row["status"]) == (2, "error")
    assert error.startswith("dicebell read: camera:moon: expected camera:usb0, camera:pi0 or ")
    assert error.count("\n") == 1


def test_people_get_a_line_a_reading_and_a_line_a_die(
    tmp_path: Path, tray: Image, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), tray)
    assert run(str(tmp_path / "a.png")) == 0
    head, *dice = capsys.readouterr().out.splitlines()
    faces = sorted(line.split()[0] for line in dice)
    assert f"a.png: read {' '.join(faces)} (" in head
    assert len(dice) == 5


def test_seconds_without_a_camera_are_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--for: expected a camera among the sources"):
        run(str(tmp_path), "--for", "5")


def tray_map(path: Path, **changed: object) -> Path:
    """Write the map of a tray seen from straight above, 2 pixels a millimetre."""
    fields = {
        "picture_wh": [1280, 720],
        "felt_from_px": [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]],
        "focal_px": 1400.0,
        "felt_mm": [[0.0, 0.0], [640.0, 0.0], [640.0, 360.0], [0.0, 360.0]],
        "die_edge_mm": 16.0,
    }
    path.write_text(json.dumps({**fields, **changed}))
    return path


def test_a_picture_of_another_aspect_fails_and_the_rest_is_read(
    tmp_path: Path, felt: Image, read_json: Read
) -> None:
    """A tray map fits pictures of its own aspect only."""
    cv2.imwrite(str(tmp_path / "1.png"), felt[:, :350])
    cv2.imwrite(str(tmp_path / "2.png"), felt)
    write_video(tmp_path / "3.avi", [felt[:, :350]] * 12)
    options = ("--tray", tray_map(tmp_path / "tray.json"))
    status, rows, _ = read_json(
        *options, *(tmp_path / name for name in ("1.png", "2.png", "3.avi"))
    )
    assert (status, [row["status"] for row in rows]) == (2, ["error", "empty", "error"])
    expected = "expected a picture with the aspect of the tray map's, 1280 x 720, found 350 x 360"
    assert [row["reason"] for row in rows] == [expected, None, expected]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "expected a tray map, found No such file or directory"),
        (b"\xff\xfe", "expected a tray map, found no text"),
        (b"corners: 4", "tray map: expected JSON, found "),
        (b'{"focal_px": 3}', "in its fields, found ['focal_px']"),
    ],
)
def test_what_is_no_tray_map_is_refused(
    tmp_path: Path, content: bytes | None, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tray.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SystemExit) as raised:
        run("--tray", str(path), "a.png")
    assert raised.value.code == 2
    error = capsys.readouterr().err
    assert f"--tray: {path}: " in error
    assert complaint in error


def test_a_trace_folder_that_cannot_be_written_is_wrong_input(tmp_path: Path, tray: Image) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), tray)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="expected a folder that can be written"):
        run(str(tmp_path / "a.png"), "--trace", str(tmp_path / "file" / "trace"))


def test_a_trace_leaves_pictures_of_the_stages(
    tmp_path: Path, tray: Image, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), tray)
    assert run(str(tmp_path / "a.png"), "--trace", str(tmp_path / "trace")) == 0
    assert all(path.name.startswith("a.png-1-") for path in (tmp_path / "trace").iterdir())
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "arguments", [["--expect", "-1", "a"], ["--expect", "five", "a"], ["--for", "0", "a"], []]
)
def test_wrong_options_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        run(*arguments)
    assert raised.value.code == 2
    assert "dicebell read: error:" in capsys.readouterr().err
