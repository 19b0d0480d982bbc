# SPDX-License-Identifier: MIT
"""
Runs inside a root in which `install.sh` has run: the service's command, as systemd runs it.

It is started by its account with a service manager's socket, says that it is ready and
lives, takes a game, ends in good order, and goes on where it stood. Then everything is
backed up while the table runs, damaged, and put back.
"""

from __future__ import annotations

import atexit
import configparser
import contextlib
import http.client
import json
import os
import pwd
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

UNIT = Path("/etc/systemd/system/dicebell.service")
SETTINGS = Path("/etc/dicebell/dicebell.toml")
DATA = Path("/var/lib/dicebell")
RUNTIME = Path("/run/dicebell")
BACKUP = Path("/root/backup.zip")
PORT = 8081
WATCHDOG_S = 3.0

LONGEST_S = 900.0
"""How long anything may take; an emulated processor on a busy machine is slow."""


def tell(line: str) -> None:
    sys.stdout.write(f"     {line}\n")
    sys.stdout.flush()


def unit() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT)
    return parser["Service"]


class Service:
    """The service's command, and what it tells its manager."""

    def __init__(self) -> None:
        section = unit()
        account = pwd.getpwnam(section["User"])
        RUNTIME.mkdir(exist_ok=True)
        os.chown(RUNTIME, account.pw_uid, account.pw_gid)
        address = RUNTIME / "notify"
        address.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(address))
        os.chown(address, account.pw_uid, account.pw_gid)
        self._socket.settimeout(LONGEST_S)
        variables = dict(pair.split("=", 1) for pair in section["Environment"].split())
        variables |= {"NOTIFY_SOCKET": str(address), "PATH": os.environ["PATH"]}
        variables |= {"RUNTIME_DIRECTORY": str(RUNTIME)}
        variables |= {"WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6))}
        began_s = time.monotonic()
        self._process = subprocess.Popen(
            shlex.split(section["ExecStart"]),
            user=account.pw_name,
            group=account.pw_name,
            extra_groups=os.getgrouplist(account.pw_name, account.pw_gid),
            cwd=section["WorkingDirectory"],
            umask=int(section["UMask"], 8),
            env=variables,
        )
        atexit.register(self._process.kill)  # It must not stay behind a check that fails.
        self.hear("READY=1")
        tell(f"ready after {time.monotonic() - began_s:.1f} s, as {account.pw_name}")

    def hear(self, line: str) -> None:
        while line not in self._socket.recv(4096).decode().split("\n"):
            pass

    def stop(self) -> None:
        began_s = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        self.hear("STOPPING=1")
        status = self._process.wait(LONGEST_S)
        assert status == 0, f"exit status {status}"
        self._socket.close()
        tell(f"stopped after {time.monotonic() - began_s:.1f} s with exit status 0")


def own_screen() -> dict[str, str]:
    """Return the headers that make a request one of the box's own screen."""
    key = (RUNTIME / "kiosk.key").read_text().strip()
    return {"Content-Type": "application/json", "Cookie": f"dicebell-box={key}"}


def get(path: str) -> tuple[int, bytes]:
    line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=LONGEST_S)
    line.request("GET", path, headers=own_screen())
    answer = line.getresponse()
    return answer.status, answer.read()


def views() -> Generator[dict[str, Any], None, None]:
    """Yield the view that a screen gets when it connects, then every change of it."""
    line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=LONGEST_S)
    line.request("GET", "/events", headers=own_screen())
    with contextlib.closing(line):
        for text in line.getresponse():
            if text.startswith(b"data:"):
                yield json.loads(text.removeprefix(b"data:"))


def view() -> dict[str, Any]:
    with contextlib.closing(views()) as found:
        return next(found)


def post(command: dict[str, object]) -> None:
    line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=LONGEST_S)
    line.request("POST", "/command", json.dumps(command), own_screen())
    answer = line.getresponse()
    assert answer.status == 200, answer.read()


def settled() -> dict[str, Any]:
    """Return what a new start must show again."""
    shown = view()
    return {key: shown[key] for key in ("game", "players", "progress")}


@contextlib.contextmanager
def simulated_camera() -> Generator[None, None, None]:
    """Without a camera the table soon has a fault, and then no game can be started."""
    found = SETTINGS.read_text()
    chosen = re.sub(r'(?m)^(\[camera\]\n(?:.*\n)*?driver = )"\w+"', r'\1"simulated"', found)
    assert chosen != found, f"no camera's driver in {SETTINGS}"
    SETTINGS.write_text(chosen)
    yield
    SETTINGS.write_text(found)


def play() -> None:
    """Let the account play a game through camera, reading and journal."""
    account = unit()["User"]
    # One chip each makes a short game: an emulated processor draws and reads slowly.
    game = "--game black-n-white --option chips_per_player=1 --seed 3"
    demo = f"dicebell demo --no-web --autoplay 1 {game} --data {DATA}"
    subprocess.run(["runuser", "-u", account, "--", *shlex.split(demo)], check=True, cwd=DATA)


def dicebell(*words: str, status: int = 0) -> None:
    done = subprocess.run(["dicebell", *words], check=False)
    assert done.returncode == status, f"dicebell {' '.join(words)}: {done.returncode}"


def served() -> None:
    service = Service()
    status, health = get("/healthz")
    assert status == 200, health
    tell(f"/healthz: {health.decode().strip()[:200]}")
    assert b"<title>dicebell" in get("/")[1]
    post({"do": "close", "about": view()["question"]})
    start: dict[str, object] = {"do": "start", "game": "choice", "players": ["Eva", "Finn"]}
    post({**start, "options": {}, "about": view()["question"]})
    wait_for_game()
    before = settled()
    assert [player["name"] for player in before["players"]] == ["Eva", "Finn"]
    service.hear("WATCHDOG=1")
    tell("it says that it lives")
    service.stop()

    service = Service()
    assert settled() == before
    tell("started again, the game of Eva and Finn goes on")
    BACKUP.unlink(missing_ok=True)  # of an earlier run in a root that was kept
    dicebell("backup", str(BACKUP))
    dicebell("restore", str(BACKUP), "--force", status=2)
    tell("putting back is refused while the table runs")
    service.stop()

    pictures = sorted((DATA / "pictures").rglob("*.jpg"))
    (DATA / "journal.jsonl").write_bytes(b"no journal any more\n")
    pictures[0].unlink()
    dicebell("restore", str(BACKUP), "--force")
    assert pictures[0].exists()
    service = Service()
    assert settled() == before
    tell("damaged and put back, the game of Eva and Finn goes on")
    service.stop()


def wait_for_game() -> None:
    with contextlib.closing(views()) as found:
        assert any(shown["game"] for shown in found), "no game began"


if __name__ == "__main__":
    play()
    with simulated_camera():
        served()
