# SPDX-License-Identifier: MIT
"""What a journal says of its dice: thrown ones alone, set by set, and die by die."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.history.fairness.verdict import DiceCounts, judge_dice
from controller.history.history import TableHistory
from controller.history.views import DiceStatistics
from controller.journal.journal import JOURNAL_FILE
from tests.controller.history.fairness.kept_dice import DICE, KeepingTable
from tests.controller.history.written_games import (
    add_action,
    add_game,
    add_roll,
    begin_journal,
    open_history,
)
from tests.support.random_journal import WrittenJournal, lying


def read_dice(journal: WrittenJournal, folder: Path) -> DiceStatistics:
    return open_history(journal, folder).read_table().dice


def fair(seed: int) -> KeepingTable:
    chance = random.Random(seed)
    return KeepingTable(lambda number: chance.randint(1, 6))


def test_kept_dice_do_not_count_and_would_alarm(tmp_path: Path) -> None:
    """Whoever keeps sixes has more of them in the tray, which says nothing of the dice."""
    table = fair(1)
    table.play(games=3)
    dice = read_dice(table.journal, tmp_path)
    assert list(dice.faces) == table.thrown
    assert sum(table.lay) > sum(table.thrown)
    assert not dice.verdict.is_suspect
    assert judge_dice(DiceCounts(table.lay)).is_suspect


def test_unsure_counts_only_what_was_thrown(tmp_path: Path) -> None:
    table = fair(2)
    table.by_hand = lambda number: number % 4 == 0
    table.play()
    dice = read_dice(table.journal, tmp_path)
    assert list(dice.faces) == table.thrown
    assert (dice.unsure, dice.untold) == (table.unsure, 0)
    assert table.unsure < DICE * (table.throws // 4)


def test_dice_that_may_have_stayed_are_untold(tmp_path: Path) -> None:
    """Just dice lets any dice stay; what the camera did not see nobody knows."""
    journal = begin_journal()
    add_game(journal, "Ada", game="dice", options={"dice": 5})
    add_roll(journal, "Ada", "12345")
    body = {"by": "Ada", "held": "again", "roll": "12366", "by_hand": "Eva", "picture": ""}
    journal.add("roll", {**body, "lie": [], "doubts": []})
    dice = read_dice(journal, tmp_path)
    assert (dice.rolls, dice.dice, dice.unsure, dice.untold) == (1, 5, 0, 5)
    add_action(journal, "Ada", "throw")
    journal.add("roll", {**body, "held": "", "lie": [], "doubts": []})
    dice = read_dice(journal, tmp_path / "more")
    assert (dice.rolls, dice.dice, dice.unsure, dice.untold) == (2, 5, 5, 5)


def test_a_die_that_a_hand_set_is_untold(tmp_path: Path) -> None:
    """It may have been thrown, doubted for its face, and straightened."""
    journal = begin_journal()
    add_game(journal, "Ada", game="dice", options={"dice": 5})
    placed = [{**die, "origin": "placed"} for die in lying("6") if isinstance(die, Mapping)]
    body = {"by": "Ada", "held": "", "roll": "12346", "by_hand": "", "picture": ""}
    journal.add("roll", {**body, "lie": [*lying("1234"), *placed], "doubts": []})
    dice = read_dice(journal, tmp_path)
    assert (dice.faces, dice.unsure, dice.untold) == ((1, 1, 1, 1, 0, 0), 0, 1)
    add_action(journal, "Ada", "throw")
    journal.add("roll", {**body, "by_hand": "Eva", "lie": [*lying("1234"), *placed], "doubts": []})
    dice = read_dice(journal, tmp_path / "more")
    assert (dice.faces, dice.unsure, dice.untold) == ((1, 1, 1, 1, 0, 0), 4, 2)


def test_a_correction_keeps_how_many_dice_were_thrown(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", game="wuerfelspiel")
    add_roll(journal, "Ada", "12366")
    add_action(journal, "Ada", "hold 66")
    add_roll(journal, "Ada", "12466")
    body = {"by": "Eva", "reason": "", "was": "12466", "roll": "13466", "picture": ""}
    journal.add("correction", {**body, "undone": []})
    dice = read_dice(journal, tmp_path)
    assert (dice.dice, dice.unsure, dice.untold) == (5, 3, 0)


def test_each_set_of_dice_is_judged_for_itself(tmp_path: Path) -> None:
    chance = random.Random(3)
    bad = KeepingTable(lambda number: 6 if chance.random() < 0.25 else chance.randint(1, 6))
    bad.play(games=3)
    good = fair(4)
    good.journal = bad.journal
    good.journal.add("dice_set", {"name": "Casino"})
    good.play(games=3)
    dice = read_dice(good.journal, tmp_path)
    current, first = dice.sets
    assert (current.name, current.is_current, list(current.faces)) == ("Casino", True, good.thrown)
    assert (first.label, first.is_current, list(first.faces)) == (
        "The first dice",
        False,
        bad.thrown,
    )
    assert (current.verdict.is_suspect, first.verdict.is_suspect) == (False, True)
    assert current.since_ms > first.since_ms == 0
    assert sum(dice.faces) == sum(good.thrown) + sum(bad.thrown)


def test_a_name_brings_an_earlier_set_back(tmp_path: Path) -> None:
    journal = begin_journal()
    journal.add("dice_set", {"name": "Wood"})
    add_game(journal, "Ada", game="dice", options={"dice": 5})
    add_roll(journal, "Ada", "11111")
    journal.add("dice_set", {"name": "Bone"})
    add_action(journal, "Ada", "throw")
    add_roll(journal, "Ada", "22222")
    journal.add("dice_set", {"name": "Wood"})
    add_action(journal, "Ada", "throw")
    add_roll(journal, "Ada", "33333")
    wood, bone = read_dice(journal, tmp_path).sets
    assert (wood.name, wood.faces, wood.is_current) == ("Wood", (5, 0, 5, 0, 0, 0), True)
    assert (bone.name, bone.faces) == ("Bone", (0, 5, 0, 0, 0, 0))
    assert wood.since_ms > bone.since_ms


def test_an_entry_without_a_name_brings_no_set(tmp_path: Path) -> None:
    """Neither in the game in which it stands, nor in the next one."""
    journal = begin_journal()
    journal.add("dice_set", {"name": "Wood"})
    for faces in ("11111", "22222"):
        add_game(journal, "Ada", game="dice", options={"dice": 5})
        journal.add("dice_set", {"name": 3})
        add_roll(journal, "Ada", faces)
        journal.add("closed")
    (wood,) = read_dice(journal, tmp_path).sets
    assert (wood.name, wood.faces) == ("Wood", (5, 5, 0, 0, 0, 0))


def test_sets_are_the_same_in_an_index_that_was_continued(tmp_path: Path) -> None:
    """Entry by entry, each time by another program that finds the index of the one before."""
    whole, table = begin_journal(), fair(5)
    table.journal = whole
    whole.add("dice_set", {"name": "Wood"})
    table.play()
    whole.add("dice_set", {"name": "Bone"})
    table.play()
    part = WrittenJournal()
    lines = len(whole.entries)
    for end in (1, 3, lines // 3, lines // 2, lines // 2 + 60, lines - 1, lines):
        part.entries = whole.entries[:end]
        history = open_history(part, tmp_path)
        history.index.close()
    continued = read_dice(whole, tmp_path).sets
    (tmp_path / "history.db").unlink()
    assert [one.name for one in continued] == ["Bone", "Wood"]
    assert continued == read_dice(whole, tmp_path).sets


def test_a_running_table_knows_its_new_set_at_once(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", game="dice", options={"dice": 5})
    add_roll(journal, "Ada", "11111")
    history = open_history(journal, tmp_path)
    dice = history.read_table().dice
    assert [one.name for one in dice.sets] == [""]
    assert dice.sums == {5: tuple((total, int(total == 5)) for total in range(5, 31))}
    journal.add("dice_set", {"name": "Wood"})
    journal.write(tmp_path)
    assert [one.name for one in history.read_table().dice.sets] == ["Wood", ""]


def test_the_only_die_of_a_colour_is_told_apart(tmp_path: Path) -> None:
    """The black die lies in every throw exactly once, thrown or kept, and is bad."""
    chance = random.Random(6)
    table = KeepingTable(
        lambda number: 1 if number == DICE - 1 and chance.random() < 0.5 else chance.randint(1, 6)
    )
    table.play(games=4)
    (one,) = read_dice(table.journal, tmp_path).sets
    assert [(each.label, each.is_one_die) for each in one.colours] == [
        ("The white dice", False),
        ("The black die", True),
    ]
    white, black = one.colours
    assert (white.verdict.is_suspect, black.verdict.is_suspect) == (False, True)
    assert black.said[0].startswith("The 1 comes too often")


def test_verify_accepts_sets_of_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = fair(8)
    table.journal.add("dice_set", {"name": "Wood"})
    table.play()
    table.journal.write(tmp_path)
    main(["verify", str(tmp_path)])
    assert "dice_set" not in capsys.readouterr().out
    assert (tmp_path / JOURNAL_FILE).exists()


def test_the_command_lists_sets_and_single_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = fair(9)
    table.play()
    table.journal.add("dice_set", {"name": "Wood"})
    table.play()
    table.journal.write(tmp_path)
    assert main(["fairness", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    wood, first = found["sets"]
    assert (wood["name"], wood["is_current"], first["name"]) == ("Wood", True, "")
    assert found["all"]["dice"] == wood["dice"] + first["dice"]
    assert [(each["colour"], each["is_one_die"]) for each in wood["colours"]] == [
        ("white", False),
        ("black", True),
    ]
    assert main(["fairness", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Wood, since 20")
    assert lines[0].endswith(", on the table now")
    assert "The first dice" in lines
    assert sum(line.startswith("The black die: Nothing against this die in") for line in lines) == 2
    assert main(["history", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "Wood: Nothing against these dice in " in out
    assert "The first dice: Nothing against these dice in " in out


def test_the_history_of_a_broken_journal_has_no_sets(tmp_path: Path) -> None:
    table = fair(10)
    table.journal.add("dice_set", {"name": "Wood"})
    table.play()
    table.journal.write(tmp_path)
    path = tmp_path / JOURNAL_FILE
    path.write_bytes(path.read_bytes().replace(b'"name":"Wood"', b'"name":"Bone"'))
    history = TableHistory(tmp_path)
    history.index.catch_up()
    assert history.index.read_progress().state == "refused"
    assert [one.name for one in history.read_table().dice.sets] == [""]
