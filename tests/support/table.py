# SPDX-License-Identifier: MIT
"""Small helpers to play at a table: dice on the felt, throws, and games in one line."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.base.settings.choices import Confirm
from controller.games import GAMES
from controller.runtime.die_origins import match_dice_to_table
from controller.table import events as on
from controller.table.choosing import list_choices
from controller.table.effects import PendingEntry
from controller.table.events import Event, Key, TrayDie, TrayDoubt
from controller.table.journal_entries import JournalEntry
from controller.table.machine import step
from controller.table.state import Lobby, Notice, Phase, Setup, TableState
from controller.table.view.snapshot import build_snapshot
from controller.table.view.types import Snapshot

LEFT, RIGHT = on.KeyPressed(Key.LEFT), on.KeyPressed(Key.RIGHT)
CONFIRM, BACK = on.KeyPressed(Key.CONFIRM), on.KeyPressed(Key.BACK)
COCKED = TrayDoubt("cocked", "A die leans against the wall.", (90.0, 40.0), 30.0)


def die(
    face: int, x: float, y: float = 100.0, *, angle_deg: float = 0.0, is_black: bool = False
) -> TrayDie:
    """Return a die whose edge is 40 pixels long, a white one unless told otherwise."""
    polarity, colour = ("dark", "black") if is_black else ("light", "white")
    return TrayDie(face, polarity, colour, (x, y), angle_deg, 40.0)


def dice_of(faces: str, *, spot: int = 0) -> tuple[TrayDie, ...]:
    """Return dice in a row, in the order of the digits; no two spots share a place."""
    return tuple(die(int(face), 100.0 * index, 100.0 * spot) for index, face in enumerate(faces))


def thrown(faces: str, *, spot: int = 0) -> tuple[TrayDie, ...]:
    """Return such dice as the table knows them after a throw."""
    return tuple(replace(one, origin="thrown") for one in dice_of(faces, spot=spot))


def lobby_of(*names: str) -> TableState:
    """Return the table before a game, where these players sit."""
    return TableState(lobby=Lobby(seats=names))


def rest_of(*dice: TrayDie, picture: str = "") -> tuple[Event, ...]:
    """Return what the camera tells when something moved, and then just these dice lie there."""
    return on.MotionStarted(), on.MotionStopped(), on.DiceRead(dice, picture)


def throw_of(faces: str, *, spot: int = 0, picture: str = "") -> tuple[Event, ...]:
    """Return what the camera tells of dice that are thrown and come to rest."""
    return on.MotionStarted(), on.MotionStopped(), on.DiceRead(dice_of(faces, spot=spot), picture)


def doubtful_throw(faces: str = "1344", *, spot: int = 0, picture: str = "") -> tuple[Event, ...]:
    """Return the same for a throw of which one die came to rest against the wall."""
    dice = dice_of(faces, spot=spot)
    return on.MotionStarted(), on.MotionStopped(), on.ReadingDoubtful((COCKED,), dice, picture)


def journalled(state: TableState, *events: Event) -> tuple[TableState, tuple[PendingEntry, ...]]:
    """Return the table after the events, and everything they put on the disk."""
    effects: tuple[PendingEntry, ...] = ()
    for event in events:
        state, more = step(state, match_dice_to_table(event, state.dice_on_felt))
        effects += more
    return state, effects


def play(state: TableState, *events: Event) -> TableState:
    return journalled(state, *events)[0]


def table(
    *players: str,
    game: str = "choice",
    options: Mapping[str, bool | int] | None = None,
    confirm: Confirm = Confirm.AUTO,
) -> TableState:
    """Return a table with a game before its first roll, of Choice; two players if none named."""
    names = players or ("Ada", "Ben")
    return play(
        TableState(setup=Setup(confirm=confirm)), on.GameStarted(game, names, options or {})
    )


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


def notice_of(state: TableState) -> Notice:
    assert state.notice is not None
    return state.notice


def view(state: TableState, viewer: str = "") -> Snapshot:
    """Return what the shared screen shows, or the page of a player."""
    return build_snapshot(state, version=1, viewer=viewer)


def groups_of(state: TableState) -> list[str | None]:
    """Return what becomes of each die that the shared screen shows."""
    return [die["group"] for die in view(state)["dice"]]


def tapped(state: TableState, *things: int | str) -> TableState:
    """Return the table after taps on dice (numbers) and jokers (names)."""
    taps = (on.DieTapped(one) if isinstance(one, int) else on.JokerTapped(one) for one in things)
    return play(state, *taps)


def chosen(state: TableState) -> str:
    """Return the action under the cursor; empty if nothing is."""
    return list_choices(state)[state.screen.cursor].action if state.screen.cursor >= 0 else ""


def with_cursor_on(state: TableState, action: str) -> TableState:
    actions = [choice.action for choice in list_choices(state)]
    return play(state, on.ChoiceTapped(actions.index(action)))


def pushed(old: TrayDie, by_px: float) -> TrayDie:
    x, y = old.center_px
    return replace(old, center_px=(x + by_px, y))


def only(effects: tuple[PendingEntry, ...]) -> PendingEntry:
    (effect,) = effects
    return effect


def kinds_of(effects: tuple[PendingEntry, ...]) -> list[str]:
    return [effect.kind for effect in effects]


def entries_of(effects: tuple[PendingEntry, ...]) -> list[JournalEntry]:
    """Return what stands in the journal, as a restart reads it."""
    return [(effect.kind, effect.body) for effect in effects]


def any_dice(state: TableState, chance: random.Random) -> tuple[TrayDie, ...]:
    """Return dice that might lie in the tray now: some as they lay, the others thrown anew."""
    polarities = state.play.polarities or ("",) * 5
    spot = chance.randrange(50)
    stayed = [die for die in state.dice_on_felt if chance.random() < 0.5][: len(polarities)]
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
        Phase.AWAITING_ROLL: (on.MotionStarted(),),
        Phase.AWAITING_JOKER: (on.MotionStarted(),),
        Phase.IN_HAND: (on.MotionStarted(),),
        Phase.ROLLING: (on.MotionStopped(),),
        Phase.SETTLING: (on.DiceRead(dice), *right_dice(state)),
        Phase.STRAIGHTEN: (on.FacesEntered("13446", "Eva"), on.DiceRead(dice), on.MotionStarted()),
        Phase.CHOOSING: (CONFIRM, RIGHT, on.MotionStarted()),
    }
    if chance.random() < 0.7:
        return chance.choice(usual.get(state.phase, (CONFIRM,)))
    return unusual_event(state, chance, dice)


def any_game(chance: random.Random) -> on.GameStarted:
    jokers = {"jokers": True} if chance.random() < 0.5 else {}
    game = chance.choice(list(GAMES))
    return on.GameStarted(game, ("Ada", "Ben"), jokers if game == "choice" else {})


def right_dice(state: TableState) -> tuple[Event, ...]:
    """Return the dice that a corrector waits for, if one does."""
    wanted = (
        state.play.position.required_dice(state.play.roller)
        if state.play.position and state.play.roller
        else ()
    )
    return (on.DiceRead(dice_of("".join(wanted), spot=60)),) if wanted else ()


def unusual_event(state: TableState, chance: random.Random, dice: tuple[TrayDie, ...]) -> Event:
    """Return an event that somebody or something may bring at any moment."""
    some = dice[: chance.randrange(6)]
    device = chance.choice(("camera", "disk"))
    return chance.choice(
        (
            on.KeyPressed(chance.choice(list(Key))),
            on.KeyPressed(chance.choice(list(Key)), chance.randint(1, 3)),
            on.ButtonStuck(Key.LEFT, chance.choice((None, 1))),
            on.ButtonReleased(Key.LEFT, chance.choice((None, 1))),
            on.GameStarted(
                chance.choice(("choice", "halma")), ("Ada", "Ben")[: chance.randrange(3)]
            ),
            on.GamePicked(chance.choice((*GAMES, "halma"))),
            on.OptionPicked(
                chance.choice(("jokers", "chips_per_player")), chance.choice((True, 1))
            ),
            on.SeatTaken(chance.randrange(-1, 7), chance.choice(("", "Ada", "Zoe"))),
            on.StartRequested(),
            on.MotionStarted(),
            on.MotionStopped(),
            on.DiceRead(chance.choice((state.dice_on_felt, some))),
            on.ReadingDoubtful((COCKED,), some),
            on.FacesEntered(chance.choice(("13446", "w4 b6", "7")), "Eva"),
            on.RollCorrected(chance.choice(("13446", "w4 b6", "7")), "Eva", "It was misread."),
            on.ReviewRequested(chance.choice((None, None, 1, 3))),
            on.DieTapped(chance.randrange(-1, 6)),
            on.ChoiceTapped(chance.randrange(-1, 20)),
            on.JokerTapped(chance.choice(("terminator", "corrector", "3:1", "ace"))),
            on.PlayerTapped(chance.choice(("Ada", "Ben", "Zoe"))),
            on.PhonesBound(chance.choice(((), ("Ada",), ("Ada", "Ben")))),
            on.NamesChanged(frozenset({"ben"}), (("cleo", chance.choice(("Clea", "Uma"))),)),
            phone_event(chance),
            on.ActionRequested(*chance.choice((("Ada", "4+10/4"), *legal_actions(state)))),
            on.UndoRequested(),
            on.PauseRequested(chance.choice((None, None, 1, 3))),
            on.ResumeRequested(),
            on.GameClosed() if chance.random() < 0.2 else on.UndoRequested(),
            on.GameCounted()
            if chance.random() < 0.2
            else on.PlayerJoined(chance.choice(("Ada", "Zoe"))),
            on.DeviceLost(device, "It is gone.", "Look for it."),
            on.DeviceBack(device),
        )
    )


def phone_event(chance: random.Random) -> Event:
    """Return something that a player, or somebody else, does on a phone of their own."""
    by = chance.choice(("Ada", "Ben", "Zoe"))
    return chance.choice(
        (
            on.KeyPressed(chance.choice(list(Key)), by=by),
            on.KeyPressed(Key.CONFIRM, by=by),
            on.DieTapped(chance.randrange(-1, 6), by=by),
            on.ChoiceTapped(chance.randrange(-1, 20), by=by),
            on.JokerTapped(chance.choice(("terminator", "corrector", "3:1")), by=by),
            on.UndoRequested(by=by),
        )
    )


def legal_actions(state: TableState) -> list[tuple[str, str]]:
    legal = state.play.position.expects().do if state.play.position else {}
    return [(name, action) for name, actions in legal.items() for action in actions]
