# SPDX-License-Identifier: MIT
"""Going from one version to another, and back at once where the new one does not come up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from controller.errors import InputError
from controller.maintenance.updates.build import build, probe
from controller.maintenance.updates.subprocesses import Commands
from controller.maintenance.updates.systemd_service import Service
from controller.maintenance.updates.versions import Shelf

Tell = Callable[[str], None]


def made_and_tried(shelf: Shelf, source: Path, config: Path, commands: Commands) -> Path:
    """
    Make a version that can be used, and return its folder.

    Raises:
        InputError: It could not be made, or does not work here; nothing has changed.
        OSError: The disk refuses.
    """
    shelf.prune()
    release = build(shelf, source, commands)
    try:
        probe(release, config, commands)
    except InputError:
        shelf.prune()
        raise
    return release


def use(shelf: Shelf, release: Path, service: Service, tell: Tell) -> bool:
    """
    Use a version from now on; return whether it stays in use.

    Where the table does not come up with it, the one before is used again. Where no manager
    runs, nothing is started, and the version stays.

    Raises:
        OSError: The links cannot be written.
    """
    before, older = shelf.current(), shelf.previous()
    shelf.switch(release)
    if not service.is_managed():
        tell("No service manager runs here: the table was not started.")
    elif not service.comes_up():
        tell("The table does not come up; see: journalctl -u dicebell -n 50")
        if before is None:
            tell("There is no version before to go back to.")
            return False
        shelf.put_back(before, older)
        again = "is in use again" if service.comes_up() else "is in use again, and stays down too"
        tell(f"The version before {again}.")
    shelf.prune()
    return shelf.current() == release
