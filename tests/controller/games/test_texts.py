# SPDX-License-Identifier: MIT
"""Every text of a game, from the first throw to its end, can be shown in another language."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from controller.base.errors import IllegalActionError
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameEvent, GameState, Options, RollEvent
from controller.games.ui import EMPTY_SELECTION, GameUI, TurnContext
from controller.table.refusal_text import explain_refusal
from tests.controller.base.languages.bare_texts import (
    find_bare_texts,
    find_unknown_templates,
    list_messages,
)
from tests.controller.games.playing import NAMES, random_game

PLAYERS = NAMES[:3]
VARIANTS: dict[str, tuple[str, Options]] = {
    "choice": ("choice", {"jokers": False}),
    "choice with jokers": ("choice", {"jokers": True}),
    "black-n-white": ("black-n-white", {"chips_per_player": 1}),
    "wuerfelspiel": ("wuerfelspiel", {}),
    "dice": ("dice", {"dice": 2}),
}
ACTIONS = (
    *("4+10/4", "3:1 11+4/3", "3:1 9+5/1", "terminator", "corrector 2>6"),
    *("hold", "hold 445", "hold 66666", "chance*3", "bonus*1"),
    *("throw", "again", "dice 3", "end"),
    *("stop", "throw both", "tens white", "tens black", "nonsense"),
)
"""Actions of all games; few of them are legal in a position."""


def show_all(ui: GameUI[GameState], game: GameState, chance: random.Random) -> Iterator[object]:
    """Yield what screens show of a position, with some of its choices and taps."""
    expects = game.expects()
    rollers = expects.roll
    choosers = [name for name in expects.do if name not in rollers]
    outcome = game.outcome()
    for roller in rollers:
        view = ui.create_view(game, TurnContext(roller=roller))
        prompt = view.throw_prompt()
        yield {"headline": prompt.headline, "hint": prompt.hint, "progress": view.progress_text()}
    for player in choosers:
        yield from show_choices(ui, game, player, chance)
    if outcome is not None:
        view = ui.create_view(game, TurnContext())
        yield {"text": view.outcome_text(outcome), "progress": view.progress_text()}


def show_choices(
    ui: GameUI[GameState], game: GameState, player: str, chance: random.Random
) -> Iterator[object]:
    """Yield what a player sees while choosing: offers, the sheet, the board, and some taps."""
    offers = ui.list_offers(game, player)
    faces = tuple(int(die[-1]) for die in game.player_dice(player))
    for offer in chance.sample(offers, min(2, len(offers))):
        view = ui.create_view(game, TurnContext(None, player, True, faces, action=offer.action))
        prompt = view.choose_prompt()
        yield {
            "headline": prompt.headline,
            "hint": prompt.hint,
            "text": view.describe_choice(offer),
        }
        yield {"confirm": view.confirm_label(), "progress": view.progress_text()}
        yield [view.sheet(player), view.board()]
    selection = EMPTY_SELECTION
    for _ in range(8):
        turn = TurnContext(None, player, True, faces, selection)
        if chance.random() < 0.2:
            joker = chance.choice(("terminator", "corrector", "3:1"))
            found = ui.tap_joker(game, player, turn, joker)
        else:
            found = ui.tap_die(game, player, turn, chance.randrange(len(faces)))
        selection = selection if found.selection is None else found.selection
        tapped = ui.create_view(game, TurnContext(None, player, True, faces, selection))
        yield {"text": found.refusal, "mend": found.remedy, "hint": tapped.choose_prompt().hint}


def refuse_all(game: GameState) -> Iterator[object]:
    """Yield why wrong actions and rolls are refused."""
    for name in ("Ada", "Zoe"):
        wrong: list[GameEvent] = [ActionEvent(name, action) for action in ACTIONS]
        wrong += [RollEvent(name, roll) for roll in ("13446", "w1 b2", "")]
        for event in wrong:
            try:
                game.apply(event)
            except IllegalActionError as error:
                yield {"text": explain_refusal(error)}


@cache
def texts_of(variant: str) -> tuple[object, ...]:
    """Return what is shown in a whole game of a variant, and its help."""
    key, options = VARIANTS[variant]
    rules, chance, shown = GAMES[key], random.Random(7), list[object]()
    shown += [{"title": rules.title}, rules.ui.build_help(options)]
    shown += rules.ui.build_example()
    shown += [{"label": rule.label} for rule in rules.options.values()]
    for _, _, game in random_game(rules, len(PLAYERS), seed=7, options=options):
        # A Würfelspiel has hundreds of positions, which say the same again and again.
        if game.outcome() or key != "wuerfelspiel" or chance.random() < 0.3:
            shown += show_all(rules.ui, game, chance)
        shown += refuse_all(game) if game.outcome() or chance.random() < 0.2 else ()
    return tuple(shown)


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_game_has_no_text_without_translation(variant: str) -> None:
    names = (*PLAYERS, "Zoe", "bonus", "nonsense")
    assert set(find_bare_texts(texts_of(variant), names)) == set()


@pytest.mark.parametrize("variant", VARIANTS)
def test_templates_of_a_game_stand_in_the_code(variant: str) -> None:
    folders = ("controller/games", "controller/table", "controller/base/languages")
    assert find_unknown_templates(texts_of(variant), folders) == set()


def test_whole_games_show_nearly_every_text_of_the_games() -> None:
    shown = {text.template for variant in VARIANTS for text in list_messages(texts_of(variant))}
    assert len(shown) > 150, sorted(shown)
