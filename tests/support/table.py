# SPDX-License-Identifier: MIT
"""Small helpers to play at a table: dice on the felt, throws, and games in one line."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.games import GAMES
from controller.runtime.die_origins import match_dice_to_table
from controller.table.effects import Journalled
from controller.table.events import (
    ActionAsked,
    ButtonFreed,
    ButtonStuck,
    ChoiceTapped,
    DeviceBack,
    DeviceLost,
    DiceRead,
    DieTapped,
    Event,
    FacesEntered,
    GameClosed,
    GamePicked,
    GameStarted,
    JokerTapped,
    Key,
    KeyPressed,
    MotionSeen,
    MotionStopped,
    OptionPicked,
    PauseAsked,
    ReadingDoubtful,
    ResumeAsked,
    ReviewAsked,
    RollCorrected,
    SeatTaken,
    SeenDie,
    SeenDoubt,
    StartAsked,
    UndoAsked,
)
from controller.table.journal_entries import JournalEntry
from controller.table.machine import step
from controller.table.state import Confirm, Phase, TableState

LEFT, RIGHT = KeyPressed(Key.LEFT), KeyPressed(Key.RIGHT)
CONFIRM, BACK = KeyPressed(Key.CONFIRM), KeyPressed(Key.BACK)
COCKED = SeenDoubt("cocked", "A die leans against the wall.", (90.0, 40.0), 30.0)


def die(
    face: int, x: float, y: float = 100.0, *, angle_deg: float = 0.0, is_black: bool = False
) -> SeenDie:
    """Return a die whose edge is 40 pixels long, a white one unless told otherwise."""
    polarity, colour = ("dark", "black") if is_black else ("light", "white")
    return SeenDie(face, polarity, colour, (x, y), angle_deg, 40.0)


def dice_of(faces: str, *, spot: int = 0) -> tuple[SeenDie, ...]:
    """Return dice in a row, in the order of the digits; no two spots share a place."""
    return tuple(die(int(face), 100.0 * index, 100.0 * spot) for index, face in enumerate(faces))


def thrown(faces: str, *, spot: int = 0) -> tuple[SeenDie, ...]:
    """Return such dice as the table knows them after a throw."""
    return tuple(replace(one, origin="thrown") for one in dice_of(faces, spot=spot))


def rest_of(*dice: SeenDie, picture: str = "") -> tuple[Event, ...]:
    """Return what the camera tells when something moved, and then just these dice lie there."""
    return MotionSeen(), MotionStopped(), DiceRead(dice, picture)


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
        state, more = step(state, match_dice_to_table(event, state.lie))
        effects += more
    return state, effects


def play(state: TableState, *events: Event) -> TableState:
    """Return the table after the events."""
    return journalled(state, *events)[0]


def table(
    *players: str,
    game: str = "choice",
    options: Mapping[str, bool | int] | None = None,
    confirm: Confirm = Confirm.AUTO,
) -> TableState:
    """Return a table with a game before its first roll, of Choice; two players if none named."""
    names = players or ("Ada", "Ben")
    return play(TableState(confirm=confirm), GameStarted(game, names, options or {}))


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


def kinds_of(effects: tuple[Journalled, ...]) -> list[str]:
    """Return what the entries are about."""
    return [effect.kind for effect in effects]


def entries_of(effects: tuple[Journalled, ...]) -> list[JournalEntry]:
    """Return what stands in the journal, as a restart reads it."""
    return [(effect.kind, effect.body) for effect in effects]


def any_dice(state: TableState, chance: random.Random) -> tuple[SeenDie, ...]:
    """Return dice that might lie in the tray now: some as they lay, the others thrown anew."""
    polarities = GAMES[state.game_key].polarities if state.game_key else ("",) * 5
    spot = chance.randrange(50)
    stayed = [die for die in state.lie if chance.random() < 0.5][: len(polarities)]
    colours = list(polarities)
    for old in stayed:
        colours.remove(old.polarity if old.polarity in colours else colours[0])
    thrown = (
        die(chance.randint(1, 6), 100.0 * place, 100.0 * spot, is_black=colour == "dark")
        for place, colour in enumerate(colours)
    )
    return (*stayed, *thrown)


def any_event(state: TableState, chance: random.Random) -> Event:
    """Return an event that might happen to this table, more often one that play needs."""
    dice = any_dice(state, chance)
    usual: Mapping[Phase, Sequence[Event]] = {
        Phase.LOBBY: (any_game(chance), CONFIRM),
        Phase.AWAITING_ROLL: (MotionSeen(),),
        Phase.AWAITING_JOKER: (MotionSeen(),),
        Phase.IN_HAND: (MotionSeen(),),
        Phase.ROLLING: (MotionStopped(),),
        Phase.SETTLING: (DiceRead(dice), *right_dice(state)),
        Phase.STRAIGHTEN: (FacesEntered("13446", "Eva"), DiceRead(dice), MotionSeen()),
        Phase.CHOOSING: (CONFIRM, RIGHT, MotionSeen()),
    }
    if chance.random() < 0.7:
        return chance.choice(usual.get(state.phase, (CONFIRM,)))
    return unusual_event(state, chance, dice)


def any_game(chance: random.Random) -> GameStarted:
    """Return one of the games with two players."""
    jokers = {"jokers": True} if chance.random() < 0.5 else {}
    game = chance.choice(list(GAMES))
    return GameStarted(game, ("Ada", "Ben"), jokers if game == "choice" else {})


def right_dice(state: TableState) -> tuple[Event, ...]:
    """Return the dice that a corrector waits for, if one does."""
    wanted = state.game.set_to(state.roller) if state.game and state.roller else ()
    return (DiceRead(dice_of("".join(wanted), spot=60)),) if wanted else ()


def unusual_event(state: TableState, chance: random.Random, dice: tuple[SeenDie, ...]) -> Event:
    """Return an event that somebody or something may bring at any moment."""
    some = dice[: chance.randrange(6)]
    device = chance.choice(("camera", "disk"))
    return chance.choice(
        (
            KeyPressed(chance.choice(list(Key))),
            KeyPressed(chance.choice(list(Key)), chance.randint(1, 3)),
            ButtonStuck(Key.LEFT, chance.choice((None, 1))),
            ButtonFreed(Key.LEFT, chance.choice((None, 1))),
            GameStarted(chance.choice(("choice", "halma")), ("Ada", "Ben")[: chance.randrange(3)]),
            GamePicked(chance.choice((*GAMES, "halma"))),
            OptionPicked(chance.choice(("jokers", "chips_per_player")), chance.choice((True, 1))),
            SeatTaken(chance.randrange(-1, 7), chance.choice(("", "Ada", "Zoe"))),
            StartAsked(),
            MotionSeen(),
            MotionStopped(),
            DiceRead(chance.choice((state.lie, some))),
            ReadingDoubtful((COCKED,), some),
            FacesEntered(chance.choice(("13446", "w4 b6", "7")), "Eva"),
            RollCorrected(chance.choice(("13446", "w4 b6", "7")), "Eva", "It was misread."),
            ReviewAsked(chance.choice((None, None, 1, 3))),
            DieTapped(chance.randrange(-1, 6)),
            ChoiceTapped(chance.randrange(-1, 20)),
            JokerTapped(chance.choice(("terminator", "corrector", "3:1", "ace"))),
            ActionAsked(*chance.choice((("Ada", "4+10/4"), *legal_actions(state)))),
            UndoAsked(),
            PauseAsked(chance.choice((None, None, 1, 3))),
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
