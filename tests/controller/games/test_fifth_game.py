# SPDX-License-Identifier: MIT
"""A game of a few lines that touches only this room and the registry, played everywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from controller.base.errors import IllegalActionError
from controller.games import GAMES
from controller.games.contract import (
    ActionEvent,
    Expects,
    GameEvent,
    GameOutcome,
    GameState,
    Json,
    OptionRule,
    Options,
    RollEvent,
    require_players,
)
from controller.games.dice import parse_roll, roll_text
from controller.games.ui import (
    DieGroup,
    GameUI,
    HelpPart,
    OfferedChoice,
    Prompt,
    Selection,
    SelectionResult,
    TurnContext,
    help_part,
    plain_offer,
    select_action,
)
from controller.journal.records.from_journal import JournalGames, export_record
from controller.journal.records.replay import replay
from controller.journal.signing_key import TableKey
from controller.table.events import DieTapped
from controller.table.journal_entries import restore_table
from controller.table.state import Phase, TableState
from tests.controller.verify.journals import SignedJournal, breaks_of, checked
from tests.support.table import BACK, CONFIRM, entries_of, journalled, play, table, throw_of, view

THROWS = 3


@dataclass(frozen=True, slots=True)
class HighestState:
    """Everybody throws three dice up to three times in one turn; the highest total wins."""

    players: tuple[str, ...]
    best: tuple[int, ...]
    seat: int = 0
    throws: int = 0
    faces: tuple[int, ...] = ()

    @property
    def options(self) -> Options:
        return {}

    @property
    def acted(self) -> tuple[str, ...]:
        return self.players[: self.seat]

    def expects(self) -> Expects:
        if self.outcome() is not None:
            return Expects()
        player = self.players[self.seat]
        return (
            Expects(do={player: self.legal_actions(player)}) if self.faces else Expects((player,))
        )

    def legal_actions(self, player: str) -> tuple[str, ...]:
        if not self.faces or self.players.index(player) != self.seat:
            return ()
        return ("keep", "again") if self.throws < THROWS else ("keep",)

    def player_dice(self, player: str) -> tuple[str, ...]:
        return tuple(roll_text(self.faces)) if self.legal_actions(player) else ()

    def dice_to_leave(self, player: str) -> tuple[str, ...]:
        return ()

    def required_dice(self, player: str) -> tuple[str, ...]:
        return ()

    def hold_action(self, player: str, kept: Sequence[str]) -> str | None:
        return None if kept else "again"

    def apply(self, event: GameEvent) -> HighestState:
        expects = self.expects()
        if isinstance(event, RollEvent) and event.by in expects.roll:
            faces = parse_roll(event.roll, count=3)
            best = max(self.best[self.seat], sum(faces))
            totals = (*self.best[: self.seat], best, *self.best[self.seat + 1 :])
            return replace(self, best=totals, throws=self.throws + 1, faces=faces)
        if isinstance(event, ActionEvent) and event.action in expects.do.get(event.by, ()):
            if event.action == "again":
                return replace(self, faces=())
            return replace(self, seat=self.seat + 1, throws=0, faces=())
        action = f"roll {event.roll}" if isinstance(event, RollEvent) else event.action
        raise IllegalActionError(player=event.by, action=action, expected=(), state="highest")

    def has_round_ended(self, before: GameState) -> bool:
        return False

    def is_finished(self, player: str) -> bool:
        return self.players.index(player) < self.seat

    def totals(self) -> dict[str, int]:
        return dict(zip(self.players, self.best, strict=True))

    def outcome(self) -> GameOutcome | None:
        if self.seat < len(self.players):
            return None
        totals = self.totals()
        winners = tuple(name for name in totals if totals[name] == max(self.best))
        return GameOutcome(winners, tuple(name for name in totals if name not in winners))

    def sheet(self, player: str) -> dict[str, Json]:
        return {"best": self.totals()[player]}


@dataclass(frozen=True, slots=True)
class HighestView:
    """Its sheet is one number."""

    game: HighestState
    turn: TurnContext

    def sheet(self, player: str) -> Mapping[str, Any]:
        return {"kind": "highest", "best": self.game.totals()[player]}

    def board(self) -> None:
        """Nothing lies in the middle."""

    def throw_prompt(self) -> Prompt:
        return Prompt(f"{self.turn.roller}: throw three dice", "All of them at once.")

    def choose_prompt(self) -> Prompt:
        return Prompt(f"{self.turn.chooser}: keep it?", f"Throw {self.game.throws} of {THROWS}.")

    def describe_choice(self, choice: OfferedChoice) -> str:
        return "keep the best" if choice.action == "keep" else "throw again"

    def confirm_label(self) -> str:
        return self.turn.action

    def groups(self) -> Mapping[int, DieGroup]:
        return dict.fromkeys(range(3), "thrown") if self.turn.action == "again" else {}

    def progress_text(self) -> str:
        return f"Throw {self.game.throws} of {THROWS}"

    def outcome_text(self, outcome: GameOutcome) -> str:
        return f"{' and '.join(outcome.winners)} had the highest roll."


class HighestUI(GameUI[HighestState]):
    """A tap on any die means all of them."""

    def list_offers(self, position: HighestState, player: str) -> tuple[OfferedChoice, ...]:
        actions = position.legal_actions(player)
        return tuple(plain_offer(position, player, action, action) for action in actions)

    def tap_die(
        self, position: HighestState, player: str, turn: TurnContext, index: int
    ) -> SelectionResult:
        return select_action(Selection((index,)), "again", self.list_offers(position, player))

    def create_view(self, position: HighestState, turn: TurnContext) -> HighestView:
        return HighestView(position, turn)

    def build_help(self, options: Options) -> list[HelpPart]:
        return [help_part("What it is about", "The highest of three rolls wins.")]


class HighestGame:
    """What stands in the registry."""

    key = "highest"
    title = "Highest roll of three"
    options: Mapping[str, OptionRule] = {}
    players_range: tuple[int, int | None] = (2, None)
    chooses_together = False
    polarities = ("",) * 3
    ui: GameUI[Any] = HighestUI()

    def start(self, players: Sequence[str], options: Options) -> HighestState:
        names = require_players(players, fewest=2, most=None)
        return HighestState(names, (0,) * len(names))

    def die_text(self, face: int, polarity: str) -> str:
        return str(face)

    def parse_roll(self, text: str) -> tuple[str, ...]:
        return tuple(roll_text(parse_roll(text, count=3)))

    def roll_text(self, faces: Sequence[int], polarities: Sequence[str]) -> str:
        return roll_text(faces)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game to the registry, as its one line there would."""
    monkeypatch.setitem(GAMES, HighestGame.key, HighestGame())


def played_game() -> tuple[TableState, list[tuple[str, Any]]]:
    """Return a finished game and its journal entries: Ada throws again twice, Ben keeps."""
    state, effects = journalled(
        table("Ada", "Ben", game="highest"),
        *throw_of("112", spot=1),
        DieTapped(0),
        CONFIRM,
        *throw_of("664", spot=2),
        *throw_of("123", spot=3),
        CONFIRM,
        *throw_of("555", spot=4),
        CONFIRM,
    )
    return state, [_begin(), *entries_of(effects)]


def _begin() -> tuple[str, Any]:
    return "game", {"game": "highest", "players": ["Ada", "Ben"], "options": {}}


def test_the_table_plays_it_to_its_end() -> None:
    state, _ = played_game()
    assert state.phase is Phase.GAME_OVER
    assert state.play.position is not None
    assert state.play.position.totals() == {"Ada": 16, "Ben": 15}


def test_a_hand_that_takes_the_dice_throws_again() -> None:
    """The second throw needs no press: nothing stayed, so it follows from the dice."""
    state = play(table("Ada", "Ben", game="highest"), *throw_of("112", spot=1))
    again = play(state, *throw_of("666", spot=2))
    assert again.play.position is not None
    assert (again.play.position.totals()["Ada"], again.play.position.faces) == (18, (6, 6, 6))


def test_the_kiosk_shows_it() -> None:
    state = play(table("Ada", "Ben", game="highest"), *throw_of("112", spot=1))
    shown = view(state)
    assert (shown["title"], shown["headline"]) == ("Highest roll of three", "Ada: keep it?")
    assert [choice["text"] for choice in shown["choices"]] == ["keep the best", "throw again"]
    assert shown["players"][0]["sheet"] == {"kind": "highest", "best": 4}
    tapped = view(play(state, DieTapped(1)))
    assert (tapped["cursor"], tapped["buttons"]["confirm"]) == (1, "again")
    assert {die["group"] for die in tapped["dice"]} == {"thrown"}
    assert view(play(state, DieTapped(1), BACK))["cursor"] == 0
    assert json.loads(json.dumps(shown))["help"]["parts"][0]["heading"] == "What it is about"
    end = view(played_game()[0])["outcome"]
    assert end is not None
    assert end["text"] == "Ada had the highest roll."


def test_a_restart_comes_back_to_it() -> None:
    state, entries = played_game()
    after = restore_table(TableState(), entries)
    assert (after.play.position, after.phase) == (state.play.position, state.phase)


def test_its_journal_is_verified_and_its_record_replays(tmp_path: Path) -> None:
    journal = SignedJournal(TableKey.load_or_create(tmp_path))
    for kind, body in played_game()[1]:
        journal.add(kind, body)
    journal.sign()
    examined = checked(tmp_path, journal.lines())
    assert breaks_of(examined) == []
    assert (examined.games, examined.signatures.signed) == (1, 1)
    record = export_record(JournalGames(journal.entries)[0])
    replayed = replay(record.encode().splitlines(keepends=True))
    assert replayed.state.totals() == {"Ada": 16, "Ben": 15}
