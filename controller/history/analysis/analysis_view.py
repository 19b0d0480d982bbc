# SPDX-License-Identifier: MIT
"""The account of one game as a page shows it: plain values, choices in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypedDict

from controller.coach.account import ChoiceCost, GameAccount
from controller.coach.contract import Unit
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameState, RollEvent
from controller.games.ui import TurnContext
from controller.journal.records.from_journal import JournalGame


class DearChoice(TypedDict):
    """
    A dear choice: the dice, what was chosen and what was best, in words, and the cost.

    `chance` is what the best choice would have changed in the chance to win; None if nothing
    certain can be said.
    """

    roll: int
    dice: list[str]
    chosen: str
    best: str
    cost: float
    chance: float | None


class PlayerAnalysis(TypedDict):
    """One player's sums in the unit of the analysis; `rest` is what is neither luck nor play."""

    name: str
    result: float
    luck: float
    play: float
    others: float
    rest: float
    adjusted: float
    choices: int
    dearest: list[DearChoice]


class AnalysisView(TypedDict, total=False):
    """
    One game. Only `state` is always there: `working` until the account is built, `unknown` for a
    game that no coach knows.

    `unit` is `points` or `chance`. `equal_below` is 0 if the coach is exact. `values` are what the
    game was worth to each player at the start and after each roll, `chances` the chances to win,
    empty for a roll where nothing certain can be said.
    """

    state: Literal["working", "unknown", "ready"]
    unit: str
    equal_below: float
    weights: str
    players: list[PlayerAnalysis]
    values: list[list[float]]
    chances: list[list[float]]


def build_view(account: GameAccount, game: JournalGame, names: Sequence[str]) -> AnalysisView:
    """Return an account with its dearest choices in words."""
    dearest = describe_dearest(account, game)
    start = [player.start for player in account.players]
    return {
        "state": "ready",
        "unit": account.unit,
        "equal_below": account.equal_below,
        "weights": account.weights,
        "players": [
            {
                "name": name,
                "result": player.final,
                "luck": player.luck,
                "play": player.play,
                "others": player.others,
                "rest": player.rest,
                "adjusted": player.adjusted,
                "choices": player.choices,
                "dearest": own,
            }
            for name, player, own in zip(names, account.players, dearest, strict=True)
        ],
        "values": [start, *(list(roll.values) for roll in account.rolls)],
        "chances": _list_chances(account),
    }


def describe_dearest(account: GameAccount, game: JournalGame) -> list[list[DearChoice]]:
    """Return each player's dearest choices in words, by seat."""
    words = _ChoiceWords(game)
    return [
        [words.describe(choice) for choice in account.list_dearest(seat)]
        for seat in range(len(account.players))
    ]


def _list_chances(account: GameAccount) -> list[list[float]]:
    """Return the chances at the start and after each roll; empty if they say nothing new."""
    if account.unit == Unit.CHANCE.value:
        return []
    chances = [list(account.start_chances), *(list(roll.chances) for roll in account.rolls)]
    return chances if any(chances) else []


class _ChoiceWords:
    """Describes choices of one game in words, from the positions before them."""

    def __init__(self, game: JournalGame) -> None:
        self._rules = GAMES[game.header.game]
        self._players = game.header.players
        self._positions = dict(self._list_positions(game))

    def describe(self, choice: ChoiceCost) -> DearChoice:
        player = self._players[choice.seat]
        position = self._positions[choice.roll, player, choice.chosen]
        return {
            "roll": choice.roll,
            "dice": list(position.player_dice(player)),
            "chosen": self._describe_action(position, player, choice.chosen),
            "best": self._describe_action(position, player, choice.best),
            "cost": choice.cost,
            "chance": choice.chance,
        }

    def _list_positions(
        self, game: JournalGame
    ) -> Iterator[tuple[tuple[int, str, str], GameState]]:
        """Yield the position before each action, by its roll, its player and itself."""
        header = game.header
        position, roll = self._rules.start(header.players, header.options), 0
        for event in game.events():
            roll += isinstance(event, RollEvent)
            if isinstance(event, ActionEvent):
                yield (roll, event.by, event.action), position
            position = position.apply(event)

    def _describe_action(self, position: GameState, player: str, action: str) -> str:
        """Return an action in words; one that the screen does not offer in its notation."""
        ui = self._rules.ui
        for offer in ui.list_offers(position, player):
            if offer.action == action:
                faces = tuple(int(die[-1]) for die in position.player_dice(player))
                turn = TurnContext(chooser=player, is_choosing=True, faces=faces, action=action)
                return ui.create_view(position, turn).describe_choice(offer)
        return action
