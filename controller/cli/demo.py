# SPDX-License-Identifier: MIT
"""
`dicebell demo`: the whole table without any hardware.

Only the tray and the buttons are simulated. Reading, table, journal and kiosk are the same as on
the appliance.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import secrets
import tempfile
import time
from pathlib import Path

from controller.base.errors import InputError
from controller.base.languages.message import join_words
from controller.base.logs import set_up_logs
from controller.base.settings import (
    ApiSettings,
    CameraDriver,
    CameraSettings,
    DataSettings,
    MqttSettings,
    Phones,
    Settings,
    TrayKind,
    TraySettings,
    WebSettings,
)
from controller.base.settings.schema import HIGHEST_PORT
from controller.cli import startup
from controller.cli.arguments import (
    Subparsers,
    parse_folder,
    parse_players,
    print_line,
    whole_number_type,
)
from controller.cli.build_table import BuiltTable, Devices, build_table, create_kiosk
from controller.cli.stopping import StopRequest, handle_stop
from controller.cli.tournament import PORT as EVENT_PORT
from controller.coach.opponent import GRADES
from controller.games import GAMES
from controller.games.contract import Option, Options
from controller.games.player_names import require_different_names
from controller.runtime.autoplay import Autoplay, AutoplayStats, StuckError
from controller.runtime.calibration.store import load_calibration
from controller.runtime.devices.drivers import log_sound
from controller.runtime.devices.peripherals import Peripherals
from controller.runtime.event_loop import LoopObserver
from controller.runtime.picture_recorder import UNCALIBRATED_NOTICE
from controller.runtime.table import TableRuntime
from controller.table.events import GameClosed, GameStarted
from controller.table.game_flow import start_position
from controller.table.lobby import with_opponent
from controller.table.state import Lobby, Phase, TableState
from controller.table.view.types import Snapshot
from hardware.clock import MonotonicClock, SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import SimulatedHands
from hardware.simulated.light_and_buzzer import SimulatedBuzzer
from webui.listeners.listener import open_port

HOST, EVERYWHERE = "127.0.0.1", "0.0.0.0"
AUTOPLAY_FPS = 6
DEFAULT_PLAYERS = ("Ada", "Ben")
DATA = Settings().data.folder
EVENT_GAME = GameStarted("dice", ("Hall",), {"dice": 5})
"""At the table of a tournament only throws count."""


def add_parser(subparsers: Subparsers) -> None:
    defaults = Settings()
    parser = subparsers.add_parser(
        "demo",
        help="the whole table without any hardware: simulated tray, real reading, kiosk",
        description=(
            "The whole table without any hardware. Throw the dice on the kiosk's page; every"
            " roll is read from the pixels of the simulated camera. After a restart the table"
            " continues where it stopped."
        ),
        epilog="Exit status: 0 done, 1 when autoplay found a roll or hold wrong, 2 wrong use.",
    )
    parser.add_argument(
        "--port",
        type=whole_number_type(0, 65535),
        default=defaults.web.port,
        help="of the kiosk; 0 chooses a free one (%(default)s)",
    )
    parser.add_argument(
        "--data",
        type=parse_folder,
        metavar="DIR",
        help=f"where journal and pictures are kept ({DATA}; with --desk a temporary folder)",
    )
    _add_game_arguments(parser)
    parser.add_argument(
        "--seed", type=whole_number_type(0), help="the same seed throws the same dice"
    )
    parser.add_argument(
        "--autoplay",
        type=whole_number_type(1),
        metavar="N",
        help="play N games by itself, compare every roll and hold with the truth, and end",
    )
    parser.add_argument("--no-web", action="store_true", help="without the kiosk")
    parser.add_argument(
        "--desk",
        dest="event_port",
        nargs="?",
        type=whole_number_type(0, HIGHEST_PORT),
        const=EVENT_PORT,
        metavar="PORT",
        help=f"play a tournament with simulated players too; its pages are at PORT ({EVENT_PORT})",
    )
    _add_network_arguments(parser)


def _add_network_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--phones",
        choices=[phones.value for phones in Phones],
        default=Phones.OFF.value,
        help="what phones may do, at --port; the kiosk then gets a port of its own (%(default)s)",
    )
    parser.add_argument(
        "--api",
        nargs="?",
        const="",
        metavar="ORIGINS",
        help="answer other programs at /api/v1, and the pages of these origins (A,B)",
    )
    parser.add_argument(
        "--mqtt",
        type=_broker,
        default=MqttSettings(),
        metavar="HOST[:PORT]",
        help="send rolls and games to this MQTT broker, which asks for no password",
    )


def _add_game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tray",
        choices=[kind.value for kind in TrayKind],
        default=TrayKind.OPEN.value,
        help="how the dice are thrown: into an open tray, or shaken in a dome (%(default)s)",
    )
    parser.add_argument("--game", choices=list(GAMES), help=f"({next(iter(GAMES))})")
    parser.add_argument(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the game, such as jokers=true; may be repeated",
    )
    parser.add_argument(
        "--players",
        type=parse_players,
        metavar="A,B",
        help=f"the players, clockwise ({','.join(DEFAULT_PLAYERS)})",
    )
    parser.add_argument(
        "--opponent",
        choices=list(GRADES),
        action="append",
        default=[],
        help="seat a player of this grade too, whom the table plays itself; may be repeated",
    )


def run(args: argparse.Namespace) -> int:
    startup.spare_the_machine()
    # The result of autoplay is its last line; the log of thousands of rolls would hide it.
    lines = set_up_logs(level=logging.CRITICAL if args.autoplay else logging.INFO)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    tray = TraySettings(kind=TrayKind(args.tray))
    camera = _camera(seed, is_fast=bool(args.autoplay), has_dome=tray.is_dome)
    hands = SimulatedHands(camera, seed=seed)
    start = _parse_start(args)
    web = _parse_web(args)
    with contextlib.ExitStack() as closing:
        stop = closing.enter_context(handle_stop())
        if not args.no_web:
            # A refused port must leave no data folder behind.
            open_port("port", web.host, web.port).close()
        args.data = args.data or _choose_folder(args, closing)
        table = build_table(
            Settings(
                camera=CameraSettings(driver=CameraDriver.SIMULATED),
                tray=tray,
                web=web,
                data=DataSettings(args.data),
                api=ApiSettings(enabled=args.api is not None, origins=args.api or ""),
                mqtt=args.mqtt,
            ),
            Devices(camera, Peripherals(buzzer=SimulatedBuzzer(log_sound))),
            calibration=load_calibration(args.data),
            lines=lines,
            observers=(HandsObserver(hands),),
        )
        runtime = table.runtime
        closing.callback(runtime.close)
        startup.tighten_secrets(args.data)
        _require_same_game(runtime.loop.state, args)
        address = "There is no kiosk."
        if not args.no_web:
            table.access.begin()
            own_port = None if web.phones is Phones.OFF else web.own_port
            kiosk = create_kiosk(table, web, own_port=own_port, hands=hands)
            address = startup.serve_kiosk(kiosk, runtime, closing)
        opened = runtime.begin()
        startup.print_startup(args.data, opened)
        if not table.is_calibrated:
            print_line(UNCALIBRATED_NOTICE)
        startup.log_start(args.data, opened)
        _start_game(runtime, start)
        print_line(address)
        if args.autoplay:
            return _autoplay(runtime, camera, start, args.autoplay, seed, stop)
        table.start()
        if args.event_port is not None:
            closing.enter_context(_play_event(args, table, hands, web.host))
        stop.wait()
        startup.log_stop()
    return 0


def _choose_folder(args: argparse.Namespace, closing: contextlib.ExitStack) -> Path:
    """Return the usual data folder; a tournament gets a temporary one."""
    if args.event_port is None:
        return DATA
    return Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="dicebell-")))


def _play_event(
    args: argparse.Namespace, table: BuiltTable, hands: SimulatedHands, host: str
) -> contextlib.AbstractContextManager[None]:
    # Its libraries are loaded only for this.
    from controller.cli.event.demo import play_event
    from webui.tournament.server import TournamentServer

    server = TournamentServer(host, args.event_port)
    return play_event(table, hands, args.data / "event", server)


def _option(text: str) -> tuple[str, Option]:
    name, _, value = text.partition("=")
    flags = {"true": True, "false": False}
    if name and value in flags:
        return name, flags[value]
    if name and value.isdecimal():
        return name, int(value)
    expected = "a name, = and true, false or a whole number"
    raise argparse.ArgumentTypeError(f"expected {expected}, found {text!r}")


def _broker(text: str) -> MqttSettings:
    """Read the address of a broker: a host, and a port if it is not the usual one."""
    host, colon, port = text.partition(":")
    if not host or (colon and not (port.isdecimal() and 0 < int(port) <= HIGHEST_PORT)):
        raise argparse.ArgumentTypeError(f"expected HOST or HOST:PORT, found {text!r}")
    return MqttSettings(enabled=True, host=host, port=int(port or 0))


def _parse_start(args: argparse.Namespace) -> GameStarted:
    """Return the requested game; InputError if its rules do not allow these players or options."""
    if args.event_port is not None:
        if args.autoplay or args.game not in (None, EVENT_GAME.game) or args.players or args.option:
            expected = "--desk without --autoplay, --game, --players and --option"
            raise InputError(expected=expected, found="one of them", where="--desk")
        return EVENT_GAME
    game, options = args.game or next(iter(GAMES)), tuple(args.option)
    wanted = require_different_names(args.players or (), "--players")
    players = wanted or (DEFAULT_PLAYERS[:1] if args.opponent else DEFAULT_PLAYERS)
    seated = Lobby(game, options, tuple(players))
    for grade in args.opponent:
        seated = with_opponent(seated, len(seated.seats), grade)
    start = GameStarted(game, seated.seats, dict(options), dict(seated.grades))
    start_position(start.game, start.players, start.options)
    return start


def _parse_web(args: argparse.Namespace) -> WebSettings:
    """Return how the pages are served; without phones only to this machine."""
    phones = Phones(args.phones)
    return WebSettings(
        host=HOST if phones is Phones.OFF else EVERYWHERE, port=args.port, phones=phones
    )


def _camera(seed: int, *, is_fast: bool, has_dome: bool) -> SimulatedCamera:
    """Return the tray; a fast one does not wait between frames, and draws fewer."""
    if is_fast:
        return SimulatedCamera(SteppedClock(), seed=seed, fps=AUTOPLAY_FPS, has_dome=has_dome)
    # On a slow machine a throw takes longer, and every frame of it is still seen.
    longest_gap_s = 1.0 / AUTOPLAY_FPS
    return SimulatedCamera(
        MonotonicClock(), seed=seed, longest_gap_s=longest_gap_s, has_dome=has_dome
    )


class HandsObserver(LoopObserver):
    """Sets the dice of the game and those that the screen marks, in the simulated tray."""

    def __init__(self, hands: SimulatedHands) -> None:
        self._hands = hands

    def on_view(self, view: Snapshot) -> None:
        if view["game"]:
            self._hands.change_dice(view["polarities"])
        # A throw does what the screen shows, also before the marked dice are confirmed.
        is_awaited = view["phase"] in (Phase.AWAITING_ROLL.value, Phase.CHOOSING.value)
        thrown = (die for die in view["dice"] if is_awaited and die["group"] == "thrown")
        self._hands.announce([die["center_px"] for die in thrown])


def _require_same_game(state: TableState, args: argparse.Namespace) -> None:
    """Refuse to start another game where one is open or waits, which would end unfinished."""
    if args.autoplay and state.parked is not None:
        expected = "a data folder without a game that waits to be continued"
        raise InputError(expected=expected, found="one that waits", where="--data")
    play = state.play
    if play.position is None or not _is_open(state):
        return
    names = [name for name in play.position.players if name not in play.opponent_names]
    grades, options = [one.grade for one in play.opponents], play.position.options
    compared = {
        "--players": (",".join(args.players or names), ",".join(names)),
        "--opponent": (",".join(args.opponent or grades) or "none", ",".join(grades) or "none"),
        "--game": (args.game or play.game_key, play.game_key),
        "--option": (_options_text({**options, **dict(args.option)}), _options_text(options)),
    }
    for where, (wanted, played) in compared.items():
        if wanted != played:
            expected = f"{played}, as in the game that is open in this data folder"
            raise InputError(expected=expected, found=wanted, where=where)


def _options_text(options: Options) -> str:
    return " ".join(f"{name}={json.dumps(value)}" for name, value in options.items()) or "none"


def _start_game(runtime: TableRuntime, start: GameStarted) -> None:
    """Start the game, unless one is open, which continues, or waits, which the lobby offers."""
    state = runtime.loop.state
    if _is_open(state) and state.play.position is not None:
        names = join_words(state.play.position.players)
        print_line(f"Continuing the game of {names}; rolls so far: {state.play.rolls}.")
        return
    if state.parked is not None:
        print_line("A game waits to be continued. The lobby offers it.")
        return
    runtime.loop.handle(GameClosed())
    runtime.loop.handle(start)


def _is_open(state: TableState) -> bool:
    return state.play.position is not None and state.phase is not Phase.GAME_OVER


def _autoplay(
    runtime: TableRuntime,
    camera: SimulatedCamera,
    start: GameStarted,
    games: int,
    seed: int,
    stop: StopRequest,
) -> int:
    began_s = time.monotonic()
    player = Autoplay(runtime, camera, start=start, seed=seed, report=print_line)
    with camera:
        try:
            tally = player.play(games, stop.is_set)
        except StuckError as error:
            expected = "a table that accepts rolls"
            raise InputError(expected=expected, found=str(error), where="--autoplay") from error
    print_line(f"{_format_stats(tally)}; {time.monotonic() - began_s:.1f} s, seed {seed}")
    return 1 if tally.wrong else 0


def _format_stats(tally: AutoplayStats) -> str:
    return (
        f"{tally.games} games, {tally.rolls} rolls read from pixels: {tally.wrong} wrong,"
        f" {tally.doubtful} doubtful, {tally.unseen} unseen;"
        f" {tally.holds} holds followed without buttons"
    )
