# SPDX-License-Identifier: MIT
"""The journal leads back to the table that wrote it, whenever it was cut off."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.base.settings.choices import Confirm
from controller.games import GAMES
from controller.journal.hashchain import Body, Value
from controller.table import events as on
from controller.table.events import Event, Key, TrayDie
from controller.table.game_flow import phase_after_interruption
from controller.table.journal_entries import JournalEntry, restore_from_journal, restore_table
from controller.table.machine import step
from controller.table.state import Lobby, Phase, Setup, TableState
from tests.controller.games.playing import NAMES
from tests.support.random_journal import RandomGame, WrittenJournal
from tests.support.table import (
    CONFIRM,
    any_event,
    doubtful_throw,
    entries_of,
    journalled,
    lobby_of,
    play,
    throw_of,
    thrown,
    view,
)


def come_back(entries: list[JournalEntry], confirm: Confirm = Confirm.AUTO) -> TableState:
    read = [(kind, json.loads(json.dumps(body))) for kind, body in entries]
    return restore_table(TableState(setup=Setup(confirm=confirm)), read)


def confirmed(state: TableState) -> TableState:
    """Return only what is never lost."""
    review = state.play.review
    if review is not None:
        review = replace(review, resume=phase_after_interruption(state))
    return TableState(
        phase=phase_after(state),
        setup=Setup(state.setup.confirm, known_players=state.setup.known_players),
        play=replace(state.play, review=review, seen_round=0),
    )


def phase_after(state: TableState) -> Phase:
    """Return where a table stands after a restart: a review is still open, a throw is not."""
    return Phase.REVIEW if state.play.review else phase_after_interruption(state)


def as_corrected(lie: tuple[TrayDie, ...], state: TableState) -> tuple[TrayDie, ...]:
    """Return the dice as the last roll says by now that they show."""
    dice = state.play.last_roll.dice if state.play.last_roll else ()
    faces = {die.center_px: die.face for die in dice if die.edge_px}
    return tuple(replace(die, face=faces.get(die.center_px, die.face)) for die in lie)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(min_value=0), confirm=st.sampled_from(Confirm))
def test_a_restart_at_any_time_keeps_confirmed_actions(seed: int, confirm: Confirm) -> None:
    chance = random.Random(seed)
    state, entries = TableState(setup=Setup(confirm=confirm)), list[JournalEntry]()
    lie: tuple[TrayDie, ...] = ()
    after = come_back(entries, confirm)
    for _ in range(60):
        state, effects = journalled(state, any_event(state, chance))
        if effects:
            entries += entries_of(effects)
            after = come_back(entries, confirm)
        if any(effect.kind == "roll" for effect in effects):
            lie = state.dice_on_felt
        if any(effect.kind == "correction" for effect in effects):
            lie = as_corrected(lie, state)
        assert confirmed(after) == confirmed(state)
        assert after.phase is phase_after(state)
        assert after.dice_on_felt == lie
        assert (after.reading.doubts, after.notice, after.troubles.faults) == ((), None, ())
        if state.play.position is not None:
            names = state.setup.shown_names
            assert play(after, names).lobby == play(state, names).lobby


def test_a_restart_keeps_a_corrected_roll() -> None:
    over, effects = TableState(lobby=Lobby(seats=("Ada",))), entries_of(())
    events: tuple[Event, ...] = (CONFIRM,)
    spot = 0
    while True:
        over, written = journalled(over, *events)
        effects += entries_of(written)
        if over.phase is Phase.GAME_OVER:
            break
        spot += over.phase is Phase.AWAITING_ROLL
        events = throw_of("11111", spot=spot) if over.phase is Phase.AWAITING_ROLL else (CONFIRM,)
    state, written = journalled(over, on.RollCorrected("11112", "Eva", "A two."))
    after = come_back(effects + entries_of(written))
    assert (after.phase, confirmed(after)) == (Phase.CHOOSING, confirmed(state))


@pytest.mark.parametrize("kind", ["review", "reviewed", "correction"])
def test_a_second_look_at_no_roll_is_refused(kind: str) -> None:
    body: Body = {"by": "Eva", "roll": "13446", "reason": "", "outcome": "stands"}
    seated = entries_of(journalled(lobby_of("Ada", "Ben"), CONFIRM)[1])
    with pytest.raises(InputError, match=r"a (review|roll) before it"):
        come_back([*seated, (kind, body)])


def test_a_restart_ignores_panel_numbers() -> None:
    pressed = (
        on.KeyPressed(Key.CONFIRM, 1),
        on.KeyPressed(Key.BACK, 1),
        on.KeyPressed(Key.CONFIRM, 1),
    )
    events = (*throw_of("13446"), *pressed)
    state, effects = journalled(lobby_of("Ada", "Ben"), on.KeyPressed(Key.CONFIRM, 2), *events)
    entries = entries_of(effects)
    assert [body.get("panel") for _, body in entries] == [2, None, 1, 1, 1]
    older: list[JournalEntry] = [
        (kind, {key: value for key, value in body.items() if key != "panel"})
        for kind, body in entries
    ]
    assert come_back(entries) == come_back(older)
    assert confirmed(come_back(entries)) == confirmed(state)


def test_a_die_is_found_to_a_thousandth_of_a_pixel() -> None:
    dice = tuple(
        replace(one, center_px=(100.125, 7.001), angle_deg=89.999, edge_px=41.5)
        for one in thrown("13446")
    )
    state, effects = journalled(lobby_of("Ada", "Ben"), CONFIRM, *throw_of(""), *throw_of("13446"))
    assert state.dice_on_felt == come_back(entries_of(effects)).dice_on_felt
    kind, body = entries_of(effects)[-1]
    lie = [
        {**one, "x_mpx": 100125, "y_mpx": 7001, "angle_mdeg": 89999, "edge_mpx": 41500}
        for one in json.loads(json.dumps(body["lie"]))
    ]
    changed = [*entries_of(effects)[:-1], (kind, {**body, "lie": lie})]
    assert come_back(changed).dice_on_felt == dice


def test_faces_entered_by_hand_come_back_with_who_entered_them() -> None:
    events = (CONFIRM, *doubtful_throw(picture="abc"), on.FacesEntered("64431", "Eva"))
    state, effects = journalled(lobby_of("Ada", "Ben"), *events)
    after = come_back(entries_of(effects))
    assert (after.play.by_hand, after.picture) == ("Eva", "abc")
    assert after.play.roll_dice == state.play.roll_dice
    assert after.dice_on_felt == state.dice_on_felt == thrown("1344")


def test_a_whole_game_its_end_and_the_undo_of_its_end_come_back() -> None:
    state, entries, spot = lobby_of("Ada", "Ben"), list[JournalEntry](), 0
    phases = set()
    while [kind for kind, _ in entries].count("game") < 2:
        events: tuple[Event, ...] = (CONFIRM,)
        if state.phase is Phase.AWAITING_ROLL:
            events, spot = throw_of("11111", spot=spot), spot + 1
        elif state.phase is Phase.GAME_OVER:
            events = (on.UndoRequested(), CONFIRM, CONFIRM)  # The last one starts a rematch.
        for event in events:
            state, effects = step(state, event)
            entries += entries_of(effects)
            after = come_back(entries)
            assert confirmed(after) == confirmed(state)
            phases.add(after.phase)
    assert phases == {Phase.AWAITING_ROLL, Phase.CHOOSING, Phase.GAME_OVER}
    assert [kind for kind, _ in entries[-4:]] == ["action", "undo", "action", "game"]


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(min_value=0))
def test_entries_hold_only_whole_numbers_and_texts(seed: int) -> None:
    def floats_in(value: object) -> bool:
        if isinstance(value, dict):
            return any(not isinstance(key, str) or floats_in(value[key]) for key in value)
        if isinstance(value, list):
            return any(floats_in(one) for one in value)
        return not isinstance(value, bool | int | str)

    chance, state = random.Random(seed), lobby_of("Ada", "Ben")
    for _ in range(60):
        state, effects = journalled(state, any_event(state, chance))
        assert not any(floats_in(effect.body) for effect in effects)
        assert all(effect.picture == effect.body.get("picture", "") for effect in effects)


FIRST: dict[str, Value] = {
    "face": 1,
    "polarity": "light",
    "colour": "white",
    "x_mpx": 100_000,
    "y_mpx": 100_000,
    "angle_mdeg": 0,
    "edge_mpx": 40_000,
}

LIE: list[Value] = [
    {**FIRST, "face": face, "x_mpx": 100_000 * place}
    for place, face in enumerate((1, 3, 4, 4, 6), start=1)
]

GAME: JournalEntry = ("game", {"game": "choice", "players": ["Ada"], "options": {}})

ROLL: JournalEntry = (
    "roll",
    {"by": "Ada", "roll": "13446", "by_hand": "", "lie": LIE, "doubts": [], "picture": ""},
)

CORRECTION: JournalEntry = ("correction", {"by": "Eva", "roll": "63446", "reason": "A six."})


def roll_with(**changed: object) -> JournalEntry:
    body: Body = json.loads(json.dumps({**ROLL[1], **changed}))
    return "roll", body


@pytest.mark.parametrize(
    ("entries", "where", "what"),
    [
        ([ROLL], "entry 1", "roll: expected a game before it"),
        ([("action", {"by": "Ada", "do": "4+10/4"})], "entry 1", "a game before it"),
        ([("undo", {})], "entry 1", "a game before it"),
        ([GAME, ("undo", {})], "entry 2", "undo: "),
        ([GAME, ROLL, ROLL], "entry 3", "roll: "),
        ([GAME, ROLL, ("action", {"by": "Ada", "do": "2+3/6"})], "entry 3", "action: "),
        ([GAME, ROLL, ("action", {"by": "Ada"})], "entry 3", "missing required field `do`"),
        ([GAME, roll_with(by="Zoe")], "entry 2", "roll: "),
        ([GAME, roll_with(lie=7)], "entry 2", "Expected `array`, got `int` - at `$.lie`"),
        ([GAME, roll_with(lie=[7])], "entry 2", "Expected `object`, got `int` - at `$.lie[0]`"),
        ([GAME, roll_with(lie=[{}])], "entry 2", "required field `face` - at `$.lie[0]`"),
        (
            [GAME, roll_with(lie=[])],
            "entry 2",
            "roll: expected 5 dice that show 1 to 6, found none",
        ),
        ([GAME, roll_with(lie=LIE[:4])], "entry 2", "5 dice that show 1 to 6, found 1 3 4 4"),
        ([GAME, roll_with(lie=[*LIE[1:], {**FIRST, "face": 7}])], "entry 2", "found 3 4 4 6 7"),
        ([GAME, roll_with(lie=[{**FIRST, "x_mpx": 10**400}, *LIE[1:]])], "entry 2", "roll: "),
        ([GAME, ROLL, ("review", {"by": ""}), ("review", {"by": ""})], "entry 4", "review: "),
        (
            [GAME, roll_with(by_hand="Eva", dice_on_felt=[]), CORRECTION, CORRECTION, ROLL],
            "entry 5",
            "roll: ",
        ),
        ([("game", {**GAME[1], "game": "halma"})], "entry 1", "found 'halma'"),
        ([("game", {**GAME[1], "players": []})], "entry 1", "game: players"),
    ],
)
def test_an_entry_that_does_not_follow_is_named(
    entries: list[JournalEntry], where: str, what: str
) -> None:
    with pytest.raises(InputError) as refused:
        come_back(entries)
    assert refused.value.where == where
    assert what in refused.value.found


def test_entries_about_anything_else_change_no_game() -> None:
    others: list[JournalEntry] = [("genesis", {"format": 1}), ("restart", {"torn": ""})]
    assert come_back([*others, GAME, *others, ROLL, *others]) == come_back([GAME, ROLL])


JUNK: tuple[Any, ...] = (None, -1, 7, 10**400, True, "", "x", "63446", "w1 b2", [], [[]], {})


def spoil(value: Any, chance: random.Random) -> None:
    """Put junk somewhere into what an entry says, or take something out of it."""
    key = chance.choice([*(value if isinstance(value, dict) else range(len(value)))])
    inner = value[key]
    if isinstance(inner, dict | list) and inner and chance.random() < 0.7:
        spoil(inner, chance)
    elif chance.random() < 0.3:
        del value[key]
    else:
        value[key] = chance.choice(JUNK)


@settings(deadline=None, max_examples=80)
@given(seed=st.integers(min_value=0))
def test_any_journal_is_shown_or_refused(seed: int) -> None:
    chance, state, entries = random.Random(seed), lobby_of("Ada", "Ben"), list[JournalEntry]()
    for _ in range(40):
        state, effects = journalled(state, any_event(state, chance))
        entries += entries_of(effects)
    read = json.loads(json.dumps(entries))
    for _ in range(2):
        spoil(chance.choice([body for _, body in read if body]), chance)
        read.insert(chance.randrange(len(read)), chance.choice(read))
    with suppress(InputError):
        view(restore_table(lobby_of("Ada", "Ben"), read))


@pytest.mark.parametrize("seed", range(6))
def test_old_signed_games_need_not_be_played_again(seed: int) -> None:
    """A restart shows the same table, whatever it played before, and wherever it was signed."""
    chance, journal = random.Random(seed), WrittenJournal()
    for number, key in enumerate((*GAMES, *GAMES)):
        game = RandomGame(journal, key, names=NAMES[number % 4 :], seed=seed * 100 + number)
        game.play(chance.choice([0, 3, 60]))
        journal.add(*chance.choice([("closed",), ("parked",), ("memory_lost",)]))
    for end in chance.sample(range(len(journal.entries)), 5):
        entries = journal.entries[:end]
        whole = restore_from_journal(TableState(), iter(entries))
        for signed in (end // 2, end):
            assert restore_from_journal(TableState(), iter(entries), signed=signed) == whole


def test_signed_games_before_the_last_two_are_left_out() -> None:
    journal = WrittenJournal()
    for number in range(3):
        RandomGame(journal, "choice", seed=number, mischief=0).play(5)
        journal.add("closed")
    first = next(entry for entry in journal.entries if entry.kind == "roll")
    body = {**first.body, "by": "nobody who plays"}
    entries = [replace(e, body=body) if e is first else e for e in journal.entries]
    assert restore_from_journal(
        lobby_of("Ada", "Ben"), entries, signed=len(entries)
    ).setup.known_players
    with pytest.raises(InputError, match=f"entry {first.seq + 1}: expected entries that follow"):
        restore_from_journal(TableState(), entries)
