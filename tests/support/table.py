# SPDX-License-Identifier: MIT
"""Small helpers to play at a table: dice on the felt, throws, and games in one line."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from controller.table.effects import Journalled
from controller.table.entries import JournalEntry
from controller.table.events import (
    ActionAsked,
    ChoiceTapped,
    DeviceBack,
    DeviceLost,
    DiceRead,
    DieTapped,
    Event,
    FacesEntered,
    GameClosed,
    GameStarted,
    Key,
    KeyPressed,
    MotionSeen,
    MotionStopped,
    PauseAsked,
    ReadingDoubtful,
    ResumeAsked,
    SeenDie,
    SeenDoubt,
    UndoAsked,
)
from controller.table.machine import step
from controller.table.state import Confirm, Phase, TableState

LEFT, RIGHT = KeyPressed(Key.LEFT), KeyPressed(Key.RIGHT)
CONFIRM, BACK = KeyPressed(Key.CONFIRM), KeyPressed(Key.BACK)
COCKED = SeenDoubt("cocked", "A die leans against the wall.", (90.0, 40.0), 30.0)


def die(face: int, x: float, y: float = 100.0, *, angle_deg: float = 0.0) -> SeenDie:
    """Return a white die whose edge is 40 pixels long."""
    return SeenDie(face, "light", "white", (x, y), angle_deg, 40.0)


def dice_of(faces: str, *, spot: int = 0) -> tuple[SeenDie, ...]:
    """Return dice in a row, in the order of the digits; no two spots share a place."""
    return tuple(die(int(face), 100.0 * index, 100.0 * spot) for index, face in enumerate(faces))


def throw_of(faces: str, *, spot: int = 0, picture: str = "") -> tuple[Event, ...]:
    """Return what the camera tells of dice that are thrown and come to rest."""
    return MotionSeen(), MotionStopped(), DiceRead(dice_of(faces, spot=spot), picture)


def doubtful_throw(faces: str = "1344", *, spot: int = 0, picture: str = "") -> tuple[Event, ...]:
    """Return the same for a throw of which one die came to rest against the wall."""
    dice = dice_of(faces, spot=spot)
    return MotionSeen(), MotionStopped(), ReadingDoubtful((COCKED,), dice, picture)


def journalled(state: TableState, *events: Event) -> tuple[TableState, tuple[Journalled, ...]]:
    """Return the table after the events, and everything they put on the disk."""
    effects: tuple[Journalled, ...] = ()
    for event in events:
        state, more = step(state, event)
        effects += more
    return state, effects


def play(state: TableState, *events: Event) -> TableState:
    """Return the table after the events."""
    return journalled(state, *events)[0]


def table(*players: str, confirm: Confirm = Confirm.AUTO) -> TableState:
    """Return a table with a game of Choice before its first roll; two players if none named."""
    names = players or ("Ada", "Ben")
    return play(TableState(confirm=confirm), GameStarted("choice", names))


def rolled_table(faces: str, *players: str) -> TableState:
    """Return such a table with its first roll taken, on spot 0."""
    return play(table(*players), *throw_of(faces))


def finished_table(*players: str) -> TableState:
    """Return a table where everybody left out the same face until the game was over."""
    state, spot = table(*players), 0
    while state.phase is not Phase.GAME_OVER:
        if state.phase is Phase.AWAITING_ROLL:
            spot += 1
            state = play(state, *throw_of("11111", spot=spot))
        state = play(state, CONFIRM)
    return state


def entries_of(effects: tuple[Journalled, ...]) -> list[JournalEntry]:
    """Return what stands in the journal, as a restart reads it."""
    return [(effect.kind, effect.body) for effect in effects]


def any_event(state: TableState, chance: random.Random) -> Event:
    """Return an event that might happen to this table, more often one that play needs."""
    spot, dice = chance.randrange(50), "".join(chance.choices("123456", k=5))
    usual: Mapping[Phase, Sequence[Event]] = {
        Phase.LOBBY: (CONFIRM,),
        Phase.AWAITING_ROLL: (MotionSeen(),),
        Phase.ROLLING: (MotionStopped(),),
        Phase.SETTLING: (DiceRead(dice_of(dice, spot=spot)),),
        Phase.STRAIGHTEN: (FacesEntered("13446", "Eva"), DiceRead(dice_of(dice, spot=spot))),
        Phase.CHOOSING: (CONFIRM, RIGHT),
    }
    if chance.random() < 0.7:
        return chance.choice(usual.get(state.phase, (CONFIRM,)))
    some = dice[: chance.randrange(6)] + "6" * chance.randrange(2)
    device = chance.choice(("camera", "disk"))
    return chance.choice(
        (
            KeyPressed(chance.choice(list(Key))),
            GameStarted(chance.choice(("choice", "halma")), ("Ada", "Ben")[: chance.randrange(3)]),
            MotionSeen(),
            MotionStopped(),
            DiceRead(chance.choice((state.lie, dice_of(some, spot=spot)))),
            ReadingDoubtful((COCKED,), dice_of(some, spot=spot)),
            FacesEntered(chance.choice(("13446", "7")), "Eva"),
            DieTapped(chance.randrange(-1, 6)),
            ChoiceTapped(chance.randrange(-1, 20)),
            ActionAsked(*chance.choice((("Ada", "4+10/4"), *legal_actions(state)))),
            UndoAsked(),
            PauseAsked(),
            ResumeAsked(),
            GameClosed() if chance.random() < 0.2 else UndoAsked(),
            DeviceLost(device, "It is gone.", "Look for it."),
            DeviceBack(device),
        )
    )


def legal_actions(state: TableState) -> list[tuple[str, str]]:
    """Return everything that anybody may do now, with their names."""
    legal = state.game.expects().do if state.game else {}
    return [(name, action) for name, actions in legal.items() for action in actions]
