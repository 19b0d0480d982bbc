# SPDX-License-Identifier: MIT
"""
Who may import whom: every import of the product is parsed and held against the floors.

The floors stand in `docs/architecture.md`; this test is the authority.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
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
    "segno": {"controller.qr_code"},
    "idna": {"controller.games.player_names"},
    "babel": {"controller.languages.catalogue"},
    "paho": {"controller.mqtt.broker_link"},
    "sqlalchemy": "controller.tournament",
    "alembic": "controller.tournament",
    "starlette": "webui.tournament",
    "uvicorn": "webui.tournament",
}
"""A library and the modules, or the one room, that may import it."""

PAGE_TYPES = {
    "controller.calibration.views",
    "controller.fairness.dice_names",
    "controller.fairness.face_test",
    "controller.fairness.hand_test",
    "controller.fairness.repeat_test",
    "controller.fairness.verdict",
    "controller.history.gate",
    "controller.history.statistics_views",
    "controller.history.views",
    "controller.maintenance.views",
    "controller.runtime.monitoring.health_status",
    "controller.runtime.devices.panel_views",
}
"""What pages show and ask for, as types; the controller makes it and the pages send it."""

VALUES = PAGE_TYPES | {
    "controller.csv_cells",
    "controller.moments",
    "controller.strict_json",
    "controller.games.dice",
    "controller.errors",
    "controller.languages.message",
    "controller.languages.recognition",
    "controller.languages.shown_text",
    "controller.table.devices",
    "controller.table.events",
    "controller.table.request_events",
    "controller.table.screen_events",
    "vision.face",
    "vision.frame",
    "vision.reading",
    "vision.params.reader",
    "vision.params.checks",
    "vision.params.table",
    "hardware.clock",
    "hardware.camera",
    "hardware.panel",
}
PURE_ROOMS = ("event", "duplicate", "draws", "standings", "register", "fold")
TOURNAMENT = tuple(f"controller.tournament.{room}" for room in PURE_ROOMS)
LOGIC_ROOMS = (
    *("controller.coach", "controller.games", "controller.records", "controller.table"),
    *TOURNAMENT,
)
LOGIC = {
    "controller.journal.hashchain",
    "controller.journal.merkle",
    "controller.journal.checkpoint",
    "controller.journal.wordlist",
    "controller.journal.picture_refs",
    "hardware.debounce",
}
DEVICE_ROOMS = (
    "controller.durable_files",
    "controller.journal",
    "controller.languages.catalogue",
    "controller.languages.codes",
    "controller.logs",
    "controller.qr_code",
    "controller.settings",
    "controller.speech",
    "hardware",
)
BRIDGES = {
    "controller.runtime.recent_pictures",
    "controller.runtime.picture_recorder",
    "controller.runtime.confirm_guard",
    "controller.runtime.die_origins",
    "controller.runtime.frame_events",
    "controller.runtime.event_loop",
    "controller.runtime.shown_table",
}
WEB_SEES = (
    "controller.table.view",
    "controller.table.events",
    "controller.table.request_events",
    "controller.table.screen_events",
    "controller.tournament",
)
WEB_SEES_TOO = {
    "controller.access.ports",
    "controller.access.rate_limit",
    "controller.access.refusal_log",
    "controller.analysis.skill_views",
    "controller.api.parts",
    "controller.access.tickets",
    "controller.calibration.own_dice",
    "controller.calibration.own_dice_page",
    "controller.calibration.page_data",
    "controller.errors",
    "controller.games.player_names",
    "controller.languages.catalogue",
    "controller.languages.codes",
    "controller.languages.message",
    "controller.logs",
    "controller.maintenance.service_page",
    "controller.moments",
    "controller.qr_code",
    "controller.replays.downloads",
    "controller.replays.parts",
    "controller.settings",
    "controller.strict_json",
    "controller.welcome.parts",
    "controller.speech",
}
"""What the pages call: values, and the parts that they show and drive."""

MOST_FILES = 12
LARGE_ROOMS = {
    "controller.calibration": 13,  # what a table reads by, and how it learns that
    "controller.cli": 30,  # one command a file
    "controller.doctor.checks": 14,  # one subject a file
    "controller.runtime": 13,  # one running table: its threads and what they pass on
    "controller.journal": 13,  # files of the journal and its pictures, and their readers
    "controller.table": 20,  # one machine: its parts have no subjects of their own
    "controller.table.view": 13,  # one part of a screen a file
    "webui": 13,  # pages for everybody, beside those of the service
    "vision": 17,  # the pipeline with its values and its files of pictures
    "vision.training": 18,
    "vision.training.scene_grounds": 13,
    "vision.training.scenes": 17,
}
"""Rooms with more files than others may have, and how many they have at most."""

FOR_EVERY_PACKAGE = {"controller.languages.message"}
"""What every package may import: a text for people is a message, wherever it is made."""

VALUE_LIBRARIES = {"numpy"}
DRAWING_ROOMS = ("hardware.simulated.scene",)
SCENES = tuple(f"vision.training.{room}" for room in ("scenes", "scene_dice", "scene_grounds"))
UPDATES = "controller.maintenance.updates"
DECODERS = ("vision.decoding", "vision.image_files")
"""What drivers of cameras import of vision too: every picture is decoded in one way."""

PICTURE_DRIVERS = {"hardware.cameras.usb", "hardware.cameras.pi"}


def is_within(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def floor_of(module: str) -> int:
    """Return 0 values, 1 logic, 2 devices and files, 3 bridges, 4 roots."""
    if module in VALUES or module in ("vision", "controller", "hardware"):
        return 0
    if is_within(module, "vision.training") or is_within(module, "controller.coach.training"):
        return 4
    if module in LOGIC or any(is_within(module, room) for room in LOGIC_ROOMS):
        return 1
    if is_within(module, "vision"):
        return 1
    if any(is_within(module, room) for room in DEVICE_ROOMS):
        return 2
    if module in BRIDGES:
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
READER = {module for module in VISION if not is_within(module, "vision.training")}


def told(refused: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return only the modules of which something is refused."""
    return {module: names for module, names in refused.items() if names}


def refused_across_packages(module: str) -> set[str]:
    """Return what a module imports of other packages though its floor does not let it."""
    package = module.split(".")[0]
    foreign = {name for name in OWN[module] if not is_within(name, package)}
    foreign -= FOR_EVERY_PACKAGE
    if package == "controller" and floor_of(module) >= 3:
        return set()
    if package == "hardware":
        is_driver = is_within(module, "hardware.cameras")
        decoders = {name for name in foreign if any(is_within(name, room) for room in DECODERS)}
        return foreign - {"vision.frame"} - (decoders if is_driver else set())
    if package == "controller" and floor_of(module) == 2:
        return foreign - {"hardware.camera", "hardware.clock"}
    if package == "webui":
        seen = {name for name in foreign if any(is_within(name, room) for room in WEB_SEES)}
        return foreign - seen - WEB_SEES_TOO - PAGE_TYPES
    return foreign


def room_of(module: str) -> str:
    """Return a module's room: a folder of a package, or the module itself beside the rooms."""
    return ".".join(module.split(".")[:2])


def rooms_needed() -> dict[str, set[str]]:
    """Return the rooms that each room imports from."""
    needed: dict[str, set[str]] = {room_of(module): set() for module in MODULES}
    for module, names in OWN.items():
        needed[room_of(module)] |= {room_of(name) for name in names} - {room_of(module)}
    return needed


def is_in(module: str, place: str | set[str]) -> bool:
    return is_within(module, place) if isinstance(place, str) else module in place


def may_touch_pictures(module: str) -> bool:
    draws = any(is_within(module, room) for room in DRAWING_ROOMS)
    is_root = floor_of(module) == 4 and not is_within(module, "webui")
    return draws or module in PICTURE_DRIVERS or module in VISION or is_root


def test_a_module_imports_only_from_its_own_floor_or_below() -> None:
    above = {
        module: {name for name in names if floor_of(name) > floor_of(module)}
        for module, names in OWN.items()
    }
    assert told(above) == {}


def test_a_package_is_entered_only_where_the_floors_allow() -> None:
    assert told({module: refused_across_packages(module) for module in MODULES}) == {}


def test_a_library_is_imported_in_its_one_place() -> None:
    elsewhere = {
        module: {name for name in names & set(ONE_PLACE) if not is_in(module, ONE_PLACE[name])}
        for module, names in LIBRARIES.items()
    }
    assert told(elsewhere) == {}


def test_pictures_are_touched_only_by_vision_and_camera_drivers() -> None:
    touching = {module for module, names in LIBRARIES.items() if "cv2" in names}
    assert {module for module in touching if not may_touch_pictures(module)} == set()


def test_values_need_nothing_but_the_standard_library_and_numpy() -> None:
    allowed = set(sys.stdlib_module_names) | VALUE_LIBRARIES
    assert told({module: LIBRARIES[module] - allowed for module in VALUES & set(MODULES)}) == {}


def test_the_simulated_tray_and_the_reader_share_no_code() -> None:
    simulator = {module for module in MODULES if is_within(module, "hardware.simulated")}
    assert told({module: OWN[module] & VISION - {"vision.frame"} for module in simulator}) == {}


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


def test_no_circles_between_rooms() -> None:
    needs = rooms_needed()
    above = {room: set(names) for room, names in needs.items()}
    # Whatever needs nothing that is left goes, until only circles and what needs them are left.
    while free := {room for room, names in above.items() if not names & set(above)}:
        above = {room: names for room, names in above.items() if room not in free}
    assert told({room: names & set(above) for room, names in above.items()}) == {}


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


def test_rooms_have_at_most_two_levels() -> None:
    folders = {path.parent.relative_to(ROOT) for path in MODULES.values()}
    assert {str(folder) for folder in folders if len(folder.parts) > 3} == set()


def test_rooms_have_at_most_about_twelve_files() -> None:
    files = Counter(
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in MODULES.values()
        if path.name != "__init__.py"
    )
    large = {room: count for room, count in files.items() if count > MOST_FILES}
    assert {room: n for room, n in large.items() if n > LARGE_ROOMS.get(room, 0)} == {}
    assert set(LARGE_ROOMS) <= set(large), "a room that is small again needs no exception"


def test_updates_import_only_stdlib_errors_and_the_clock() -> None:
    """The installer runs this room with the system's Python before any library is there."""
    room = {module for module in MODULES if is_within(module, UPDATES)}
    allowed = room | {"controller.errors", "hardware.clock"}
    assert room
    assert told({module: OWN[module] - allowed for module in room}) == {}
    assert told({module: LIBRARIES[module] - set(sys.stdlib_module_names) for module in room}) == {}


def test_the_reader_knows_no_game_no_player_and_no_clock() -> None:
    in_controller = {
        module: {name for name in OWN[module] if is_within(name, "controller")} - FOR_EVERY_PACKAGE
        for module in READER
    }
    assert told(in_controller) == {}


def test_nobody_imports_a_root() -> None:
    rooms = ("controller.cli", "vision.training")
    roots = {module for module in MODULES for room in rooms if is_within(module, room)}
    roots.add("controller.cli.main")
    below = {module: OWN[module] & roots for module in MODULES if floor_of(module) < 4}
    assert told(below) == {}


def test_a_file_says_what_it_is_for() -> None:
    assert {module for module, tree in TREES.items() if not ast.get_docstring(tree)} == set()
