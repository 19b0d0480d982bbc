# SPDX-License-Identifier: MIT
"""What a scenario needs: a machine that has booted, with a table that answers."""

from __future__ import annotations

import contextlib
import hashlib
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.machine.films import draw_films
from tests.machine.machine import SCREEN, Build, Machine
from tests.machine.table import Table

_GUEST = Path(__file__).parent / "guest"
_SHARE_MB = 64


@dataclass(frozen=True, slots=True)
class Stage:
    """
    The built machine, and what chance decides in this run.

    Attributes:
        cuts: How often the power is cut.
    """

    build: Build
    rng: random.Random
    cuts: int

    @contextlib.contextmanager
    def table(self) -> Iterator[Table]:
        """Give a table that has just come up, in its lobby, on a machine of its own."""
        saved = save_booted(self.build)
        with Machine(self.build) as machine:
            machine.resume(saved)
            with follow_table(self.build, machine) as table:
                yield table
                table.expect_no_restart()


@dataclass(frozen=True, slots=True)
class Scenario:
    """
    Something that happens at a table.

    Attributes:
        play: Plays it on a machine of its own; returns what it found, in a line.
        is_quick: Whether `QUICK=1` plays it too.
    """

    name: str
    play: Callable[[Stage], str]
    is_quick: bool = False


def make_share(build: Path) -> None:
    """Make the disk with the programs and films of the tests; keep it if nothing has changed."""
    share = build / "share"
    shutil.rmtree(share, ignore_errors=True)
    shutil.copytree(_GUEST, share, ignore=shutil.ignore_patterns("__pycache__"))
    draw_films(share / "films")
    digest = hashlib.sha256()
    for path in sorted(path for path in share.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(share)} ".encode() + path.read_bytes())
    made_from = build / "share.made-from"
    if not made_from.exists() or made_from.read_text() != digest.hexdigest():
        image = build / "share.img"
        image.unlink(missing_ok=True)
        make = ["mke2fs", "-q", "-F", "-t", "ext4", "-d", str(share), str(image), f"{_SHARE_MB}M"]
        subprocess.run(make, check=True, capture_output=True)
        made_from.write_text(digest.hexdigest())


@contextlib.contextmanager
def follow_table(build: Build, machine: Machine) -> Iterator[Table]:
    """Follow the table of a machine, once it has seen its tray at rest."""
    with Table(machine, build.folder / "share" / "films").followed() as table:
        with machine.timed("the table answers and sees its tray"):
            table.wait_for("it has no fault", lambda view: view["fault"] is None, longest_s=300)
            table.wait_until_watched()
        yield table


def save_booted(build: Build) -> Path:
    """Return the folder with a machine whose table sees its tray; boot one if there is none."""
    made_from = "".join(
        (build.folder / f"{layer}.made-from").read_text() for layer in ("disk", "share")
    )
    saved = build.folder / "booted"
    note = saved.with_suffix(".made-from")
    recipe = f"{made_from} {build.processor} {SCREEN}"
    if note.exists() and note.read_text() == recipe:
        return saved
    shutil.rmtree(saved, ignore_errors=True)
    with Machine(build) as machine:
        machine.boot()
        with follow_table(build, machine):
            pass
        machine.save(saved)
    note.write_text(recipe)
    return saved
