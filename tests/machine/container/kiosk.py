# SPDX-License-Identifier: MIT
"""
Log in as on a desktop, and compare what the kiosk's screen shows with the table's own picture.

It runs in a container that its own systemd manages, with the program's Python. A user's Wayland
desktop starts the kiosk by its own autostart. Then the browser is killed, and the kiosk comes back
by itself. Exit status: 0 and a line with what was seen, or 1.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import traceback
import urllib.request
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Image
from vision.image_files import decode_picture, load_picture
from vision.pyramid import halve, to_grey

_URL = "http://127.0.0.1:8081"
_KEY = Path("/run/dicebell/kiosk.key")
# The film of a throw, played in a loop: it is thrown again each time.
_SETTINGS = """[camera]
driver = "file"
path = "/srv/throw.avi"

[panel]
driver = "none"

[data]
folder = "/var/lib/dicebell"
"""
_RUNTIME = "/run/user/1000"
_SESSION = {
    "XDG_RUNTIME_DIR": _RUNTIME,
    "DBUS_SESSION_BUS_ADDRESS": f"unix:path={_RUNTIME}/bus",
    "XDG_SESSION_TYPE": "wayland",
    "WLR_BACKENDS": "headless",
    "WLR_RENDERER": "pixman",
    "WAYLAND_DISPLAY": "wayland-0",
}
_SCREEN = Path("/root/screen.png")
_ALIKE = 0.9  # What another picture gives stays below half of it.
_WIDTHS_PX = range(120, 320, 2)
_LONGEST_S = 300


def show_kiosk() -> str:
    start_table()
    run("systemctl", "start", "user@1000.service")
    silent = subprocess.DEVNULL
    desktop = subprocess.Popen(as_user("labwc"), stdout=silent, stderr=silent)
    try:
        begun_s = time.monotonic()
        wait_until("the page gives a sign", lambda: ask("/heartbeat") != b"never\n")
        told_s = time.monotonic() - begun_s
        lobby = compare_screen()
        start_game()
        wait_until("the screen shows the tray", lambda: compare_screen() >= _ALIKE)
        run("pkill", "--signal", "KILL", "--uid", "pi", "chromium")
        wait_until("the screen is empty", lambda: compare_screen() < _ALIKE / 2)
        wait_until("the screen shows the tray again", lambda: compare_screen() >= _ALIKE)
    finally:
        desktop.terminate()
        desktop.wait()
    show = "systemctl", "--user", "show", "--property=NRestarts", "--value", "dicebell-kiosk"
    assert run(*as_user(*show)).strip() == "1"
    return (
        f"{told_s:.1f} s after the login the page lives; the table's picture of its tray is on the"
        f" screen of a game, and again after the browser was killed (lobby: alike by {lobby:.2f})"
    )


def as_user(*command: str) -> list[str]:
    settings = (f"{name}={value}" for name, value in _SESSION.items())
    return ["runuser", "-u", "pi", "--", "env", *settings, *command]


def compare_screen() -> float:
    """Return how like the table's picture of its tray some place on the screen is."""
    run(*as_user("grim", f"{_RUNTIME}/screen.png"))
    _SCREEN.write_bytes(Path(f"{_RUNTIME}/screen.png").read_bytes())
    tray = decode_picture(ask("/tray.jpg"), Path("tray.jpg"))
    return find_picture(load_picture(_SCREEN), tray)


def find_picture(screen: Image, picture: Image) -> float:
    """Return how much a place on a screen is like a picture in its best size, 1 if it is equal."""
    height, width = picture.shape[:2]
    screen, picture = halve(to_grey(screen)), to_grey(picture)
    found = 0.0
    for wide in _WIDTHS_PX:
        small = cv2.resize(picture, (wide, round(wide * height / width)))
        like = cv2.matchTemplate(screen, small, cv2.TM_CCOEFF_NORMED)
        # An even place is like nothing.
        found = max(found, float(np.nan_to_num(like, posinf=0.0).max()))
    return found


def start_table() -> None:
    """Start the table, and return when it answers."""
    Path("/etc/dicebell/dicebell.toml").write_text(_SETTINGS)
    run("systemctl", "start", "dicebell.service")


def run(*command: str) -> str:
    """Run a command and return what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = f"{' '.join(command)}: {done.returncode} {done.stdout}{done.stderr}"
    assert done.returncode == 0, found
    return done.stdout


def ask(path: str, command: dict[str, object] | None = None) -> bytes:
    """Return what the table answers to its own screen."""
    headers = {"Cookie": f"dicebell-box={_KEY.read_text().strip()}"}
    data = None
    if command is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(command).encode()
    request = urllib.request.Request(f"{_URL}{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        # Events have no end; the first one has the whole view.
        is_stream = path == "/events"
        content: bytes = next(filter(_is_data, answer)) if is_stream else answer.read()
    return content


def _is_data(line: bytes) -> bool:
    return line.startswith(b"data:")


def start_game() -> None:
    question = json.loads(ask("/events").removeprefix(b"data:"))["question"]
    start = {"do": "start", "game": "wuerfelspiel", "players": ["Ada", "Ben"], "options": {}}
    ask("/command", {"about": question, **start})


def wait_until(what: str, holds: Callable[[], bool]) -> None:
    end_s = time.monotonic() + _LONGEST_S
    while not holds():
        assert time.monotonic() < end_s, f"expected that {what}"
        time.sleep(0.5)


def main() -> int:
    """Print what was seen, or how it failed; return the exit status."""
    try:
        print(show_kiosk())  # noqa: T201
    except Exception:
        subprocess.run(["journalctl", "--no-pager", "--lines=60"], check=False)
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
