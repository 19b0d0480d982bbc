# SPDX-License-Identifier: MIT
"""
Who may import whom: every import of the product is parsed and held against the list of rooms.

The rooms are described in `docs/architecture.md`; this test is the authority.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("vision", "controller", "webui", "hardware")

ONE_PLACE: Mapping[str, str | set[str]] = {
    "picamera2": {"hardware.cameras.pi"},
    "libcamera": {"hardware.cameras.pi"},
    "av": "vision.decoding",
    "simplejpeg": {"vision.decoding.jpeg"},
    "gpiozero": {
        "hardware.gpio.pins",
        "hardware.gpio.panel",
        "hardware.gpio.light",
        "hardware.gpio.buzzer",
    },
    "flask": "webui",
    "waitress": "webui",
    "prometheus_client": {"controller.runtime.monitoring.metrics"},
    "cryptography": {"controller.journal.signing_key"},
    "segno": {"controller.base.qr_code"},
    "idna": {"controller.games.player_names"},
    "msgspec": {"controller.journal.entries", "webui.tournament.event_stream"},
    "babel": {"controller.base.languages.catalogue"},
    "paho": {"controller.integrations.mqtt.broker_link"},
    "sqlalchemy": "controller.tournament",
    "alembic": "controller.tournament",
    "rustworkx": {"controller.tournament.draws.swiss"},
    "starlette": "webui.tournament",
    "uvicorn": "webui.tournament",
    "uvloop": {"webui.tournament.server"},
}
"""A library and the modules, or the one room, that may import it."""

ROOMS = (
    "controller.cli",
    "webui",
    "controller.appliance",
    "controller.integrations",
    "controller.tournament",
    "controller.history",
    "controller.verify",
    "controller.runtime",
    "controller.table",
    "controller.coach",
    "controller.journal",
    "controller.games",
    "hardware",
    "vision",
    "controller.base",
)
"""The rooms, the highest first: each imports only from itself and from those below it."""

WITHOUT_DEVICES = {
    "controller.table": (
        *("controller.coach", "controller.games", "controller.journal.entries"),
        *("controller.journal.hashchain", "controller.journal.checkpoint"),
        "controller.base.settings.choices",
    ),
    "controller.coach": ("controller.games",),
    "controller.games": (),
    "controller.tournament.entries": (
        *("controller.games", "controller.journal.hashchain", "controller.journal.picture_refs"),
        "controller.journal.records.record",
    ),
    "controller.tournament.draws": (),
    "controller.tournament.standings": (
        *("controller.tournament.state", "controller.tournament.entries"),
        "controller.tournament.draws",
    ),
    "controller.tournament.state": (
        *("controller.tournament.entries", "controller.tournament.draws"),
        *("controller.tournament.standings", "controller.games", "controller.journal.hashchain"),
    ),
}
"""
Rooms that compute without files, clocks and threads, and what they may import of other rooms.

Errors and messages are everybody's.
"""

FOR_EVERYBODY = {
    "controller.base.errors",
    "controller.base.languages.message",
    "controller.base.languages.shown_text",
}
"""What every room may import: errors, and texts for people."""

DRAWING_ROOMS = ("hardware.simulated.scene",)
SCENES = tuple(f"vision.training.{room}" for room in ("scenes", "scene_dice", "scene_grounds"))
TRAINING = ("vision.training", "controller.coach.training")
UPDATES = "controller.appliance.updates"
DECODERS = ("vision.decoding", "vision.image_files")
"""What drivers of cameras import of vision too: every picture is decoded in one way."""

PICTURE_DRIVERS = {"hardware.cameras.usb", "hardware.cameras.pi"}

SMALL_LINES = 60
SMALL_BUT_APART = {
    "controller.cli.bench_reader.baseline": "another reader, not the measurement that compares it",
    "controller.cli.bench_reader.face_shift": "another subject than the summary that prints it",
    "controller.base.languages.recognition": "another subject than the catalogue that uses it",
    "controller.history.report.dice": "each part of a report that is computed has its file",
    "controller.journal.wordlist": "the words are data that a format fixes",
    "controller.coach.training.black_n_white": "every game that is trained has its file",
    "controller.coach.training.choice": "every game that is trained has its file",
    "hardware.simulated.scene.cards": "each thing in the picture has its file",
    "hardware.simulated.scene.hand": "each thing in the picture has its file",
    "webui.health": "each group of addresses has its file",
    "webui.moved_urls": "each group of addresses has its file",
    "webui.page_responses": "each group of addresses has its file",
    "webui.tournament.picture_routes": "each group of addresses has its file",
}
"""Modules of fewer lines that one neighbour imports, and why they have a file of their own."""


def is_within(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def room_of(module: str) -> str:
    """Return the room of the list that holds a module; `controller` itself is in none."""
    return next((room for room in ROOMS if is_within(module, room)), "")


def product_modules() -> dict[str, Path]:
    modules = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            modules[".".join(parts).removesuffix(".__init__")] = path
    return modules


MODULES = product_modules()
TREES = {module: ast.parse(path.read_text()) for module, path in MODULES.items()}


def imports_of(module: str) -> set[str]:
    """Return every module that is named in an import, names imported from a package too."""
    found: set[str] = set()
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            assert node.module is not None
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {member if member in MODULES else node.module for member in members}
    return found


IMPORTS = {module: imports_of(module) for module in MODULES}
OWN = {
    module: {name for name in names if name.split(".")[0] in PACKAGES}
    for module, names in IMPORTS.items()
}
LIBRARIES = {
    module: {name.split(".")[0] for name in names - OWN[module]}
    for module, names in IMPORTS.items()
}
VISION = {module for module in MODULES if is_within(module, "vision")}


def told(refused: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return only the modules of which something is refused."""
    return {module: names for module, names in refused.items() if names}


def is_in(module: str, place: str | set[str]) -> bool:
    return is_within(module, place) if isinstance(place, str) else module in place


def may_touch_pictures(module: str) -> bool:
    draws = any(is_within(module, room) for room in DRAWING_ROOMS)
    above = ROOMS[: ROOMS.index("controller.table")]
    is_above = room_of(module) in above and not is_within(module, "webui")
    return draws or module in PICTURE_DRIVERS or module in VISION or is_above


def test_a_room_imports_only_from_rooms_below_it() -> None:
    above = {
        module: {name for name in names if room_of(name) in ROOMS[: ROOMS.index(room_of(module))]}
        for module, names in OWN.items()
        if room_of(module)
    }
    assert told(above) == {}


def test_every_module_is_in_a_room() -> None:
    assert {module for module in MODULES if not room_of(module)} == {"controller"}


def test_pure_rooms_import_only_what_computes() -> None:
    elsewhere = {
        module: {
            name
            for name in OWN[module] - FOR_EVERYBODY
            if not any(is_within(name, other) for other in (room, *allowed))
        }
        for room, allowed in WITHOUT_DEVICES.items()
        for module in MODULES
        if is_within(module, room) and not is_within(module, "controller.coach.training")
    }
    assert told(elsewhere) == {}


def test_the_camera_and_the_reader_know_nothing_of_the_table() -> None:
    foreign = {
        module: {name for name in OWN[module] if is_within(name, "controller")} - FOR_EVERYBODY
        for module in MODULES
        if is_within(module, "vision") or is_within(module, "hardware")
    }
    assert told(foreign) == {}


def test_a_library_is_imported_in_its_one_place() -> None:
    elsewhere = {
        module: {name for name in names & set(ONE_PLACE) if not is_in(module, ONE_PLACE[name])}
        for module, names in LIBRARIES.items()
    }
    assert told(elsewhere) == {}


def test_pictures_are_touched_only_by_vision_and_camera_drivers() -> None:
    touching = {module for module, names in LIBRARIES.items() if "cv2" in names}
    assert {module for module in touching if not may_touch_pictures(module)} == set()


def test_the_simulated_tray_and_the_reader_share_no_code() -> None:
    simulator = {module for module in MODULES if is_within(module, "hardware.simulated")}
    assert told({module: OWN[module] & VISION - {"vision.frame"} for module in simulator}) == {}


def test_hardware_knows_frames_and_its_cameras_the_decoders() -> None:
    foreign = {
        module: {
            name
            for name in OWN[module] & VISION - {"vision.frame"}
            if not is_within(module, "hardware.cameras")
            or not any(is_within(name, room) for room in DECODERS)
        }
        for module in MODULES
        if is_within(module, "hardware")
    }
    assert told(foreign) == {}


def test_vision_never_imports_hardware() -> None:
    in_hardware = {
        module: {name for name in OWN[module] if is_within(name, "hardware")} for module in VISION
    }
    assert told(in_hardware) == {}


def test_the_scenes_know_nothing_of_the_reader() -> None:
    """A reader that is examined on scenes drawn with its own code would be testing itself."""
    scenes = {module for module in MODULES for room in SCENES if is_within(module, room)}
    allowed = scenes | {"vision.frame"}
    assert scenes
    assert told({module: OWN[module] - allowed for module in scenes}) == {}


def test_only_the_command_line_imports_the_pages() -> None:
    importers = {
        module for module, names in OWN.items() if any(is_within(n, "webui") for n in names)
    }
    allowed = ("webui", "controller.cli")
    assert {m for m in importers if not any(is_within(m, room) for room in allowed)} == set()


def test_a_game_is_named_only_in_its_room_and_the_registry() -> None:
    """
    So a new game touches its room and one line; `test_fifth_game.py` plays one.

    The coach of a game has a room of its own, and has to know its rules.
    """
    registry, *rooms = "controller.games", "choice", "black_n_white", "wuerfelspiel"
    for room in (f"{registry}.{name}" for name in rooms):
        named = {
            module: {name for name in OWN[module] if is_within(name, room)}
            for module in MODULES
            if module != registry
            and not is_within(module, room)
            and not is_within(module, room.replace("games", "coach"))
            and not is_within(module, "controller.coach.training")
        }
        assert told(named) == {}


def test_updates_import_only_stdlib_errors_and_the_clock() -> None:
    """The installer runs this room with the system's Python before any library is there."""
    room = {module for module in MODULES if is_within(module, UPDATES)}
    allowed = room | {"controller.base.errors", "hardware.clock"}
    assert room
    assert told({module: OWN[module] - allowed for module in room}) == {}
    assert told({module: LIBRARIES[module] - set(sys.stdlib_module_names) for module in room}) == {}


def test_training_is_imported_only_by_the_command_line() -> None:
    """An installed table has neither the scenes nor what trains the nets."""
    training = {m for m in MODULES for room in TRAINING if is_within(m, room)}
    users = ("controller.cli", *TRAINING)
    others = {m for m in MODULES if not any(is_within(m, room) for room in users)}
    assert training
    assert told({module: OWN[module] & training for module in others}) == {}


def test_a_file_says_what_it_is_for() -> None:
    assert {module for module, tree in TREES.items() if not ast.get_docstring(tree)} == set()


def test_a_small_module_is_part_of_the_one_that_uses_it() -> None:
    """A file of a few lines that only its neighbour imports makes a reader open two files."""
    importers: dict[str, set[str]] = {module: set() for module in MODULES}
    for importer, names in OWN.items():
        for name in names & MODULES.keys():
            importers[name].add(importer)
    alone = {
        module
        for module, users in importers.items()
        if len(MODULES[module].read_text().splitlines()) < SMALL_LINES
        and [MODULES[user].parent for user in users] == [MODULES[module].parent]
    }
    assert alone - SMALL_BUT_APART.keys() == set()
