# SPDX-License-Identifier: MIT
"""Malformed requests at the real server: answered with 400, and no traceback in the log."""

from __future__ import annotations

import logging

import pytest
from waitress.task import ErrorTask

from tests.webui.listeners.test_connections import FEW, ask, connected, is_closed, serving


def read_status(answer: bytes) -> int:
    return int(answer.split()[1])


@pytest.mark.parametrize(
    "malformed",
    [
        b"\x16\x03\x01 hello\r\n\r\n",
        b"GET http://[ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
    ],
)
def test_malformed_requests_get_status_400(
    malformed: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(FEW) as port:
        with connected(port) as line:
            line.sendall(malformed)
            assert read_status(line.recv(4096)) == 400
        assert ask(port) == 200
    assert [record.message for record in caplog.records if record.levelno > logging.WARNING] == []


def test_a_client_that_leaves_a_malformed_request_logs_no_error(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client leaves after the answer was begun and before it is written."""
    monkeypatch.setattr(ErrorTask, "start", lambda task: task.channel.cancel())
    with serving(FEW) as port:
        with connected(port) as line:
            line.sendall(b"malformed\r\n\r\n")
            assert is_closed(line)
        assert ask(port) == 200
    assert [record.message for record in caplog.records if record.levelno > logging.WARNING] == []
