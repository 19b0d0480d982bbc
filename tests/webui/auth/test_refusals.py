# SPDX-License-Identifier: MIT
"""What a table refuses is a page for people, in their language, and one line in the log."""

from __future__ import annotations

import html
import logging
import re

import pytest
from flask import request
from flask.testing import FlaskClient
from werkzeug.exceptions import (
    BadRequest,
    Forbidden,
    RequestEntityTooLarge,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
)
from werkzeug.test import TestResponse

from controller.base.languages.message import message
from controller.runtime.access.request_rate import LOG_RATE, MOST_NAMES
from tests.webui.fakes import FakeTable
from tests.webui.visitors import FakeAccess
from webui import create_app

PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
GERMAN = {**PAGE, "Accept-Language": "de"}
REASON = message("Scan the table's code first. The table's own screen shows it.")
RAISED = {
    400: BadRequest(REASON),
    401: Unauthorized(REASON),
    403: Forbidden(REASON),
    413: RequestEntityTooLarge(REASON),
    429: TooManyRequests(REASON, retry_after=7),
    500: RuntimeError("secret inside"),
    503: ServiceUnavailable(REASON),
}


@pytest.fixture
def client() -> FlaskClient:
    """Return a browser elsewhere; `/door` is open to it and raises what its query names."""
    app = create_app(FakeTable().running, None, FakeAccess(), is_box=lambda asked: False)

    def fail() -> str:
        raise RAISED[int(request.args["with"])]

    app.view_functions["moved.-door"] = fail
    return app.test_client()


def read_lines(answer: TestResponse) -> list[str]:
    found = re.findall(r"<(?:h1|p)>(?:<a [^>]*>)?([^<]+)<", answer.text)
    return [html.unescape(each) for each in found]


@pytest.mark.parametrize("status", RAISED)
def test_a_refused_page_says_what_to_do(client: FlaskClient, status: int) -> None:
    answer = client.get(f"/door?with={status}", headers=PAGE)
    title, *lines = read_lines(answer)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert f"<title>dicebell: {title}</title>" in answer.text
    assert (REASON in lines) is (status != 500)
    assert len(lines) >= 2
    assert "secret inside" not in answer.text


def test_each_status_has_words_of_its_own(client: FlaskClient) -> None:
    titles = [read_lines(client.get(f"/door?with={status}", headers=PAGE))[0] for status in RAISED]
    titles += [read_lines(client.get(path, headers=PAGE))[0] for path in ("/none", "/login/pin")]
    assert len(set(titles)) == len(RAISED) + 2


def test_a_page_says_when_to_come_again(client: FlaskClient) -> None:
    assert client.get("/door?with=429", headers=PAGE).headers["Retry-After"] == "7"


@pytest.mark.parametrize("path", ["/none", "/login/pin", *(f"/door?with={n}" for n in RAISED)])
def test_a_refusal_is_in_the_readers_language(client: FlaskClient, path: str) -> None:
    english, german = client.get(path, headers=PAGE), client.get(path, headers=GERMAN)
    assert '<html lang="de"' in german.text
    assert not set(read_lines(english)) & set(read_lines(german))


def test_a_foreign_name_gets_a_page_with_the_remedy(client: FlaskClient) -> None:
    answer = client.get("/", headers={**PAGE, "Host": "dice.example:8080"})
    assert answer.status_code == 403
    assert any(
        "found dice.example:8080" in line and "[web] host_names" in line
        for line in read_lines(answer)
    )


def test_a_program_with_a_foreign_name_gets_a_sentence(client: FlaskClient) -> None:
    answer = client.get("/healthz", headers={"Host": "dice.example"})
    assert (answer.status_code, answer.mimetype) == (403, "text/plain")
    assert "[web] host_names" in answer.text


def test_a_refused_page_needs_nothing_more_of_the_server(client: FlaskClient) -> None:
    """By a foreign name no style is served; the policy lets the browser use those in the page."""
    answer = client.get("/", headers={**PAGE, "Host": "dice.example"})
    assert not re.findall(r'(?:src|href)="/', answer.text)
    assert "style-src 'sha256-" in answer.headers["Content-Security-Policy"]


def test_scripts_and_programs_get_no_page(client: FlaskClient) -> None:
    assert client.get("/door?with=403").mimetype == "text/plain"
    assert client.post("/door?with=403", json={}).get_json() == {"error": REASON}


def test_behind_a_proxy_the_page_speaks_of_its_path(client: FlaskClient) -> None:
    direct = read_lines(client.get("/dice/", headers=PAGE))
    behind = client.get("/dice/", headers={**PAGE, "X-Forwarded-For": "192.168.1.5"})
    (added,) = set(read_lines(behind)) - set(direct)
    assert "proxy" in added
    assert "root of a host name" in added


def logged(caplog: pytest.LogCaptureFixture, what: str) -> list[dict[str, object]]:
    records = [record for record in caplog.records if record.getMessage() == what]
    return [record.__dict__["fields"] for record in records]


def test_a_refused_page_is_one_line_in_the_log(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dicebell")
    client.get("/none?name=Ada", headers={**PAGE, "Host": "localhost:8080"})
    (line,) = logged(caplog, "a page was refused")
    expected = {"status": 404, "host": "localhost:8080", "path": "/none", "client": "127.0.0.1"}
    assert line == expected
    assert len(caplog.records) == 1


def test_a_failure_of_the_program_is_logged_once(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    client.get("/door?with=500", headers=PAGE)
    (record,) = caplog.records
    assert record.exc_info


def test_a_program_with_a_foreign_name_is_logged_once(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dicebell")
    for _ in range(3):
        client.get("/healthz", headers={"Host": "dice.example"})
    (record,) = caplog.records
    assert record.getMessage() == "a foreign name was refused"


def test_a_flood_of_refusals_does_not_fill_the_log(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dicebell")
    for number in range(3 * LOG_RATE.burst):
        client.get("/", headers={**PAGE, "Host": f"dice{number}.example"})
        client.get("/", headers={"Host": f"dice{number}.example"})
    assert len(logged(caplog, "a page was refused")) < 2 * LOG_RATE.burst
    assert len(logged(caplog, "a foreign name was refused")) == MOST_NAMES
