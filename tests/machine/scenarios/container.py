# SPDX-License-Identifier: MIT
"""
What needs no simulated devices is played in a container, at the full speed of this machine.

Its root is a copy of the virtual machine's, managed by its own systemd: the same units, with the
same confinement. A user's desktop has no screen there, but draws as for one.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2

from tests.machine.films import FPS, SIZE_WH
from tests.machine.stage import Scenario, Stage
from vision.image_files import load_picture

_TESTS = Path(__file__).parents[2]
_BOOT = _TESTS / "appliance" / "boot.sh"
# What the virtual machine's Debian has for simulated devices alone.
_FURNITURE = (
    "etc/systemd/system/dicebell.service.d",
    "etc/systemd/user/dicebell-kiosk.service.d",
)


def show_kiosk(stage: Stage) -> str:
    """Play the script in the folder `container`; keep what the screen showed last."""
    with make_root(stage) as root:
        script = "/opt/dicebell/current/bin/python -B /srv/kiosk.py"
        boot = [str(_BOOT), str(root), script]
        done = subprocess.run(boot, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        screen = root / "root" / "screen.png"
        if screen.exists():
            shutil.copy(screen, stage.build.folder)
        return done.stdout.splitlines()[-1]


@contextlib.contextmanager
def make_root(stage: Stage) -> Iterator[Path]:
    """Give a root that may be changed, with the script and the film of a throw."""
    folder = Path(tempfile.mkdtemp(prefix="container-", dir=stage.build.folder))
    upper, work, root = (folder / name for name in ("upper", "work", "root"))
    for path in (upper, work, root):
        path.mkdir()
    layers = f"lowerdir={stage.build.folder / 'root'},upperdir={upper},workdir={work}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, str(root)], check=True)
    try:
        (root / "etc/fstab").write_text("")
        for place in _FURNITURE:
            shutil.rmtree(root / place)
        shutil.copy(_TESTS / "machine/container/kiosk.py", root / "srv")
        write_film(stage.build.folder / "share/films/first", root / "srv/throw.avi")
        yield root
    finally:
        subprocess.run(["umount", "--lazy", str(root)], check=True)
        shutil.rmtree(folder)


def write_film(pictures: Path, path: Path) -> None:
    """Write a film that a table can play as a recording."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE_WH)
    for picture in sorted(pictures.iterdir()):
        writer.write(load_picture(picture))
    writer.release()


SCENARIOS = (Scenario("the kiosk shows the table", show_kiosk, is_quick=True),)
