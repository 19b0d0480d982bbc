# SPDX-License-Identifier: MIT
"""
What strangers send or hand over: a target for each, with its seeds.

A target gets any bytes and returns a text that says how they were refused or accepted; the search
keeps bytes whose text is new. An exception is a find. Journals and backups are also changed below
their digests, since otherwise everything ends at the first one.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from controller.appliance.backup.archive import MANIFEST_NAME
from controller.appliance.backup.create import make_backup
from controller.base.errors import RefusedError
from controller.base.settings import Settings
from controller.base.settings.edit import change_settings
from controller.base.settings.render import render_settings
from controller.journal.hashchain import Entry, build_next_entry, encode_entry
from controller.journal.journal import JOURNAL_FILE
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.store import FILE as CALIBRATION_FILE
from controller.runtime.calibration.store import Calibration, load_calibration, save_calibration
from controller.table.journal_entries import restore_table
from controller.table.state import TableState
from tests.fuzz.commands import run_command
from tests.fuzz.mutations import mutate
from tests.support.chains import parse_entries
from tests.support.proven_game import proven_game
from tests.vision.drawn import draw_tray
from tests.vision.mapped import upright_map
from tests.vision.table_model.tables import fair_model
from vision.decoding.errors import PictureError
from vision.frame import Image
from vision.image_files import decode_picture, encode_jpeg
from vision.pipeline import Reader
from vision.table_model.model_text import encode_model

CORPUS = Path(__file__).parent / "corpus"
RECORDS = Path(__file__).parent.parent / "records"
NOW = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)


class FuzzTarget(Protocol):
    """One thing that strangers hand over."""

    def seeds(self) -> Sequence[bytes]:
        """Return sound examples, and those that once broke something."""
        ...

    def mutate(self, data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
        """Return a changed example."""
        ...

    def run(self, data: bytes) -> str:
        """Hand it over; return how that ended, or die."""
        ...


class FileTarget:
    """A target whose examples are files."""

    def __init__(
        self,
        name: str,
        make_seeds: Callable[[Path], Iterator[bytes]],
        run: Callable[[bytes, Path], str],
        mutate: Callable[[bytes, Sequence[bytes], random.Random], bytes] = mutate,
    ) -> None:
        self._name, self._make_seeds, self._run, self.mutate = name, make_seeds, run, mutate

    def seeds(self) -> Sequence[bytes]:
        kept = [path.read_bytes() for path in sorted((CORPUS / self._name).glob("*"))]
        with tempfile.TemporaryDirectory() as folder:
            return [*kept, *self._make_seeds(Path(folder))]

    def run(self, data: bytes) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return self._run(data, Path(folder))


def _run_journal(data: bytes, folder: Path) -> str:
    shutil.copytree(_played_folder(), folder, dirs_exist_ok=True)
    (folder / JOURNAL_FILE).write_bytes(data)
    output = folder / "output"
    # Reading the pictures takes most of the time, so it is done for one journal in eight.
    options = () if hashlib.sha256(data).digest()[0] < 32 else ("--no-reread",)
    ends = [run_command("verify", folder, *options)]
    ends += [run_command(name, folder, "--output", output) for name in ("report", "export")]
    entries, _ = parse_entries(data.split(b"\n"))
    try:
        restore_table(TableState(), [(entry.kind, entry.body) for entry in entries])
    except RefusedError as error:
        ends.append(error.expected)
    return "\n".join(ends)


@cache
def _played_folder() -> Path:
    """Return a folder with a game and its pictures, which stays until the process ends."""
    folder = Path(_KEPT.name)
    proven_game(folder, "choice", options={"jokers": True}, events=8, mischief=0.5)
    return folder


_KEPT = tempfile.TemporaryDirectory()


def _make_journals(folder: Path) -> Iterator[bytes]:
    yield (_played_folder() / JOURNAL_FILE).read_bytes()
    for game in ("black-n-white", "wuerfelspiel"):
        proven_game(folder / game, game, events=10, mischief=0.5)
        yield (folder / game / JOURNAL_FILE).read_bytes()


def _mutate_journal(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Change bytes, and half the time link the lines that are still entries again."""
    changed = mutate(data, others, chance)
    return changed if chance.random() < 0.3 else _relink(changed)


def _relink(data: bytes) -> bytes:
    lines: list[bytes] = []
    before: Entry | None = None
    for line in data.split(b"\n"):
        try:
            body = json.loads(line)
            kind, at_ms = str(body.pop("kind")), int(body.pop("at_ms"))
            rest = {key: value for key, value in body.items() if key not in ("seq", "prev", "link")}
            before = build_next_entry(before, at_ms=at_ms, kind=kind, body=rest)
            lines.append(encode_entry(before))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
            continue
    return b"".join(line + b"\n" for line in lines)


def _run_backup(data: bytes, folder: Path) -> str:
    (folder / "backup.zip").write_bytes(data)
    target = folder / "data"
    end = run_command("restore", folder / "backup.zip", "--data", target, "--data-only", "--force")
    if end.startswith("restore 0"):
        end += run_command("verify", target, "--no-reread")
    return end


def _make_backups(folder: Path) -> Iterator[bytes]:
    settings = folder / "dicebell.toml"
    settings.write_text(render_settings(Settings()))
    for name, events in (("small", 2), ("large", 6)):
        proven_game(folder / name, "choice", events=events)
        target = folder / f"{name}.zip"
        make_backup(folder / name, settings, target, now=NOW, with_pictures=True)
        yield target.read_bytes()


def _mutate_backup(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Change the archive's bytes, or one of its files with a manifest that fits."""
    if chance.random() < 0.4:
        return mutate(data, others, chance)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except Exception:
        return mutate(data, others, chance)
    name = chance.choice(sorted(files) or [MANIFEST_NAME])
    files[name] = mutate(files.get(name, b""), (), chance)
    if name != MANIFEST_NAME:
        files[MANIFEST_NAME] = _refit_manifest(files)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return packed.getvalue()


def _refit_manifest(files: Mapping[str, bytes]) -> bytes:
    try:
        manifest = json.loads(files[MANIFEST_NAME])
        for name, item in manifest["files"].items():
            item["sha256"] = hashlib.sha256(files[name]).hexdigest()
            item["size"] = len(files[name])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return files.get(MANIFEST_NAME, b"")
    return json.dumps(manifest).encode()


def _run_record(data: bytes, folder: Path) -> str:
    (folder / "game.jsonl").write_bytes(data)
    return run_command("replay", "--json", folder / "game.jsonl")


def _make_records(folder: Path) -> Iterator[bytes]:
    for path in sorted(RECORDS.glob("*.jsonl")):
        yield path.read_bytes()


def _run_settings(data: bytes, folder: Path) -> str:
    path = folder / "dicebell.toml"
    path.write_bytes(data)
    end = run_command("run", "--print-config", "--config", path)
    try:
        change_settings(path, {"camera.fps": 20, "web.port": 8081})
    except RefusedError as error:
        return f"{end} {error.expected}"
    return end


def _make_settings(folder: Path) -> Iterator[bytes]:
    yield render_settings(Settings()).encode()
    yield b'[camera]\nfps = 20\ndriver = "usb"\n[web]\nhost_names = "a.lan, b"\n[panel]\n'


def _run_calibration(data: bytes, folder: Path) -> str:
    (folder / CALIBRATION_FILE).write_bytes(data)
    try:
        calibration = load_calibration(folder)
    except RefusedError as error:
        return error.found
    active, picture = ActiveCalibration(calibration), _tray_picture()
    reading = active.read(picture, expect=5)
    active.is_tray_in_place(picture)
    return f"{reading.status} {len(reading.dice)} {len(reading.doubts)}"


def _make_calibrations(folder: Path) -> Iterator[bytes]:
    for model in (None, encode_model(fair_model())):
        made = Calibration(upright_map((640, 360)), None, 50.0, "2026-11-22", table_model=model)
        save_calibration(folder, made)
        yield (folder / CALIBRATION_FILE).read_bytes()


@cache
def _tray_picture() -> Image:
    return draw_tray()


@cache
def _reader() -> Reader:
    return Reader()


def _run_picture(data: bytes, folder: Path) -> str:
    try:
        image = decode_picture(data, folder / "a.jpg")
    except PictureError as error:
        return f"{error.expected} {error.found}"
    reading = _reader().read(image, expect=5)
    return f"{reading.status} {len(reading.dice)} {len(reading.doubts)}"


def _make_pictures(folder: Path) -> Iterator[bytes]:
    small = cv2.resize(draw_tray(), (160, 90))
    yield encode_jpeg(np.asarray(small, np.uint8))
    for ending in (".png", ".bmp", ".webp", ".tif"):
        yield bytes(cv2.imencode(ending, small)[1].tobytes())
    for width, height in ((1, 5000), (5000, 1), (1, 1)):
        yield bytes(cv2.imencode(".png", np.zeros((height, width, 3), np.uint8))[1].tobytes())


def _run_video(data: bytes, folder: Path) -> str:
    (folder / "a.avi").write_bytes(data)
    return run_command("read", "--json", folder / "a.avi")


def _make_videos(folder: Path) -> Iterator[bytes]:
    for size_wh in ((160, 90), (64, 64)):
        path = folder / f"{size_wh[0]}.avi"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, size_wh)
        for seed in range(3):
            writer.write(cv2.resize(draw_tray(noise_seed=seed), size_wh))
        writer.release()
        yield path.read_bytes()


FILE_TARGETS: Mapping[str, FuzzTarget] = {
    "journal": FileTarget("journal", _make_journals, _run_journal, _mutate_journal),
    "backup": FileTarget("backup", _make_backups, _run_backup, _mutate_backup),
    "record": FileTarget("record", _make_records, _run_record),
    "settings": FileTarget("settings", _make_settings, _run_settings),
    "calibration": FileTarget("calibration", _make_calibrations, _run_calibration),
    "picture": FileTarget("picture", _make_pictures, _run_picture),
    "video": FileTarget("video", _make_videos, _run_video),
}
"""The targets that are files, by name."""
