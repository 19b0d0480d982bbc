# SPDX-License-Identifier: MIT
"""The history for whoever may watch: lists, replays, files; and for nobody else."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from controller.base.settings import Phones
from controller.journal.journal import JOURNAL_FILE
from tests.support.history_pages import PlayedTable, played_table
from tests.support.painted_code import read_code
from tests.webui.visitors import LAPTOP, PHONE, PIN, Visitor

ADDRESSES = (
    "/history",
    "/history/players",
    "/history/player?name=Ada",
    "/history/1",
    "/history/1/steps.json",
    "/history/1/analysis.json",
    "/history/1/report",
    "/history/1/record",
    "/history/1/bundle",
    "/history/1/pictures/{picture}.jpg",
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> PlayedTable:
    return played_table(tmp_path_factory.mktemp("table") / "data")


@pytest.fixture
def visitor(table: PlayedTable) -> Visitor:
    return Visitor(table.app(), LAPTOP, is_own=False)


def read_steps(visitor: Visitor, number: int) -> dict[str, object]:
    found = json.loads(visitor.get(f"/history/{number}/steps.json").data)
    assert isinstance(found, dict)
    return found


def wait_for_file(visitor: Visitor, address: str) -> TestResponse:
    while (answer := visitor.get(address)).status_code == 202:
        assert answer.headers["Refresh"] == "2"
        threading.Event().wait(0.05)
    answer.get_data()
    answer.close()
    return answer


@pytest.mark.parametrize("address", ADDRESSES)
def test_who_may_watch_may_read(table: PlayedTable, address: str) -> None:
    address = address.format(picture=table.pictures[0][0])
    app, closed = (table.app(phones=each, makes_files=False) for each in (Phones.WATCH, Phones.OFF))
    watcher = Visitor(app, LAPTOP, is_own=False)
    assert wait_for_file(watcher, address).status_code == 200
    for stranger in (
        Visitor(closed, LAPTOP, is_own=False),
        Visitor(app, "93.184.216.34", is_own=False),
        Visitor(app, LAPTOP, "evil.example", is_own=False),
    ):
        assert stranger.get(address).status_code == 403
    assert watcher.get(address, X_Forwarded_For="93.184.216.34").status_code == 403
    framed = watcher.get(address, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")
    assert framed.status_code == 403
    official = Visitor(closed, PHONE, is_own=False)
    official.enters(pin=PIN)
    assert wait_for_file(official, address).status_code == 200


def test_nothing_here_can_be_posted(visitor: Visitor) -> None:
    for address in ADDRESSES:
        assert visitor.post(address, {}).status_code in (403, 405)


def test_the_list_has_every_game_and_is_filtered(visitor: Visitor) -> None:
    page = visitor.get("/history").text
    assert page.index("game 4") < page.index("game 3") < page.index("game 2") < page.index("game 1")
    assert "being played" in page
    assert "not finished" in page
    only = visitor.get("/history?player=Ben").text
    assert "game 1" in only
    assert "game 3" not in only
    assert "game 2" in visitor.get("/history?player=Ben&game=black-n-white").text
    assert "game 1" not in visitor.get("/history?player=Ben&game=black-n-white").text
    assert visitor.get("/history?page=7").status_code == 200
    assert visitor.get("/history?page=x&player=<b>").status_code == 200


def test_a_game_that_is_played_now_stays_closed(visitor: Visitor) -> None:
    for end in ("", "/steps.json", "/report", "/record", "/bundle"):
        assert visitor.get(f"/history/4{end}").status_code == 404
        assert visitor.get(f"/history/99{end}").status_code == 404


def test_the_newest_game_is_found_without_its_number(visitor: Visitor) -> None:
    answer = visitor.get("/history/latest")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/history/3")


def test_the_newest_game_is_only_that_of_the_wanted_picture(
    table: PlayedTable, visitor: Visitor
) -> None:
    """A screen that shows an end may know of it before the history does."""
    newest = table.history.read_rolls(3)
    assert newest is not None
    for address in ("/history/latest/analysis.json", "/history/latest/code.svg"):
        plain = visitor.get(address).status_code
        of_newest = visitor.get(f"{address}?picture={newest.rolls[-1].picture}").status_code
        # An analysis that was under way may have ended meanwhile.
        assert of_newest in (plain, 200)
        assert visitor.get(f"{address}?picture={'0' * 64}").status_code == 404
    assert visitor.get("/history/latest/analysis.json").status_code in (200, 202)


def test_a_replay_says_which_pictures_are_gone(table: PlayedTable, visitor: Visitor) -> None:
    kept, gone = table.pictures[0][:2]
    assert read_steps(visitor, 1)["gone"] == {gone: "This picture is no longer stored."}
    assert visitor.get(f"/history/1/pictures/{kept}.jpg").mimetype == "image/jpeg"
    assert visitor.get(f"/history/1/pictures/{gone}.jpg").status_code == 404
    # A picture belongs to its game, so nobody reads others with a digest from elsewhere.
    assert visitor.get(f"/history/2/pictures/{kept}.jpg").status_code == 404
    assert visitor.get("/history/1/pictures/..%2F..%2Ftable.jpg").status_code == 404


def test_a_report_opens_and_a_bundle_is_saved(table: PlayedTable) -> None:
    reader = Visitor(table.app(makes_files=False), LAPTOP, is_own=False)
    report = wait_for_file(reader, "/history/2/report")
    assert report.mimetype == "text/html"
    assert "default-src 'none'" in report.headers["Content-Security-Policy"]
    bundle = wait_for_file(reader, "/history/2/bundle")
    assert bundle.headers["Content-Disposition"] == "attachment; filename=dicebell-game-2.zip"


def test_a_forgotten_player_has_no_name_in_any_answer(tmp_path: Path) -> None:
    table = played_table(tmp_path / "data")
    reader = Visitor(table.app(), LAPTOP, is_own=False)
    assert "Ben" in reader.get("/history/1").text
    table.history.forget_player("Ben")
    table.history.rename_player("Ada", "Anna")
    for address in ("/history", "/history/players", "/history/1", "/history/1/steps.json"):
        page = reader.get(address).text
        assert "Ben" not in page, address
        assert "Ada" not in page, address
    assert reader.get("/history/player?name=Ben").status_code == 404
    assert "Ben" not in reader.get("/history/1/record").text
    reader.set_cookie("dicebell-language", "de")
    report = wait_for_file(reader, "/history/1/report").text
    assert '<html lang="de">' in report
    assert "Anna" in report
    assert "Ben" not in report.replace("Benutz", "")
    # The journal in a bundle has the name.
    assert wait_for_file(reader, "/history/1/bundle").status_code == 500
    table.history.restore_name("Ben")
    assert "Ben" in reader.get("/history/1").text


def test_a_forgotten_player_is_named_in_the_readers_language(tmp_path: Path) -> None:
    table = played_table(tmp_path / "data")
    table.history.forget_player("Ben")
    reader = Visitor(table.app(), LAPTOP, is_own=False)
    replay = read_steps(reader, 1)["replay"]
    assert isinstance(replay, dict)
    assert replay["players"] == ["Ada", "Player 2"]
    assert set(replay["steps"][0]["sheets"]) == {"Ada", "Player 2"}


def test_a_code_leads_to_the_report_of_the_game_that_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.auth.hosts.find_lan_address", lambda: "192.168.1.9")
    table = played_table(tmp_path / "data")
    answer = Visitor(table.app(), LAPTOP, is_own=False).get("/history/latest/code.svg")
    decoded = read_code(answer.data)
    assert re.fullmatch(r"http://192\.168\.1\.9:\d+/history/3/report", decoded)
    phone = Visitor(table.app(), PHONE, is_own=False)
    assert phone.get("/history/latest/report").headers["Location"] == "/history/3/report"
    closed = Visitor(table.app(phones=Phones.OFF), "127.0.0.1", "127.0.0.1:8080")
    assert closed.get("/history/latest/code.svg").status_code == 404
    with (table.folder / JOURNAL_FILE).open("ab") as journal:
        journal.write(b"an entry that the index has not read\n")
    late = Visitor(table.app(), LAPTOP, is_own=False)
    assert late.get("/history/latest/code.svg").status_code == 404
    assert late.get("/history/latest").headers["Location"] == "/history"
