# SPDX-License-Identifier: MIT
"""Statistics of players and dice, and the names that screens show."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from controller.appliance.backup.data_files import is_archived
from controller.base.errors import InputError
from controller.history.history import TableHistory
from controller.history.index.store import INDEX_FILE
from controller.history.name_book import NAMES_FILE
from controller.history.views import GameFilter, PlayerStatistics
from controller.journal.hashchain import Body
from controller.journal.journal import JOURNAL_FILE
from tests.controller.history.written_games import (
    add_action,
    add_finished,
    add_game,
    add_roll,
    begin_journal,
    open_history,
)
from tests.support.random_journal import RandomGame, lying


def player(history: TableHistory, name: str) -> PlayerStatistics:
    found = history.read_player(name)
    assert found is not None
    return found


def names(history: TableHistory) -> list[str]:
    return [entry.name for entry in history.list_players()]


def test_results_are_those_of_the_player_in_any_seat(tmp_path: Path) -> None:
    journal = begin_journal()
    totals = [
        add_finished(journal, seats, seed=seed)
        for seed, seats in enumerate([("Ada", "Ben"), ("Ben", "Ada"), ("Ben", "Cleo", "Ada")])
    ]
    history = open_history(journal, tmp_path)
    (variant,) = player(history, "Ada").variants
    own = [total["Ada"] for total in totals]
    assert variant.results == tuple(enumerate(own, start=1))
    assert (variant.best, variant.average) == (max(own), sum(own) / 3)
    assert variant.wins == sum(total["Ada"] == max(total.values()) for total in totals)
    pair = history.compare_players("Ada", "Ben")
    assert pair is not None
    assert (pair.games, pair.last_game) == (3, 3)
    assert pair.ahead == sum(total["Ada"] > total["Ben"] for total in totals)
    assert pair.behind == sum(total["Ada"] < total["Ben"] for total in totals)
    assert player(history, "Ada").opponents[0] == pair
    assert history.compare_players("Ada", "Zoe") is None


def test_the_personal_record_is_the_best_positive_result_alone(tmp_path: Path) -> None:
    """The rules say so; a defeat alone is no record, nor is a game with others."""
    journal = begin_journal()
    results = [add_finished(journal, ("Ada",), seed=seed)["Ada"] for seed in range(12)]
    add_finished(journal, ("Ben",), seed=next(n for n in range(12) if results[n] < 0))
    history = open_history(journal, tmp_path)
    (variant,) = player(history, "Ada").variants
    best = max(results)
    assert variant.record == (best if best > 0 else None)
    assert (variant.alone, variant.games, variant.wins) == (12, 0, 0)
    assert player(history, "Ben").variants[0].record is None
    (record,) = history.read_table().records
    assert record.record == variant.record


def test_a_positive_result_alone_is_a_record(tmp_path: Path) -> None:
    """Eight rolls of ones: ten marks at two count 500, and the eighth fifth die ends the game."""
    journal = begin_journal()
    add_game(journal, "Ada")
    for _ in range(7):
        add_roll(journal, "Ada", "11111")
        add_action(journal, "Ada", "2+2/1")
    add_roll(journal, "Ada", "11111")
    result: Body = {"totals": {"Ada": 500}, "winners": ["Ada"], "losers": []}
    journal.add("action", {"by": "Ada", "do": "2+2/1", "result": result})
    history = open_history(journal, tmp_path)
    (variant,) = player(history, "Ada").variants
    assert (variant.record, variant.record_game, variant.alone) == (500, 1, 1)
    assert [(best.roll, best.gain) for best in variant.best_rolls] == [(3, 300), (4, 200), (5, 200)]
    (record,) = history.read_table().records
    assert (record.record, record.record_player, record.record_game) == (500, "Ada", 1)


def test_a_game_for_fewest_chips_has_no_best_result(tmp_path: Path) -> None:
    journal = begin_journal()
    add_finished(journal, ("Ada", "Ben"), "black-n-white", seed=2)
    (record,) = open_history(journal, tmp_path).read_table().records
    best = (record.average, record.best, record.best_player, record.best_game)
    assert best == (None, None, "", 0)
    assert (record.record, record.record_player, record.record_game) == (None, "", 0)


def test_variants_are_kept_apart(tmp_path: Path) -> None:
    journal = begin_journal()
    for options in ({"jokers": True}, {"jokers": False}, {"jokers": True}):
        RandomGame(journal, "choice", players=2, options=options, mischief=0).play()
        journal.add("closed")
    variants = player(open_history(journal, tmp_path), "Ada").variants
    assert [variant.games for variant in variants] == [2, 1]
    assert "yes" in variants[0].variant


def test_games_with_opponents_and_for_training_stand_apart(tmp_path: Path) -> None:
    """An opponent is nobody: no player, no record; a game with hints counts in no record."""
    journal = begin_journal()
    robo: Body = {"name": "Robo", "grade": "strong", "t_steps": 6_000, "weights": "0" * 64}
    alone = add_finished(journal, ["Ada"], seed=1)["Ada"]
    for marks in ({"opponents": [robo]}, {"hints": True}):
        RandomGame(
            journal, "choice", names=("Ada", "Robo"), players=2, mischief=0, marks=marks
        ).play()
        journal.add("closed")
    history = open_history(journal, tmp_path)
    against, training = history.find_game(2), history.find_game(3)
    assert against is not None
    assert training is not None
    assert [one.is_opponent for one in against.players] == [False, True]
    assert "with opponents of the table" in against.variant
    assert (training.has_hints, against.has_hints) == (True, False)
    assert training.options == against.options == {"jokers": False}
    ada = player(history, "Ada")
    assert (ada.entry.games, ada.entry.finished, ada.entry.wins) == (3, 2, 0)
    assert [len(variant.results) for variant in ada.variants] == [1, 1]
    assert {variant.average for variant in ada.variants} == {alone, against.players[0].total}
    # Of the game for training alone: there Robo is a person.
    assert player(history, "Robo").entry.games == 1
    assert player(history, "Robo").variants == ()
    assert [record.best_player for record in history.read_table().records] == ["Ada", "Ada"]
    assert ada.opponents == ()


def test_only_thrown_dice_are_counted(tmp_path: Path) -> None:
    """Held dice of Würfelspiel stay where they are; their faces were chosen."""
    journal = begin_journal()
    add_game(journal, "Ada", game="wuerfelspiel")
    add_roll(journal, "Ada", "44512")
    add_roll(journal, "Ada", "44566", held="hold 445")
    add_action(journal, "Ada", "chance*1")
    add_roll(journal, "Ada", "11111")
    correction = {"by": "Eva", "reason": "", "was": "11111", "roll": "11112", "undone": []}
    journal.add("correction", {**correction, "picture": ""})
    dice = player(open_history(journal, tmp_path), "Ada").dice
    assert dice.faces == (1, 1, 0, 2, 1, 2), "a corrected roll may have been anything"
    assert dice.unsure == 5
    assert dice.by_colour == {"white": dice.faces}
    assert dict(dice.sums[5])[16] == 1
    assert dict(dice.sums[5])[6] == 1
    assert (dice.rolls, dice.chance) == (2, 1.0)


def test_just_dice_has_dice_and_no_ranking(tmp_path: Path) -> None:
    """A request of another program between two games is no game, and its dice do not count."""
    journal = begin_journal()
    journal.add("request", {"dice": 2, "for": "Ada", "why": "", "by": "x"})
    journal.add("answer", {"by": "Ada", "roll": "66", "held": "", "by_hand": "", "lie": []})
    add_game(journal, "Ada", "Ben", game="dice", options={"dice": 3})
    add_roll(journal, "Ada", "123")
    add_action(journal, "Ada", "again")
    stayed = [{**one, "origin": "kept"} for one in lying("12")]  # type: ignore[dict-item]
    body: Body = {"by": "Ada", "held": "", "roll": "126", "by_hand": "", "picture": ""}
    journal.add("roll", {**body, "lie": [*stayed, *lying("6")], "doubts": []})
    add_action(journal, "Ben", "dice 4")
    add_roll(journal, "Ben", "1111")
    result: Body = {"totals": {"Ada": 9, "Ben": 4}, "winners": [], "losers": []}
    journal.add("action", {"by": "Ben", "do": "end", "result": result})
    history = open_history(journal, tmp_path)
    (game,) = history.list_games().games
    assert (game.problem, game.status, game.winners) == ("", "finished", ())
    assert [(seat.total, seat.place) for seat in game.players] == [(9, 0), (4, 0)]
    ada = player(history, "Ada")
    assert ada.dice.faces == (1, 1, 1, 0, 0, 1)
    assert (ada.entry.wins, ada.opponents, ada.turns) == (0, (), 0)
    assert (ada.variants[0].record, ada.variants[0].average) == (None, None)
    assert list(history.read_table().dice.sums) == [3, 4]


def test_colours_count_by_themselves(tmp_path: Path) -> None:
    journal = begin_journal()
    game = RandomGame(journal, "black-n-white", players=2, seed=4, mischief=0)
    game.play()
    dice = open_history(journal, tmp_path).read_table().dice
    # Dice that were entered by hand have no colour.
    assert set(dice.by_colour) >= {"white", "black"}
    assert sum(map(sum, dice.by_colour.values())) == dice.dice


def test_games_are_filtered_and_paged(tmp_path: Path) -> None:
    journal = begin_journal()
    for seed in range(6):
        seats = ("Ada", "Ben") if seed % 2 else ("Cleo", "Ben")
        add_finished(journal, seats, "choice" if seed < 4 else "black-n-white", seed=seed)
    add_game(journal, "Ada", "Ben")
    history = open_history(journal, tmp_path)

    def numbers(wanted: GameFilter, **part: int) -> list[int]:
        return [game.number for game in history.list_games(wanted, **part).games]

    assert numbers(GameFilter()) == [7, 6, 5, 4, 3, 2, 1]
    assert numbers(GameFilter(), offset=2, limit=3) == [5, 4, 3]
    assert history.list_games(GameFilter(), offset=2, limit=3).count == 7
    assert numbers(GameFilter(player="cleo")) == [5, 3, 1]
    assert numbers(GameFilter(player="Zoe")) == []
    assert numbers(GameFilter(game="black-n-white", status="finished")) == [6, 5]
    assert numbers(GameFilter(status="open")) == [7]
    assert names(history) == ["Ada", "Ben", "Cleo"]


def test_a_name_is_what_the_eye_reads(tmp_path: Path) -> None:
    """Another case, another form of Unicode, a letter of another alphabet that looks the same."""
    journal = begin_journal()
    for seed, name in enumerate(("Zoë", "ZOE\u0308", "zoe\u0308", "\u0410da", "Ada")):
        add_finished(journal, (name, "Ben"), seed=seed)
    history = open_history(journal, tmp_path)
    assert names(history) == ["Ada", "Ben", "zoe\u0308"]
    assert player(history, "ZOË").entry.games == 3
    assert player(history, "ada").entry.games == 2


def test_two_who_look_the_same_in_one_game_stay_two(tmp_path: Path) -> None:
    """No lobby seats them, but a program may."""
    journal = begin_journal()
    add_finished(journal, ("Ada", "ADA"))
    history = open_history(journal, tmp_path)
    assert history.list_games().games[0].players[1].name == "ADA"
    assert sorted(names(history)) == ["ADA", "Ada"]


class TestNames:
    def history(self, tmp_path: Path) -> TableHistory:
        journal = begin_journal()
        for seed, seats in enumerate([("Ada", "Ben"), ("Adda", "Ben"), ("Cleo", "Ben")]):
            add_finished(journal, seats, seed=seed)
        return open_history(journal, tmp_path)

    def test_a_rename_shows_everywhere_and_is_undone(self, tmp_path: Path) -> None:
        history = self.history(tmp_path)
        before = (tmp_path / JOURNAL_FILE).read_bytes()
        history.rename_player("Cleo", " Clea ")
        assert names(history) == ["Clea", "Ben", "Adda", "Ada"]
        assert history.read_player("Cleo") is None
        assert player(history, "Ben").opponents[0].opponent == "Clea"
        assert history.list_games().games[0].players[0].name == "Clea"
        assert [one.shown for one in history.list_names() if one.name == "Cleo"] == ["Clea"]
        again = TableHistory(tmp_path, in_memory=True)
        again.index.catch_up()
        assert names(again) == names(history)
        history.restore_name("Cleo")
        assert names(history) == ["Cleo", "Ben", "Adda", "Ada"]
        assert (tmp_path / JOURNAL_FILE).read_bytes() == before

    def test_a_misspelled_name_becomes_the_same_person(self, tmp_path: Path) -> None:
        history = self.history(tmp_path)
        history.rename_player("Adda", "Ada")
        assert names(history) == ["Cleo", "Ben", "Ada"]
        assert [number for number, _ in player(history, "Ada").variants[0].results] == [1, 2]
        pair = history.compare_players("Ada", "Ben")
        assert pair is not None
        assert pair.games == 2
        assert len(history.list_games(GameFilter(player="ada")).games) == 2

    def test_a_forgotten_person_is_nowhere_and_comes_back(self, tmp_path: Path) -> None:
        history = self.history(tmp_path)
        before = history.read_table()
        history.forget_player("ben")
        assert names(history) == ["Cleo", "Adda", "Ada"]
        assert history.read_player("Ben") is None
        assert player(history, "Ada").opponents == ()
        seat = history.list_games().games[0].players[1]
        assert (seat.name, seat.is_forgotten) == ("Player 2", True)
        shown = json.dumps([repr(history.list_games()), repr(history.read_table())])
        assert "Ben" not in shown
        assert history.read_table().dice == before.dice
        assert [one.is_forgotten for one in history.list_names()].count(True) == 1
        history.restore_name("Ben")
        assert history.read_table() == before
        assert "Ben" in names(history)

    def test_what_cannot_be_is_refused(self, tmp_path: Path) -> None:
        history = self.history(tmp_path)
        for name, shown in (("Zoe", "Uma"), ("Ada", ""), ("Ada", "a\nb"), ("Ada", "x" * 99)):
            with pytest.raises(InputError):
                history.rename_player(name, shown)
        with pytest.raises(InputError, match="Ben, in game 1"):
            history.rename_player("Ada", "Ben")
        for change in (history.forget_player, history.restore_name):
            with pytest.raises(InputError):
                change("Zoe")
        assert not (tmp_path / NAMES_FILE).exists()

    @pytest.mark.parametrize("content", [b"", b"[]", b'{"format": 9}', b'{"format": 1}', b"\xff"])
    def test_a_file_that_cannot_be_read_hides_nothing(self, content: bytes, tmp_path: Path) -> None:
        (tmp_path / NAMES_FILE).write_bytes(content)
        history = self.history(tmp_path)
        assert names(history) == ["Cleo", "Ben", "Adda", "Ada"]
        assert (tmp_path / NAMES_FILE).read_bytes() == content

    def test_backups_hold_the_names_and_not_the_index(self) -> None:
        assert is_archived(NAMES_FILE)
        assert not is_archived(INDEX_FILE)


def test_answers_follow_the_journal(tmp_path: Path) -> None:
    """What is remembered is forgotten when a game is over."""
    journal = begin_journal()
    add_finished(journal, ("Ada", "Ben"))
    history = open_history(journal, tmp_path)
    assert player(history, "Ada").entry.games == 1
    assert history.read_table() is history.read_table()
    totals = add_finished(journal, ("Ada", "Ben"), seed=1)
    journal.write(tmp_path)
    assert player(history, "Ada").variants[0].results[-1] == (2, totals["Ada"])
    assert Counter(history.read_table().games) == {"finished": 2}


def test_the_picture_and_the_marks_of_a_roll(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", "Ben")
    add_roll(journal, "Ada", "13446", picture="ab" * 32)
    body = {"by": "Ben", "held": "", "roll": "11223", "by_hand": "Eva", "picture": ""}
    journal.add("roll", {**body, "lie": lying("1122"), "doubts": ["cocked: It leans."]})
    add_action(journal, "Ada", "4+10/4")
    found = open_history(journal, tmp_path).read_rolls(1)
    assert found is not None
    assert found.rolls[0].picture == "ab" * 32
    assert found.summary.problem, "Ben's roll comes before the choices"
    assert found.summary.rolls == 1


def test_a_person_forgotten_by_an_earlier_version_stays_so(tmp_path: Path) -> None:
    """Looks had joiners and the like then."""
    journal = begin_journal()
    add_finished(journal, ("Olga\u200b", "Ben"), seed=1)
    said = {"format": 1, "hidden": ["olga\u200b"], "renamed": {"b\u00aden": "Benno"}}
    (tmp_path / NAMES_FILE).write_text(json.dumps(said))
    history = open_history(journal, tmp_path)
    assert names(history) == ["Benno"]


@pytest.mark.parametrize("name", ["Olga\u200b", "\u202eOlga", "x" * 41, ""])
def test_a_person_is_renamed_only_to_a_name_that_can_be_seen(tmp_path: Path, name: str) -> None:
    journal = begin_journal()
    add_finished(journal, ("Ada", "Ben"), seed=1)
    history = open_history(journal, tmp_path)
    with pytest.raises(InputError, match="expected a name of 1 to 40 characters"):
        history.rename_player("Ada", name)
    history.rename_player("Ada", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627")
    assert "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627" in names(history)
