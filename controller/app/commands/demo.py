# SPDX-License-Identifier: MIT
"""
`dicebell demo`: the whole table without any hardware.

Only the tray and the buttons are simulated. Reading, table, journal and kiosk are the
ones that an appliance runs.
"""

from __future__ import annotations

import argparse
import contextlib
import secrets
import time
from threading import Event
from typing import TYPE_CHECKING

from controller.app.autoplay import Autoplay, StuckError
from controller.app.commands.arguments import folder, player_names, whole_number
from controller.app.commands.serving import say, serve_kiosk, stop_asked, tell_begun
from controller.app.house import House
from controller.errors import InputError
from controller.games import GAMES
from controller.settings import Settings
from controller.table.course import opening
from controller.table.events import GameClosed, GameStarted
from controller.table.state import Phase, TableState
from hardware.clock import MonotonicClock, SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import TrayHands
from vision.pipeline import Reader
from webui import create_app
from webui.server import KioskServer

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

HOST = "127.0.0.1"
AUTOPLAY_FPS = 15
DEFAULT_PLAYERS = ("Ada", "Ben")


def add_parser(subparsers: Subparsers) -> None:
    """Add the command to the command line."""
    defaults = Settings()
    parser = subparsers.add_parser(
        "demo",
        help="the whole table without any hardware: simulated tray, real reading, kiosk",
        description=(
            "The whole table without any hardware. Throw the dice on the kiosk's page; every"
            " roll is read from the pixels of the simulated camera. Started again, the table"
            " goes on where it stood."
        ),
        epilog="Exit status: 0 done, 1 when autoplay read a roll wrong, 2 wrong use.",
    )
    parser.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=defaults.web.port,
        help="of the kiosk; 0 takes a free one (%(default)s)",
    )
    parser.add_argument(
        "--data",
        type=folder,
        default=defaults.data.folder,
        metavar="DIR",
        help="where the journal and the pictures are kept (%(default)s)",
    )
    parser.add_argument(
        "--game", choices=list(GAMES), default=next(iter(GAMES)), help="(%(default)s)"
    )
    parser.add_argument(
        "--players",
        type=player_names,
        metavar="A,B",
        help=f"who sits down, clockwise ({','.join(DEFAULT_PLAYERS)})",
    )
    parser.add_argument("--seed", type=whole_number(0), help="the same seed throws the same dice")
    parser.add_argument(
        "--autoplay",
        type=whole_number(1),
        metavar="N",
        help="play N games by itself as fast as it can, compare every roll, and end",
    )
    parser.add_argument("--no-web", action="store_true", help="without the kiosk")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Run the demo until it is stopped or has played its games; return the exit status.

    Raises:
        InputError: The data folder, the port or the players cannot be used, or autoplay is stuck.
    """
    stop = stop_asked()
    seed = secrets.randbits(32) if args.seed is None else args.seed
    camera = _camera(seed, is_fast=bool(args.autoplay))
    opening(args.game, args.players or DEFAULT_PLAYERS, {})
    house = House.open(args.data, Reader())
    with contextlib.ExitStack() as closing:
        closing.callback(house.close)
        _require_same_players(house.loop.state, args.players)
        address = "There is no kiosk."
        if not args.no_web:
            app = create_app(house, TrayHands(camera, seed=seed))
            address = serve_kiosk(KioskServer(app, HOST, args.port), house, closing)
        tell_begun(args.data, house.begin())
        _seat(house, args.game, args.players or DEFAULT_PLAYERS)
        say(address)
        if args.autoplay:
            return _autoplay(house, camera, args, seed, stop)
        house.start(camera)
        stop.wait()
    return 0


def _camera(seed: int, *, is_fast: bool) -> SimulatedCamera:
    """Return the tray; a fast one spends no time between frames, and draws fewer of them."""
    if is_fast:
        return SimulatedCamera(SteppedClock(), seed=seed, fps=AUTOPLAY_FPS)
    return SimulatedCamera(MonotonicClock(), seed=seed)


def _require_same_players(state: TableState, players: tuple[str, ...] | None) -> None:
    """Refuse to seat others while a game is open: it would end unfinished."""
    if _is_open(state) and players and players != state.seats:
        expected = f"{','.join(state.seats)}, whose game is open in this data folder"
        raise InputError(expected=expected, found=",".join(players), where="--players")


def _seat(house: House, game: str, players: tuple[str, ...]) -> None:
    """Let the players sit down, unless a game is open: that one goes on."""
    state = house.loop.state
    if _is_open(state):
        say(f"Going on with the game of {','.join(state.seats)}; rolls so far: {state.rolls}.")
        return
    house.loop.handle(GameClosed())
    house.loop.handle(GameStarted(game, players))


def _is_open(state: TableState) -> bool:
    return state.game is not None and state.phase is not Phase.GAME_OVER


def _autoplay(
    house: House, camera: SimulatedCamera, args: argparse.Namespace, seed: int, stop: Event
) -> int:
    began_s = time.monotonic()
    players, game = args.players or DEFAULT_PLAYERS, args.game
    player = Autoplay(house, camera, players=players, game=game, seed=seed, tell=say)
    with camera:
        try:
            tally = player.play(args.autoplay, stop.is_set)
        except StuckError as error:
            expected = "a table that takes rolls"
            raise InputError(expected=expected, found=str(error), where="--autoplay") from error
    say(
        f"{tally.games} games, {tally.rolls} rolls read from pixels: {tally.wrong} wrong,"
        f" {tally.doubtful} doubtful, {tally.unseen} unseen;"
        f" {time.monotonic() - began_s:.1f} s, seed {seed}"
    )
    return 1 if tally.wrong else 0
