# SPDX-License-Identifier: MIT
"""
`dicebell calibrate --own-dice` and `--forget-dice`: learn the owner's dice at a terminal.

It uses the same session as the page `/calibrate`, with one line of text for every answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from controller.base.errors import InputError, RefusedError
from controller.cli.arguments import print_line
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.frame_source import FrameSource
from controller.runtime.calibration.own_dice import OwnDiceSession, forget_table
from controller.runtime.calibration.own_dice_throw import Throw
from controller.runtime.calibration.page_data import describe_next_step
from controller.runtime.calibration.store import load_calibration

STALE_FRAMES = 4  # The number of frames that a driver may have buffered while the terminal waited.

ASK_THROW = "dice      throw, then press Enter (k: keep the dice and end, q: end): "
ASK_RIGHT = "dice      Enter: right; 2=5: face 2 is a five; 2=0: leave it out; d: discard: "


def learn_dice(
    folder: Path, eye: FrameSource, live: ActiveCalibration, ask: Callable[[str], str] = input
) -> int:
    """Ask for throws until the dice are kept or the owner ends; return the exit status."""
    session = OwnDiceSession(folder, eye, live)
    try:
        while True:
            print_line(f"dice      {describe_next_step(session)}")
            answer = ask(ASK_THROW).strip().lower()
            if answer == "k":
                _report_refusal(partial(_keep, session))
                if not session.throws and session.kept_throws:
                    return 0
                continue
            if answer == "q":
                return 0 if session.kept_throws else 1
            for _ in range(STALE_FRAMES):
                eye.next_frame()
            _report_refusal(partial(_confirm_throw, session, ask))
    except EOFError:
        return 0 if session.kept_throws else 1


def forget_dice(folder: Path) -> None:
    """Forget the dice in a data folder; InputError if that is refused."""
    live = ActiveCalibration(load_calibration(folder))
    is_learned = live.table_model is not None
    forget_table(folder, live)
    done = "what the table learned is deleted" if is_learned else "none have been learned"
    print_line(f"dice      {done}")


def _keep(session: OwnDiceSession) -> None:
    print_line(f"saved     what {session.keep()} throws of your dice taught")


def _confirm_throw(session: OwnDiceSession, ask: Callable[[str], str]) -> None:
    """Read a throw and let the owner correct it until it is confirmed or discarded."""
    throw: Throw | None = session.read_throw()
    while throw is not None:
        _print_throw(throw)
        answer = ask(ASK_RIGHT).strip().lower()
        if answer == "d":
            session.discard()
        elif answer:
            _report_refusal(partial(_correct, session, answer))
        else:
            _report_refusal(session.confirm)
        throw = session.throw


def _correct(session: OwnDiceSession, answer: str) -> None:
    index, _, number = answer.partition("=")
    try:
        session.correct(int(index) - 1, int(number))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(expected="an answer such as 2=5", found=answer) from error


def _print_throw(throw: Throw) -> None:
    for place, face in enumerate(throw.faces, start=1):
        x, y = face.center_px
        note = f"  (in doubt: {face.doubt})" if face.doubt else ""
        print_line(f"face {place:<4} at {x:.0f},{y:.0f}: {face.number or '-'}{note}")


def _report_refusal(do: Callable[[], None]) -> None:
    """Call a function; print a refusal and continue the session."""
    try:
        do()
    except RefusedError as error:
        print_line(f"dice      {error}")
