# SPDX-License-Identifier: MIT
"""Every answer of the interface is as its description says, and what it refuses stays refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from controller.games import GAMES
from controller.table.events import ActionRequested, GameClosed, GameStarted, RollCorrected
from controller.table.state import require_game
from tests.support.table import CONFIRM, throw_of
from tests.webui.api.program_table import PAGE, ProgramTable
from webui.api.pages import load_openapi

jsonschema = pytest.importorskip("jsonschema", reason="make installs it")

ASKED = {"dice": 3, "for": "Zoe", "why": "The dragon wakes."}
DESCRIPTION: dict[str, Any] = json.loads(load_openapi())


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ProgramTable]:
    with ProgramTable(tmp_path) as table:
        table.happen(GameStarted("choice", ("Ada", "Ben")), *throw_of("13446"))
        table.happen(RollCorrected("13456", "Eva", "A four was a five."), CONFIRM)
        yield table


@pytest.fixture(scope="module")
def idle_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProgramTable]:
    """Return a table after a game, at which nothing happens any more."""
    with ProgramTable(tmp_path_factory.mktemp("table")) as table:
        table.happen(GameStarted("choice", ("Ada", "Ben")), *throw_of("13446"), GameClosed())
        yield table


def check(answer: TestResponse, path: str, method: str = "get") -> dict[str, Any]:
    replies = DESCRIPTION["paths"][path][method]["responses"]
    assert str(answer.status_code) in replies, f"{answer.status_code}: {answer.text}"
    ((kind, described),) = replies[str(answer.status_code)]["content"].items()
    assert answer.mimetype == kind
    body: dict[str, Any] = json.loads(answer.text)
    schema = {**described["schema"], "components": DESCRIPTION["components"]}
    jsonschema.Draft202012Validator(schema).validate(body)
    return body


def test_every_address_is_described_and_no_other(table: ProgramTable) -> None:
    served = {
        (rule.rule.removeprefix("/api/v1"), method.lower())
        for rule in table.app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    spelled = str.maketrans({"<": "{", ">": "}"})
    plain = {(rule.replace("<int:", "<").translate(spelled), method) for rule, method in served}
    described = DESCRIPTION["paths"].items()
    assert plain == {(path, method) for path, methods in described for method in methods}
    assert table.call("/openapi.json").json == DESCRIPTION
    parameters = DESCRIPTION["paths"]["/games"]["get"]["parameters"]
    (game,) = (each for each in parameters if each["name"] == "game")
    assert game["schema"]["enum"] == list(GAMES)


def test_a_program_reads_the_table_its_rolls_and_its_history(table: ProgramTable) -> None:
    token = table.tokens.make_token("Reader", ("read",))
    now = check(table.call("/table", token), "/table")
    assert (now["game"], now["phase"], now["request"]) == ("choice", "choosing", None)
    assert [player["name"] for player in now["players"]] == ["Ada", "Ben"]
    rolls = check(table.call("/rolls?limit=5", token), "/rolls")
    (roll,) = rolls["rolls"]
    assert (roll["faces"], roll["by"], roll["in_doubt"]) == ([1, 3, 4, 4, 6], "Ada", False)
    assert [die["origin"] for die in roll["dice"]] == ["thrown"] * 5
    assert roll["corrected"]["faces"] == [1, 3, 4, 5, 6]
    assert check(table.call(f"/rolls/{roll['entry']}", token), "/rolls/{entry}") == roll
    entry = table.runtime.entries.read(roll["entry"])
    assert entry is not None
    assert entry.link == roll["link"]
    games = check(table.call("/games", token), "/games")
    assert games["count"] == 1
    game = check(table.call("/games/1", token), "/games/{number}")
    assert game["status"] == "open"
    assert [one["choices"] for one in game["roll_list"]] == [[]]
    check(table.call("/players", token), "/players")


def test_an_opponent_is_marked_at_the_table_and_in_its_event(tmp_path: Path) -> None:
    with ProgramTable(tmp_path) as table:
        table.happen(GameStarted("choice", ("Ada", "Pascal"), {}, {"Pascal": "master"}))
        token = table.tokens.make_token("Reader", ("read",))
        seats = check(table.call("/table", token), "/table")["players"]
        assert [seat["opponent"] for seat in seats] == [None, "Master"]
        feed = table.parts.entries.follow(table.runtime.entries.read(1))
        events = feed.read_events()
        assert events is not None
        (begun,) = events
        assert begun.data["opponents"] == [{"name": "Pascal", "grade": "master"}]


def test_a_forgotten_person_has_no_name_anywhere(table: ProgramTable) -> None:
    token = table.tokens.make_token("Reader", ("read",))
    table.names = {"Ada": "", "Ben": "Benno"}
    (roll,) = check(table.call("/rolls", token), "/rolls")["rolls"]
    assert roll["by"] is None
    events = list(read_all(table))
    assert [event["players"] for event in events if event["type"] == "game"] == [[None, "Benno"]]
    assert "Ada" not in json.dumps(events)


def read_all(table: ProgramTable, after: int = 0) -> Iterator[dict[str, Any]]:
    """Yield every event after an entry, each held against the description."""
    schema = {"$ref": "#/components/schemas/Event", "components": DESCRIPTION["components"]}
    feed = table.parts.entries.follow(table.runtime.entries.read(after))
    while (events := feed.read_events()) is not None:
        for event in events:
            body = json.loads(json.dumps(event.data))
            jsonschema.Draft202012Validator(schema).validate(body)
            assert event.id.startswith(f"{body['entry']}.")
            yield body


def test_secret_choices_are_not_in_the_stream(tmp_path: Path) -> None:
    with ProgramTable(tmp_path) as table:
        table.happen(GameStarted("choice", ("Ada", "Ben"), {"secret": True}), *throw_of("13446"))
        game = require_game(table.runtime.loop.state)
        table.happen(ActionRequested("Ada", game.legal_actions("Ada")[0]))
        events = list(read_all(table))
    acted = [event for event in events if event["type"] == "action"]
    assert acted
    assert all(event["action"] is None for event in acted)


def test_a_request_is_thrown_refused_and_withdrawn(table: ProgramTable) -> None:
    token = table.tokens.make_token("Dungeon", ("ask",))
    other = table.tokens.make_token("Other", ("read", "ask"))

    def ask(method: str = "POST", number: str = "", by: str = token) -> TestResponse:
        body = ASKED if method == "POST" else None
        return table.call(f"/requests{number}", by, method=method, body=body)

    busy = check(ask(), "/requests", "post")
    assert busy["detail"] == ("expected a table between games, found one in a game (choosing)")
    table.happen(GameClosed())
    answer = ask()
    made = check(answer, "/requests", "post")
    assert (answer.status_code, made["state"], made["asked_by"]) == (201, "open", "Dungeon")
    path = f"/{made['id']}"
    assert answer.headers["Location"] == f"/api/v1/requests{path}"
    assert check(table.call("/table", other), "/table")["request"] == made
    assert ask().status_code == 409
    assert ask("DELETE", path, other).status_code == 403

    table.happen(*throw_of("346", spot=5))
    found = check(ask("GET", path), "/requests/{number}")
    assert (found["state"], found["answer"]["faces"]) == ("answered", [3, 4, 6])
    assert found["answer"]["request"] == made["id"]
    assert ask("DELETE", path).status_code == 409

    second = check(ask(), "/requests", "post")
    gone = check(ask("DELETE", f"/{second['id']}"), "/requests/{number}", "delete")
    assert gone["state"] == "withdrawn"
    assert check(table.call("/table", other), "/table")["phase"] == "lobby"
    kinds = [event["type"] for event in read_all(table) if "request" in event]
    assert [kind for kind in kinds if kind != "roll"] == [
        "request",
        "answer",
        "request",
        "request_ended",
    ]


@pytest.mark.parametrize(
    ("path", "status", "detail"),
    [
        ("/rolls?limit=0", 400, 'expected limit: a whole number from 1 to 100, found "0"'),
        ("/rolls?limit=5&limit=6", 400, "expected limit once, found it 2 times"),
        ("/rolls?colour=red", 400, 'expected no parameter but before, limit, found "colour"'),
        ("/rolls/999", 404, "expected the entry of a roll, found none with the number 999"),
        ("/games?status=won", 400, "expected status: one of open, parked, left, finished, found"),
        (f"/games/{1 << 80}", 404, "expected the number of a game, found none with 1208925819"),
        ("/requests/0", 404, "expected the number of a request, found none with 0"),
        (
            "/games?game=chess",
            400,
            "expected game: one of choice, black-n-white, wuerfelspiel, dice",
        ),
        (
            "/pictures/../../access.json",
            404,
            'expected an address that /api/v1/openapi.json lists, found "/api/v1/pictures/',
        ),
        (f"/pictures/{'0' * 64}.jpg", 404, "expected the digest of a stored picture"),
        ("/nothing", 404, "expected an address that /api/v1/openapi.json lists, found"),
    ],
)
def test_wrong_questions_get_one_line(
    idle_table: ProgramTable, path: str, status: int, detail: str
) -> None:
    token = idle_table.tokens.make_token(f"Reader of {path}"[:40], ("read", "ask"))
    answer = idle_table.call(path, token)
    idle_table.tokens.withdraw(idle_table.tokens.list_tokens()[-1].number)
    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"
    assert answer.json is not None
    assert detail in answer.json["detail"]
    assert "\n" not in answer.json["detail"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {**ASKED, "dice": 0},
        {**ASKED, "dice": 21},
        {**ASKED, "dice": True},
        {**ASKED, "dice": 2.5},
        {**ASKED, "for": " "},
        {**ASKED, "for": "\u2800"},
        {**ASKED, "for": "A\nB"},
        {**ASKED, "for": "x" * 41},
        {**ASKED, "why": "x" * 201},
        {**ASKED, "why": "\ud800"},
        {**ASKED, "pin": "1"},
        {"dice": 3},
    ],
)
def test_wrong_requests_are_refused(idle_table: ProgramTable, body: object) -> None:
    token = idle_table.tokens.make_token("Dungeon", ("ask",))
    answer = idle_table.call("/requests", token, method="POST", body=body)
    idle_table.tokens.withdraw(idle_table.tokens.list_tokens()[-1].number)
    assert answer.status_code == 400, answer.text
    assert idle_table.runtime.loop.state.play.request is None


def test_tokens_scopes_and_addresses_decide(table: ProgramTable) -> None:
    reader = table.tokens.make_token("Reader", ("read",))
    asker = table.tokens.make_token("Asker", ("ask",))
    for wrong in ("", "x", reader[:-1], reader.replace("_", "-"), f"{reader}x"):
        answer = table.call("/table", wrong)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert table.call("/table", asker).status_code == 403
    assert table.call("/requests", reader, method="POST", body=ASKED).status_code == 403
    assert table.call("/table", reader, address="93.184.216.34").status_code == 403
    assert table.call("/table", reader, X_Forwarded_For="93.184.216.34").status_code == 403
    assert table.call("/table", reader, Host="evil.example").status_code == 403
    client = table.app.test_client()
    client.set_cookie("dicebell-official", "x")
    assert client.get("/api/v1/table", headers={"Host": "127.0.0.1"}).status_code == 401
    for path in ("/", "/watch", "/evidence/x.jpg", "/command"):
        headers = {"Host": "127.0.0.1", "Authorization": f"Bearer {reader}"}
        stranger = {"REMOTE_ADDR": "192.168.1.30"}
        assert client.get(path, headers=headers, environ_base=stranger).status_code in (403, 405)
    (number,) = (each.number for each in table.tokens.list_tokens() if each.name == "Reader")
    table.tokens.withdraw(number)
    assert table.call("/table", reader).status_code == 401


def test_pages_of_listed_origins_alone_may_use_it(table: ProgramTable) -> None:
    token = table.tokens.make_token("Page", ("read",))
    answer = table.call("/table", token, Origin=PAGE, Sec_Fetch_Site="cross-site")
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    preflight = table.call("/requests", method="OPTIONS", Origin=PAGE, Sec_Fetch_Site="cross-site")
    assert preflight.status_code == 200
    assert "Authorization" in preflight.headers["Access-Control-Allow-Headers"]
    for foreign in ("http://evil.example", f"{PAGE}.evil.example", "null"):
        answer = table.call("/table", token, Origin=foreign, Sec_Fetch_Site="cross-site")
        assert answer.status_code == 403
        assert "Access-Control-Allow-Origin" not in answer.headers
    elsewhere = table.app.test_client().get(
        "/healthz", headers={"Host": "127.0.0.1", "Origin": PAGE, "Sec-Fetch-Site": "cross-site"}
    )
    assert elsewhere.status_code == 403


def test_rates_are_limited_for_each_token_and_each_address(table: ProgramTable) -> None:
    greedy, patient = (table.tokens.make_token(name, ("read",)) for name in ("A", "B"))
    statuses = [table.call("/players", greedy).status_code for _ in range(61)]
    assert statuses == [200] * 60 + [429]
    refused = table.call("/players", greedy)
    assert int(refused.headers["Retry-After"]) == 1
    assert table.call("/players", patient).status_code == 200
    table.clock.wait_s(0.15)
    assert table.call("/players", greedy).status_code == 200
    statuses = [table.call("/players", "wrong").status_code for _ in range(21)]
    assert statuses == [401] * 20 + [429]
    assert table.call("/players", patient).status_code == 200


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"", "expected a JSON object, found an empty body"),
        (b"null", "expected a JSON object, found null"),
        (b'{"dice": 3,', "expected a JSON object, found no valid JSON at character 12"),
        (b'{"for": "\xff"}', "expected a JSON object in UTF-8, found other bytes"),
        (b'{"why": ["\\ud800"]}', "expected whole characters, found half a character (U+D800)"),
        (b'{"\\udfff": 1}', "expected whole characters, found half a character (U+DFFF)"),
        (b'{"dice": 3, "dice": 4}', 'expected each key once, found "dice" again'),
        (b"[" * 5000, "expected a JSON object at most 8 deep, found a deeper one"),
        (b"[1]", 'expected a JSON object with the key "dice", found [1]'),
    ],
)
def test_a_malformed_body_is_told_where(idle_table: ProgramTable, data: bytes, detail: str) -> None:
    token = idle_table.tokens.make_token("Dungeon", ("ask",))
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    answer = idle_table.app.test_client().post(
        "/api/v1/requests", data=data, headers={"Host": "127.0.0.1", **headers}
    )
    idle_table.tokens.withdraw(idle_table.tokens.list_tokens()[-1].number)
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["detail"] == detail


def test_other_refusals_say_what_was_expected(idle_table: ProgramTable) -> None:
    page = idle_table.call("/table", Origin="http://evil.example")
    basic = idle_table.call("/table", Authorization="Basic eDp5")
    method = idle_table.call("/table", method="PUT")
    details = [answer.json["detail"] for answer in (page, basic, method) if answer.json]
    assert details == [
        "expected an origin in the settings, [api] origins, found http://evil.example",
        "expected the header 'Authorization: Bearer TOKEN', found another kind; tokens are made"
        " on the table's service page, under Machine",
        "expected GET, found PUT",
    ]
    assert "GET" in method.headers["Allow"]


def test_bodies_are_limited_in_kind_and_size(table: ProgramTable) -> None:
    token = table.tokens.make_token("Dungeon", ("ask",))
    client = table.app.test_client()
    headers = {"Host": "127.0.0.1", "Authorization": f"Bearer {token}"}
    plain = client.post("/api/v1/requests", data="dice=3", headers=headers)
    assert plain.status_code == 415
    large = client.post("/api/v1/requests", json={"dice": "x" * 20_000}, headers=headers)
    assert large.status_code in (400, 413)
    assert table.runtime.loop.state.play.game_key == "choice"


def test_lists_tell_how_much_of_the_journal_they_cover(
    table: ProgramTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal of a year is read while programs ask already."""
    token = table.tokens.make_token("Reader", ("read",))
    monkeypatch.setattr("controller.history.history.NEAR_BYTES", -1)
    for path, key in (("/games", "games"), ("/players", "players")):
        lagging = check(table.call(path, token), path)
        assert (lagging[key], lagging["index"]["state"]) == ([], "building")
    missing = table.call("/games/1", token)
    assert check(missing, "/games/{number}")["detail"] == (
        "expected an index of the whole journal, found 0 % of it"
    )
    assert missing.status_code == 503
    table.history.index.catch_up()
    whole = check(table.call("/games", token), "/games")
    assert whole["index"] == {"state": "ready", "percent": 100, "problem": ""}
    assert whole["count"] == 1
    assert table.call("/games/2", token).status_code == 404


def test_a_journal_that_does_not_verify_is_told(tmp_path: Path) -> None:
    with ProgramTable(tmp_path) as table:
        table.happen(GameStarted("choice", ("Ada", "Ben")), *throw_of("13446"))
        token = table.tokens.make_token("Reader", ("read",))
        lines = (tmp_path / "journal.jsonl").read_bytes().splitlines(keepends=True)
        forged = lines[-1].replace(b"13446", b"66666")
        assert forged != lines[-1]
        (tmp_path / "journal.jsonl").write_bytes(b"".join([*lines[:-1], forged]))
        found = check(table.call("/players", token), "/players")
        assert (found["players"], found["index"]["state"]) == ([], "refused")
        assert found["index"]["problem"]
        answer = table.call("/games/1", token)
        assert answer.status_code == 503
        detail = check(answer, "/games/{number}")["detail"]
        assert detail.startswith("expected a journal that verifies, found: ")
