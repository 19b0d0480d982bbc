# SPDX-License-Identifier: MIT
"""A game as the history has it: what counted in the journal, roll by roll, whatever happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.games.contract import ActionEvent, Options, RollEvent
from controller.games.decisive import find_decisive
from controller.history.history import TableHistory
from controller.history.views import GameRoll, GameRolls
from controller.journal.hashchain import Body
from controller.journal.records.from_journal import JournalGames, export_record
from tests.controller.history.written_games import (
    add_action,
    add_finished,
    add_game,
    add_roll,
    begin_journal,
    open_history,
)
from tests.support.random_journal import PLAYED, RandomGame, WrittenJournal


def read(journal: WrittenJournal, folder: Path, number: int = 1) -> GameRolls:
    found = open_history(journal, folder).read_rolls(number)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "options"), PLAYED)
def test_a_random_game_is_that_of_its_record(
    game: str, options: Options, seed: int, tmp_path: Path
) -> None:
    """Undone and corrected things too: the record is written by other code."""
    journal = begin_journal()
    played = RandomGame(journal, game, players=3, options=options, seed=seed, mischief=0.4)
    end = played.play()
    found = read(journal, tmp_path)
    (recorded,) = JournalGames(journal.entries)
    names = [seat.name for seat in found.summary.players]
    events: list[RollEvent | ActionEvent] = []
    for roll in found.rolls:
        by = names[roll.seat]
        if roll.held:
            events.append(ActionEvent(by, roll.held))
        text = " ".join(roll.dice) if game == "black-n-white" else "".join(roll.dice)
        events.append(RollEvent(by, text))
        events += [ActionEvent(names[one.seat], one.action) for one in roll.choices]
    expected = [
        RollEvent(one.by, one.roll) if isinstance(one, RollEvent) else one
        for one in recorded.events()
    ]
    assert events == expected
    assert found.summary.status == "finished"
    assert found.summary.problem == ""
    assert dict(zip(names, found.rolls[-1].totals, strict=True)) == end.totals()
    assert found.summary.marked_rolls == sum(
        bool(roll.was or roll.by_hand or roll.is_doubted) for roll in found.rolls
    )
    if not options.get("jokers") and game != "black-n-white":
        # Nothing but choices changes a total here, so the gains add up to the curve.
        sums = list(found.start)
        for roll in found.rolls:
            for one in roll.choices:
                sums[one.seat] += one.gain
            assert tuple(sums) == roll.totals


def test_a_correction_after_the_end_counts(tmp_path: Path) -> None:
    journal = begin_journal()
    game = RandomGame(journal, "choice", players=2, seed=1, mischief=0)
    game.play()
    before = read(journal, tmp_path)
    game._correct()
    after = read(journal, tmp_path / "corrected")
    assert (before.summary.status, after.summary.status) == ("finished", "open")
    assert after.rolls[-1].was == before.rolls[-1].dice
    assert after.rolls[-1].corrected_by == "Eva"
    assert after.summary.winners == ()


def test_a_correction_is_seen_by_an_index_that_has_the_end(tmp_path: Path) -> None:
    journal = begin_journal()
    game = RandomGame(journal, "choice", players=2, seed=1, mischief=0)
    game.play()
    history = open_history(journal, tmp_path)
    assert history.read_table().games == {"finished": 1}
    game._correct()
    journal.write(tmp_path)
    assert history.read_table().games == {"open": 1}
    assert history.list_games().games[0].status == "open"


def test_games_are_parked_continued_and_left(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", "Ben")
    add_roll(journal, "Ada", "13446")
    journal.add("parked")
    history = open_history(journal, tmp_path)
    assert [game.status for game in history.list_games().games] == ["parked"]
    journal.add("restart")
    journal.add("continued")
    add_action(journal, "Ada", "4+10/4")
    journal.write(tmp_path)
    found = history.read_rolls(1)
    assert found is not None
    assert found.summary.status == "open"
    assert [one.action for one in found.rolls[0].choices] == ["4+10/4"]
    journal.add("closed")
    add_game(journal, "Ada", "Ben")
    journal.add("parked")
    add_finished(journal, ("Ada", "Ben"))
    journal.write(tmp_path)
    games = history.list_games().games
    assert [game.status for game in games] == ["finished", "left", "left"]
    assert [seat.place for seat in games[1].players] == [0, 0]


def test_an_entry_against_the_rules_counts_nowhere(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", "Ben")
    add_roll(journal, "Ada", "13446")
    refused = journal.add("action", {"by": "Ada", "do": "2+2/2"})
    add_finished(journal, ("Ada", "Ben"), seed=2)
    history = open_history(journal, tmp_path)
    broken, fine = history.find_game(1), history.find_game(2)
    assert broken is not None
    assert fine is not None
    assert str(refused.seq) in broken.problem
    assert fine.problem == ""
    player = history.read_player("Ada")
    assert player is not None
    assert (player.entry.games, player.entry.finished) == (2, 1)
    assert player.dice.dice == 5 * sum(roll.seat == 0 for roll in rolls_of(history, 2))


def test_a_result_that_the_rules_do_not_give_is_named(tmp_path: Path) -> None:
    journal = begin_journal()
    RandomGame(journal, "choice", players=2, seed=1, mischief=0).play()
    last = journal.entries.pop()
    result: Body = {"totals": {}, "winners": ["Ben"], "losers": []}
    wrong: Body = {**last.body, "result": result}
    journal.add("action", wrong)
    assert read(journal, tmp_path).summary.problem


def test_time_leaves_out_pauses_and_jumps_of_the_clock(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", "Ben")
    began_ms = journal.entries[-1].at_ms
    add_roll(journal, "Ada", "13446")
    journal.add("pause")
    journal.add("resume", at_ms=began_ms + 600_000)
    journal.add("clock", {"jump_ms": 3_600_000}, at_ms=began_ms + 4_203_000)
    journal.add("fault", {"device": "camera", "what": "gone"})
    journal.add("restart", at_ms=began_ms + 90_000_000)
    add_action(journal, "Ben", "4+10/4")
    add_action(journal, "Ada", "4+10/4")
    journal.add("closed", at_ms=journal.next_at_ms + 96_000)
    found = read(journal, tmp_path)
    # Roll 4 s, up to the pause 4 s, up to the clock 3 s, to the fault 4 s, both choices 4 s each,
    # to the end 100 s. In the restart nothing counts.
    assert found.summary.played_ms == 4000 * 5 + 3000 + 100_000
    history = TableHistory(tmp_path)
    history.index.catch_up()
    ada, ben = history.read_player("Ada"), history.read_player("Ben")
    assert ada is not None
    assert ben is not None
    assert (ada.turns, ada.turn_ms) == (1, 4000 + 4000 + 3000 + 4000 + 4000 + 4000)
    assert (ben.turns, ben.turn_ms) == (1, 4000 + 3000 + 4000 + 4000)


def test_throws_of_one_turn_are_one_turn(tmp_path: Path) -> None:
    """Also alone: nobody else's turn is between them."""
    journal = begin_journal()
    add_game(journal, "Ada", game="wuerfelspiel")
    add_roll(journal, "Ada", "44512")
    add_roll(journal, "Ada", "44566", held="hold 44")
    add_action(journal, "Ada", "hold 4")
    add_roll(journal, "Ada", "41111")
    add_action(journal, "Ada", "chance*1")
    add_roll(journal, "Ada", "11112")
    add_action(journal, "Ada", "ones*1")
    history = open_history(journal, tmp_path)
    found = history.read_player("Ada")
    assert found is not None
    assert history.index.last_game is not None
    assert list(history.index.last_game.clock.turns.values()) == [20_000, 8_000]


@pytest.mark.parametrize(
    ("curve", "winners", "losers", "decisive"),
    [
        ([(0, 9), (5, 9), (12, 9), (20, 9)], [0], [1], 2),
        ([(9, 0), (12, 0)], [0], [1], 0),
        ([(0, 0), (5, 5)], [0, 1], [], -1),
        ([(5,)], [0], [], -1),
        ([(1, 0), (1, 1), (0, 1), (0, 2)], [0], [1], 2),
        ([(1, 0)], [], [], -1),
    ],
)
def test_the_decisive_roll(
    curve: list[tuple[int, ...]], winners: list[int], losers: list[int], decisive: int
) -> None:
    """After it the winner stayed ahead; with chips, the loser had the most."""
    assert find_decisive(curve, winners, losers) == decisive


def rolls_of(history: TableHistory, number: int) -> list[GameRoll]:
    found = history.read_rolls(number)
    assert found is not None
    return list(found.rolls)


def test_a_game_that_was_ended_early_is_finished(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", "Ben")
    add_roll(journal, "Ada", "13446")
    add_action(journal, "Ada", "4+10/4")
    result: Body = {"totals": {"Ada": -400, "Ben": 0}, "winners": ["Ben"], "losers": ["Ada"]}
    journal.add("counted", {"by": "Ada", "result": result})
    found = read(journal, tmp_path)
    assert (found.summary.status, found.summary.problem) == ("finished", "")
    assert found.summary.winners == (1,)
    assert [one.action for one in found.rolls[0].choices] == ["4+10/4"]
    (recorded,) = JournalGames(journal.entries)
    assert export_record(recorded).splitlines()[-1].endswith('"do": "count"}')
    journal.add("undo", {"by": "Ada", "do": "count"})
    again = read(journal, tmp_path / "undone")
    assert (again.summary.status, again.summary.problem) == ("open", "")
    assert again.rolls[0].choices == found.rolls[0].choices


def test_who_joins_just_dice_is_one_of_its_players(tmp_path: Path) -> None:
    journal = begin_journal()
    journal.add("game", {"game": "dice", "players": ["Ada"], "options": {"dice": 5}})
    add_roll(journal, "Ada", "13446")
    journal.add("seated", {"player": "Zoe"})
    history = open_history(journal, tmp_path)
    add_roll(journal, "Zoe", "12345", held="throw")
    journal.write(tmp_path)
    found = history.read_rolls(1)
    assert found is not None
    assert found.summary.problem == ""
    assert [seat.name for seat in found.summary.players] == ["Ada", "Zoe"]
    assert [roll.totals for roll in found.rolls] == [(18, 0), (18, 15)]
    assert history.read_table().games == {"open": 1}
