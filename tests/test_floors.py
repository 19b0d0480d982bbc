# SPDX-License-Identifier: MIT
"""
Who may import whom: every import of the product is parsed and held against the floors.

The floors stand in `docs/architecture.md`; this test is the authority.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("vision", "controller", "webui", "hardware")

ONE_PLACE = {
    "picamera2": {"hardware.pi_camera"},
    "libcamera": {"hardware.pi_camera"},
    "gpiozero": {
        "hardware.gpio_pins",
        "hardware.gpio_panel",
        "hardware.light",
        "hardware.buzzer",
    },
    "flask": "webui",
    "waitress": "webui",
    "prometheus_client": {"controller.app.health.metrics"},
    "cryptography": {"controller.proof.key"},
    "segno": {"webui.code"},
}
"""A library and the modules, or the one room, that may import it."""

VALUES = {
    "controller.dice",
    "controller.errors",
    "controller.table.events",
    "controller.table.effects",
    "vision.frame",
    "vision.reading",
    "vision.params",
    "vision.doubts.params",
    "vision.geometry.params",
    "hardware.clock",
    "hardware.camera",
    "hardware.panel",
}
LOGIC_ROOMS = ("controller.games", "controller.records", "controller.table")
LOGIC = {
    "controller.proof.hashchain",
    "controller.proof.tree",
    "controller.proof.checkpoint",
    "controller.proof.words",
    "controller.proof.named",
    "hardware.debounce",
}
DEVICE_ROOMS = ("controller.proof", "controller.settings", "hardware")
BRIDGES = {
    "controller.app.evidence",
    "controller.app.evidence.shelf",
    "controller.app.evidence.taking",
    "controller.app.follow",
    "controller.app.watch",
    "controller.app.loop",
}
WEB_SEES = ("controller.table.view", "controller.table.events")
WEB_SEES_TOO = {"controller.errors", "controller.settings"}

VALUE_LIBRARIES = {"numpy"}
DRAWING_ROOMS = ("hardware.simulated.scene", "hardware.simulated.studio")
PICTURE_DRIVERS = {"hardware.usb_camera", "hardware.file_camera", "hardware.pi_camera"}


def is_within(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def floor_of(module: str) -> int:
    """Return 0 values, 1 logic, 2 devices and files, 3 bridges, 4 roots."""
    if module in VALUES or module in ("vision", "controller", "hardware"):
        return 0
    if is_within(module, "vision.training"):
        return 4
    if module in LOGIC or any(is_within(module, room) for room in LOGIC_ROOMS):
        return 1
    if is_within(module, "vision"):
        return 1
    if any(is_within(module, room) for room in DEVICE_ROOMS):
        return 2
    if module in BRIDGES or is_within(module, "webui"):
        return 3
    return 4


def product_modules() -> dict[str, Path]:
    modules = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            modules[".".join(parts).removesuffix(".__init__")] = path
    return modules


MODULES = product_modules()


def imports_of(path: Path) -> set[str]:
    """Return every module that a file names in an import, names imported from a package too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {member if member in MODULES else node.module for member in members}
    return found


def own(module: str) -> set[str]:
    return {name for name in imports_of(MODULES[module]) if name.split(".")[0] in PACKAGES}


def libraries(module: str) -> set[str]:
    names = {name.split(".")[0] for name in imports_of(MODULES[module])}
    return {name for name in names if name not in PACKAGES}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_from_its_own_floor_or_below(module: str) -> None:
    above = {name for name in own(module) if floor_of(name) > floor_of(module)}
    assert above == set()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_package_is_entered_only_where_the_floors_allow(module: str) -> None:
    package = module.split(".")[0]
    foreign = {name for name in own(module) if not is_within(name, package)}
    if floor_of(module) == 4 or (floor_of(module) == 3 and package == "controller"):
        return
    if package == "webui":
        allowed = {
            name
            for name in foreign
            if name in WEB_SEES_TOO or any(is_within(name, room) for room in WEB_SEES)
        }
    elif package == "hardware":
        allowed = {name for name in foreign if name == "vision.frame"}
    else:
        allowed = set()
    assert foreign - allowed == set()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_library_is_imported_in_its_one_place(module: str) -> None:
    for library, place in ONE_PLACE.items():
        if library in libraries(module):
            assert is_within(module, place) if isinstance(place, str) else module in place


@pytest.mark.parametrize("module", sorted(MODULES))
def test_pictures_are_touched_only_by_vision_and_by_drivers_that_own_one(module: str) -> None:
    if "cv2" in libraries(module):
        drives = any(is_within(module, room) for room in DRAWING_ROOMS)
        drives = drives or module in PICTURE_DRIVERS
        assert drives or is_within(module, "vision") or floor_of(module) == 4


@pytest.mark.parametrize("module", sorted(VALUES & set(MODULES)))
def test_values_need_nothing_but_the_standard_library_and_numpy(module: str) -> None:
    assert libraries(module) - set(sys.stdlib_module_names) <= VALUE_LIBRARIES


def test_the_simulator_and_the_reader_share_no_code() -> None:
    for module in MODULES:
        if is_within(module, "hardware.simulated"):
            assert own(module) & {m for m in MODULES if is_within(m, "vision")} <= {"vision.frame"}
        # The school is where the two meet, and nothing that reads imports it.
        if is_within(module, "vision") and not is_within(module, "vision.training"):
            assert not any(is_within(name, "hardware") for name in own(module))


def test_the_reader_knows_no_game_no_player_and_no_clock() -> None:
    for module in MODULES:
        if is_within(module, "vision") and not is_within(module, "vision.training"):
            assert not any(is_within(name, "controller") for name in own(module))


def test_nobody_imports_a_root() -> None:
    rooms = ("controller.app.commands", "vision.training")
    roots = {m for m in MODULES for room in rooms if is_within(m, room)}
    for module in MODULES:
        if floor_of(module) < 4:
            assert own(module) & (roots | {"controller.app.main"}) == set()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_file_stays_a_room_and_says_what_it_is_for(module: str) -> None:
    text = MODULES[module].read_text()
    assert len(text.splitlines()) <= 400
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "no docstring at its head"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length <= 50, f"{node.name} has {length} lines"
