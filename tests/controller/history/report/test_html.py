# SPDX-License-Identifier: MIT
"""The page of a report: whole in one file, harmless whatever stands in the journal."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from html.parser import HTMLParser
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.base.languages.catalogue import Catalogue
from controller.history.report.html import render_html
from controller.history.report.model import CheckpointItem, ReportMarker, RollItem
from controller.history.report.report import Report, build_report, format_fingerprint
from controller.journal.journal import JOURNAL_FILE
from controller.table.events import GamePicked, OptionPicked, SeatTaken, StartRequested
from tests.support.opponent_table import OpponentTable, give_coaches
from tests.support.proven_game import GENESIS, proven_game
from tests.support.random_journal import BEGAN_MS, PLAYED, RandomGame, WrittenJournal

NAMES = ("<b>Ada</b>", 'Ben & "Co" \'{{ 7 * 7 }}')
VOID = {"meta", "img", "br", "link", "input"}


def report(folder: Path, number: int | None = None) -> Report:
    return build_report(folder, number, now_ms=BEGAN_MS, zone=UTC, made_by="dicebell 1.2")


def page(folder: Path) -> str:
    return render_html(report(folder))


def test_report_is_written_in_a_language(tmp_path: Path) -> None:
    german = {
        "What happened": ("Der Verlauf",),
        "Players": ("Spieler",),
        "{day} {month} {year}, {time} ({zone})": ("{day}. {month} {year}, {time} ({zone})",),
        "Roll %(number)s": ("Wurf %(number)s",),
        "%(count)s roll was taken.": ("%(count)s Wurf zählte.", "%(count)s Würfe zählten."),
    }
    proven_game(tmp_path)
    told = report(tmp_path)
    text = render_html(told, Catalogue("de", german))
    assert '<html lang="de">' in text
    for part in (
        "Der Verlauf",
        "<dt>Spieler</dt>",
        "Wurf 1 ",
        f"{told.story.rolls} Würfe zählten.",
    ):
        assert part in text
    assert re.search(r"\d+\. November 2026, ", text)


def test_a_report_names_opponents_and_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_coaches(monkeypatch)
    table = OpponentTable()
    table.journal.add("genesis", GENESIS)
    table.do(GamePicked("choice"), SeatTaken(0, "Ada"), SeatTaken(1, "", "master"))
    table.do(OptionPicked("hints", True))
    table.do(StartRequested())
    table.journal.write(tmp_path)
    names = ("Ada", "Paula")
    made = build_report(tmp_path, 1, now_ms=BEGAN_MS, zone=UTC, made_by="dicebell 1.2", names=names)
    facts = {str(fact.name): str(fact.value) for fact in made.facts}
    assert facts["Players"] == "Ada, Paula"
    assert facts["Opponents"] == "Paula, played by the table (Master)"
    assert facts["Training"] == "with hints on request; the game counts in no record"


class Parsed(HTMLParser):
    """Collects what a browser would find, and complains about what is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(("game", "options"), PLAYED)
def test_a_page_asks_for_nothing_that_is_not_in_it(
    tmp_path: Path, game: str, options: dict[str, bool | int]
) -> None:
    proven_game(tmp_path, game, names=NAMES, options=options, mischief=0.5)
    text = page(tmp_path)
    parsed = Parsed(text)
    assert not {tag for tag, _ in parsed.tags} & {"script", "link", "iframe", "object"}
    for tag, attributes in parsed.tags:
        for name, value in attributes.items():
            assert not name.startswith("on"), tag
            assert name != "style", tag
            if name in ("src", "href", "xlink:href"):
                assert str(value).startswith(("data:image/jpeg;base64,", "#")), (tag, value)
    assert "url(" not in text
    assert "@import" not in text


def test_names_and_whatever_else_stands_in_the_journal_stay_text(tmp_path: Path) -> None:
    proven_game(tmp_path, names=NAMES)
    text = page(tmp_path)
    assert "<b>Ada</b>" not in text
    assert "usb 0 <i>" not in text
    parsed = Parsed(text)
    for name in (*NAMES, "usb 0 <i>"):
        assert name in parsed.text
    assert "49" not in re.findall(r"Ben & \"Co\" '(.*?)'", parsed.text)


def test_the_policy_names_the_one_style_of_the_page(tmp_path: Path) -> None:
    proven_game(tmp_path, events=2)
    text = page(tmp_path)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    attributes = next(a for t, a in Parsed(text).tags if t == "meta" and "http-equiv" in a)
    policy = str(attributes["content"])
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert f"'sha256-{digest}'" in policy


def test_every_picture_is_in_it_byte_by_byte(tmp_path: Path) -> None:
    game = proven_game(tmp_path)
    shown = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', page(tmp_path))
    digests = [hashlib.sha256(base64.b64decode(one)).hexdigest() for one in shown]
    assert digests == list(game.pictures)


def test_checkpoints_have_their_words_and_a_code(tmp_path: Path) -> None:
    game = proven_game(tmp_path)
    told = report(tmp_path)
    text = render_html(told)
    items = [item for one in told.story.chapters for item in one.items]
    witnesses = [item for item in items if isinstance(item, CheckpointItem)]
    assert len(witnesses) == 2
    for one in witnesses:
        assert one.words in text
        assert one.root in text
    assert text.count('class="qr"') == 2
    signed = next(check for check in told.checks if check.what == "Signatures")
    assert (signed.is_well, signed.found[:6]) == (True, "2 of 2")
    key = next(entry for entry in game.journal.entries if entry.kind == "key").body["key"]
    assert format_fingerprint(str(key)) in text


class TestHead:
    def test_a_sound_journal_is_called_so(self, tmp_path: Path) -> None:
        proven_game(tmp_path)
        told = report(tmp_path)
        assert told.is_well
        assert "Everything that was checked is as it must be" in render_html(told)

    def test_a_broken_chain_is_told_before_anything_else(self, tmp_path: Path) -> None:
        proven_game(tmp_path)
        path = tmp_path / JOURNAL_FILE
        lines = path.read_bytes().splitlines(keepends=True)
        lines[9] = lines[9].replace(b'"at_ms":17', b'"at_ms":27')
        path.write_bytes(b"".join(lines))
        told = report(tmp_path)
        assert not told.is_well
        chain = told.checks[0]
        assert chain.found.startswith("broken after 9 entries, at line 10 of")
        assert "Not everything is as it must be" in render_html(told)

    def test_a_missing_picture_is_told_where_it_was_and_at_the_head(self, tmp_path: Path) -> None:
        game = proven_game(tmp_path)
        game.evidence.picture_path(game.pictures[1]).unlink()
        told = report(tmp_path)
        assert not told.is_well
        count = len(game.pictures)
        pictures = next(check for check in told.checks if check.what == "Pictures")
        assert pictures.found.endswith("that were journalled, 1 missing")
        assert pictures.found.startswith(f"{count - 1} of {count} are here")
        assert "The picture is missing" in render_html(told)

    def test_a_deleted_picture_is_no_fault(self, tmp_path: Path) -> None:
        game = proven_game(tmp_path)
        gone = game.pictures[1]
        game.journal.add("deleted", {"pictures": [gone], "why": "age", "on": "2026-12-01"})
        game.journal.write(tmp_path)
        game.evidence.picture_path(gone).unlink()
        told = report(tmp_path)
        assert told.is_well
        assert "Picture deleted on 2026-12-01" in render_html(told)

    def test_a_changed_clip_is_told_at_the_head(self, tmp_path: Path) -> None:
        game = proven_game(tmp_path, events=4)
        clip = game.evidence.store_clip(b"RIFF")
        game.journal.add("reading", {"lie": [], "doubts": [], "picture": "", "clip": clip})
        game.journal.write(tmp_path)
        assert report(tmp_path).is_well
        game.evidence.clip_path(clip).write_bytes(b"RIFE")
        told = report(tmp_path)
        (found,) = [check.found for check in told.checks if not check.is_well]
        assert found.endswith("the clip of this entry was changed after it was stored")
        assert "not the one that was journalled" in render_html(told)

    def test_breaks_beyond_the_first_few_are_counted(self, tmp_path: Path) -> None:
        game = proven_game(tmp_path, events=40, mischief=0.0)
        for digest in game.pictures[:11]:
            game.evidence.picture_path(digest).unlink()
        *_, last = report(tmp_path).checks
        assert last.found == "3 more breaks in the journal; verify lists them"
        assert str(tmp_path) not in render_html(report(tmp_path))

    def test_a_break_before_the_game_is_told(self, tmp_path: Path) -> None:
        journal = WrittenJournal()
        journal.add("genesis", GENESIS)
        journal.add("reading", {"lie": [], "doubts": [], "picture": "ab" * 32})
        RandomGame(journal, "choice").play(3)
        journal.write(tmp_path)
        assert [each.what for each in report(tmp_path).checks].count("Break") == 1

    def test_what_a_running_table_deletes_meanwhile_is_no_fault(self, tmp_path: Path) -> None:
        game = proven_game(tmp_path)

        class Deletes(tzinfo):
            """Its first time is written when the journal was gone through, before any picture."""

            def utcoffset(self, _: datetime | None) -> timedelta:
                game.journal.add("deleted", {"pictures": game.pictures, "on": "2026-12-01"})
                game.journal.write(tmp_path)
                for digest in game.pictures:
                    game.evidence.picture_path(digest).unlink(missing_ok=True)
                return timedelta(0)

            def dst(self, _: datetime | None) -> timedelta:
                return timedelta(0)

            def tzname(self, _: datetime | None) -> str:
                return "here"

        told = build_report(tmp_path, None, now_ms=0, zone=Deletes(), made_by="dicebell 1.2")
        assert told.is_well
        assert "Picture deleted on 2026-12-01" in render_html(told)

    def test_what_the_rules_do_not_allow_is_told(self, tmp_path: Path) -> None:
        game = proven_game(tmp_path, events=6, mischief=0.0)
        game.journal.add("action", {"by": "Ada", "do": "6+6/6"})
        game.journal.write(tmp_path)
        told = report(tmp_path)
        assert next(check.what for check in told.checks if not check.is_well) == "Rules"
        assert "does not follow from those before it" in render_html(told)

    def test_a_game_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        proven_game(tmp_path, events=2)
        with pytest.raises(InputError, match="expected a game from 1 to 1"):
            report(tmp_path, 2)


def test_undone_actions_are_struck_corrections_show_both_values(tmp_path: Path) -> None:
    game = proven_game(tmp_path, seed=5, mischief=0.6)
    kinds = [entry.kind for entry in game.journal.entries]
    text = page(tmp_path)
    assert text.count("<s>") == text.count("<em>taken back</em>") > 0
    assert text.count("Corrected at") == kinds.count("correction") > 0
    assert text.count("by Eva: ") == kinds.count("correction")
    by_hand = [entry for entry in game.journal.entries if entry.body.get("by_hand")]
    assert text.count("The picture is what the camera saw. Reason: It leans") == len(by_hand)


def test_a_report_says_how_a_roll_was_certain(tmp_path: Path) -> None:
    proven_game(tmp_path)
    made = report(tmp_path)
    first, second = [one for one in made.story.chapters if isinstance(one.about, RollItem)][:2]
    assert isinstance(first.about, RollItem)
    assert isinstance(second.about, RollItem)
    lift = ReportMarker("background at 30, 40, share 0.02", 30.0, 40.0, 20.0)
    with_table = replace(first.about, seen=replace(first.about.seen, lifts=(lift,)))
    alone = replace(second.about, seen=replace(second.about.seen, is_certain_alone=True))
    chapters = (replace(first, about=with_table), replace(second, about=alone))
    text = render_html(replace(made, story=replace(made.story, chapters=chapters)))
    lifted = "Certain only with what the table had learnt: background at 30, 40, share 0.02."
    assert text.count(lifted) == 1
    assert text.count("Certain without what the table had learnt.") == 1
    assert "<title>background at 30, 40, share 0.02</title>" in text
    plain = page(tmp_path)
    assert "Certain" not in plain


def test_a_key_that_is_none_has_no_fingerprint() -> None:
    assert format_fingerprint("not hexadecimal") == ""
