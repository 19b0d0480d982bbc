# SPDX-License-Identifier: MIT
"""A game as its report tells it: everything that happened, in order, with what it led to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.contract import Options
from controller.history.report import checks
from controller.history.report.builder import build_game_report, select_game_entries
from controller.history.report.html import write_percent
from controller.history.report.model import (
    CheckpointItem,
    ChoiceItem,
    GameReport,
    NoteItem,
    RejectedReading,
    RollItem,
)
from controller.history.report.pictures import ReportPictures
from controller.history.report.texts import TimeFormat, describe_body
from controller.journal.entries import KINDS
from controller.journal.hashchain import Body, Value
from controller.journal.picture_store import PictureStore
from controller.journal.records.from_journal import JournalGames
from controller.verify.findings import FindingKind
from tests.support.proven_game import ProvenGame, proven_game
from tests.support.random_journal import PLAYED, RandomGame, WrittenJournal, lying
from tests.support.table_entries import parts_of


def told(game: ProvenGame) -> GameReport:
    return tell(game.journal, PictureStore(game.folder))


def tell(journal: WrittenJournal, evidence: PictureStore) -> GameReport:
    (game,) = JournalGames(journal.entries)
    return build_game_report(game, pictures=ReportPictures(evidence, {}), times=TimeFormat(UTC))


def tell_entries(folder: Path, *entries: tuple[str, Body]) -> GameReport:
    journal = WrittenJournal()
    journal.add("game", {"game": "choice", "players": ["Ada", "Ben"], "options": {}})
    for kind, body in entries:
        journal.add(kind, body)
    return tell(journal, PictureStore(folder))


def roll(faces: str = "13446", **more: str) -> tuple[str, Body]:
    body: Body = {"by": "Ada", "held": "", "roll": faces, "by_hand": "", "doubts": []}
    return "roll", {**body, "lie": lying(faces), "picture": "", **more}


def action(by: str, do: str) -> tuple[str, Body]:
    return "action", {"by": by, "do": do}


def undo(by: str, do: str) -> tuple[str, Body]:
    return "undo", {"by": by, "do": do}


def rolls_of(story: GameReport) -> list[RollItem]:
    return [one.about for one in story.chapters if isinstance(one.about, RollItem)]


def choices_of(story: GameReport) -> list[ChoiceItem]:
    return [item for one in story.chapters for item in one.items if isinstance(item, ChoiceItem)]


def notes_of(story: GameReport) -> list[str]:
    return [item.text for one in story.chapters for item in one.items if isinstance(item, NoteItem)]


@pytest.mark.parametrize(("game", "options"), PLAYED)
def test_a_random_game_is_told_whole_and_in_its_order(
    tmp_path: Path, game: str, options: Options
) -> None:
    played = proven_game(tmp_path, game, options=options, seed=1, events=40, mischief=0.5)
    story = told(played)
    kinds = [entry.kind for entry in played.journal.entries]
    assert story.stopped == ""
    assert len(rolls_of(story)) == story.rolls == kinds.count("roll")
    assert len(choices_of(story)) == kinds.count("action")
    witnesses = [i for one in story.chapters for i in one.items if isinstance(i, CheckpointItem)]
    assert len(witnesses) == kinds.count("checkpoint")
    began = kinds.index("game") + 1
    heads = sum(not isinstance(one.about, RollItem | RejectedReading) for one in story.chapters)
    items = sum(len(one.items) for one in story.chapters)
    assert items + len(story.chapters) - heads == len(kinds) - began
    expected = played.end.totals()
    assert {one.name: one.total for one in story.sheets} == expected
    assert {one.name: one.total for one in story.chapters[-1].sheets} == expected
    assert not any(one.is_new for one in story.sheets)
    start = WrittenJournal()
    start.add("game", played.journal.entries[began - 1].body)
    for place, sheet in enumerate(tell(start, PictureStore(tmp_path)).sheets):
        gains = [one.sheets[place].gain.replace("\u2212", "-") for one in story.chapters]
        assert sheet.total + sum(map(int, gains)) == expected[sheet.name]


class TestChoices:
    def test_a_choice_is_told_in_words_and_with_what_it_counts(self, tmp_path: Path) -> None:
        story = tell_entries(tmp_path, roll(), action("Ada", "4+10/4"))
        (choice,) = choices_of(story)
        assert (choice.text, choice.gain, choice.action) == (
            "4 and 10, leave 4",
            "\u2212400",
            "4+10/4",
        )
        assert not choice.is_undone

    def test_one_that_was_taken_back_stays_and_says_so(self, tmp_path: Path) -> None:
        entries = (roll(), action("Ada", "4+10/4"), action("Ben", "4+10/4"), undo("Ben", "4+10/4"))
        story = tell_entries(tmp_path, *entries)
        assert [choice.is_undone for choice in choices_of(story)] == [False, True]
        assert "Ben took back: 4+10/4." in notes_of(story)

    def test_those_that_fell_with_a_corrected_roll_say_so_too(self, tmp_path: Path) -> None:
        correction: Body = {
            "by": "Eva",
            "reason": "It is a 5.",
            "was": "13446",
            "roll": "13456",
            "picture": "",
            "undone": [{"by": "Ada", "do": "4+10/4"}],
        }
        story = tell_entries(tmp_path, roll(), action("Ada", "4+10/4"), ("correction", correction))
        assert [choice.is_undone for choice in choices_of(story)] == [True]
        (fix,) = rolls_of(story)[0].fixes
        assert (fix.by, fix.reason) == ("Eva", "It is a 5.")
        assert (fix.was, fix.now) == (tuple("13446"), tuple("13456"))
        assert not any(one.is_new for one in story.chapters[-1].sheets)

    def test_dice_that_stayed_are_told_before_their_roll(self, tmp_path: Path) -> None:
        journal = WrittenJournal()
        journal.add("game", {"game": "wuerfelspiel", "players": ["Ada"], "options": {}})
        for kind, body in (roll("11234"), roll("11555", held="hold 11")):
            journal.add(kind, body)
        last = rolls_of(tell(journal, PictureStore(tmp_path)))[-1]
        assert last.held == "keep 1 1, throw 3"


class TestOther:
    def test_a_name_may_be_very_long(self, tmp_path: Path) -> None:
        journal, names = WrittenJournal(), ("A" * 400, "Ben")
        RandomGame(journal, "choice", names=names, mischief=0.0).play(12)
        story = tell(journal, PictureStore(tmp_path))
        assert story.stopped == ""
        assert story.players == names

    def test_pauses_faults_restarts_and_reviews_have_words(self, tmp_path: Path) -> None:
        entries: Sequence[tuple[str, Body]] = (
            ("restart", {"torn": '{"at', "software": "dicebell 9"}),
            ("pause", {}),
            ("resume", {}),
            ("fault", {"device": "camera", "what": "It is gone."}),
            ("back", {"device": "camera"}),
            ("comet", {}),
        )
        torn = "A line that was being written was cut off."
        assert notes_of(tell_entries(tmp_path, *entries)) == [
            f"The table was started again with dicebell 9. {torn}",
            "Play was paused.",
            "Play went on.",
            "Fault of the camera: It is gone.",
            "The camera works again.",
            "The journal says: comet.",
        ]

    @pytest.mark.parametrize("kind", KINDS)
    @settings(max_examples=10)
    @given(data=st.data())
    def test_every_kind_has_words(self, kind: str, data: st.DataObject) -> None:
        is_shown = kind in ("genesis", "game", "roll", "reading", "action", "checkpoint")
        text = describe_body(data.draw(parts_of(KINDS[kind])))
        assert text.startswith("The journal says: ") == is_shown

    def test_the_story_stops_at_an_entry_against_the_rules(self, tmp_path: Path) -> None:
        story = tell_entries(tmp_path, roll(), action("Ada", "6+6/6"), action("Ben", "4+10/4"))
        assert story.stopped.startswith("Entry 2 does not follow")
        assert choices_of(story) == []

    def test_a_game_ends_when_the_players_leave(self) -> None:
        journal = WrittenJournal()
        RandomGame(journal, "choice").play(3)
        for kind in ("closed", "checkpoint", "fault", "back"):
            journal.add(kind)
        (game,) = JournalGames(journal.entries)
        kinds = [entry.kind for entry in select_game_entries(game)]
        assert kinds[-2:] == ["closed", "checkpoint"]

    def test_a_reading_that_became_a_roll_leaves_the_picture_to_it(self, tmp_path: Path) -> None:
        reading: Body = {
            "lie": [],
            "doubts": ["placed: Set."],
            "rejected": [],
            "picture": "ab" * 32,
        }
        story = tell_entries(tmp_path, ("reading", reading), roll(picture="ab" * 32))
        untaken = story.chapters[0].about
        assert isinstance(untaken, RejectedReading)
        assert untaken.seen.picture.said.startswith("The picture is beside the roll")
        assert rolls_of(story)[0].seen.picture.said == "The picture is missing."

    def test_places_are_those_of_the_stored_part(self, tmp_path: Path) -> None:
        lie: Body = {"face": 4, "polarity": "light", "colour": "white"}
        die: Body = {**lie, "x_mpx": 130_500, "y_mpx": 90_000, "angle_mdeg": 0, "edge_mpx": 40_000}
        body: Body = {
            "lie": [{**die, "confidence_ppm": 987_000}],
            "doubts": ["cocked: It leans."],
            "doubts_at": [{"x_mpx": 140_000, "y_mpx": 60_000, "radius_mpx": 30_000}],
            "rejected": [{"reason": "too small", "x_mpx": 110_000, "y_mpx": 50_000}],
            "picture": "",
            "crop_px": [100, 50, 300, 200],
            "frame_px": [640, 480],
        }
        about = tell_entries(tmp_path, ("reading", body)).chapters[0].about
        assert isinstance(about, RejectedReading)
        (die_shown,), (spot,) = about.seen.dice, about.seen.doubted
        assert die_shown.center_px == (30.5, 40.0)
        assert write_percent(die_shown.confidence_ppm) == "98.7\u202f%"
        assert (spot.x_px, spot.y_px, spot.radius_px) == (40.0, 10.0, 30.0)
        (rejected,) = about.seen.rejected
        assert (rejected.text, rejected.x_px, rejected.y_px) == ("too small", 10.0, 0.0)

    def test_what_the_table_removed_is_told_in_its_place(self, tmp_path: Path) -> None:
        learnt = "cd" * 32
        lift: Body = {"kind": "background", "x_mpx": 310_000, "y_mpx": 220_400}
        lifts: list[Value] = [{**lift, "radius_mpx": 20_000, "share_ppm": 21_000}]
        body: Body = {
            "lie": [],
            "doubts": [],
            "crop_px": [100, 50, 300, 200],
            "frame_px": [640, 480],
        }
        with_table: Body = {**body, "picture": "", "table_model": learnt, "lifts": lifts}
        alone: Body = {**with_table, "lifts": []}
        story = tell_entries(
            tmp_path, ("reading", with_table), ("reading", alone), ("reading", body)
        )
        seen = [one.about.seen for one in story.chapters if isinstance(one.about, RejectedReading)]
        (spot,) = seen[0].lifts
        assert spot.text == "background at 310, 220, share 0.02"
        assert (spot.x_px, spot.y_px, spot.radius_px) == (210.0, 170.4, 20.0)
        assert [one.is_certain_alone for one in seen] == [False, True, False]


def test_every_kind_of_break_has_words_in_a_report() -> None:
    of_journals = {kind for kind in FindingKind if not kind.is_of_event}
    assert set(checks.BREAK_WORDS) == {kind for kind in of_journals if kind.is_break}


def test_an_early_end_and_who_sat_down_late_are_told(tmp_path: Path) -> None:
    journal = WrittenJournal()
    journal.add("game", {"game": "dice", "players": ["Ada"], "options": {"dice": 5}})
    journal.add(*roll())
    journal.add("seated", {"player": "Zoe"})
    result: Body = {"totals": {"Ada": 18, "Zoe": 0}, "winners": [], "losers": []}
    journal.add("counted", {"by": "Ada", "result": result})
    journal.add(*undo("Ada", "count"))
    journal.add("counted", {"by": "Ada", "result": result})
    story = tell(journal, PictureStore(tmp_path))
    ended = "The players ended the game early: it counts as it stands."
    assert notes_of(story)[-4:] == [
        "Zoe joined the game.",
        ended,
        "Ada took back: count it as it stands.",
        ended,
    ]
    assert (story.stopped, [sheet.name for sheet in story.sheets]) == ("", ["Ada", "Zoe"])
    assert story.outcome is not None
    assert story.outcome["text"] == "One roll was thrown. It was ended early."
