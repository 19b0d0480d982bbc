# SPDX-License-Identifier: MIT
"""The documented limits of the ports are those that count."""

from __future__ import annotations

import math
import re
from pathlib import Path

import webui.api.stream as api
from webui import MOST_STREAMS
from webui.auth.roles import Role
from webui.auth.stream_slots import MOST_ENDING, MOST_PER_CLIENT, OWN_SHARE, ROLE_SHARES
from webui.server import OWN_LIMITS, PUBLIC_LIMITS

PAGE = Path(__file__).parents[3] / "docs" / "access.md"


def test_documented_limits_are_those_of_the_ports() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## What strangers cannot use up")[2]
    rows = re.findall(r"^\| .* \| (.*) \|$", text, re.MULTILINE)[2:]
    watchers, guests, players = (
        math.ceil(MOST_STREAMS * ROLE_SHARES[role])
        for role in (Role.WATCHER, Role.GUEST, Role.PLAYER)
    )
    limits = PUBLIC_LIMITS
    expected = [
        [limits.body_bytes // 1024],
        [limits.request_s],
        [limits.idle_s],
        [limits.per_address],
        [limits.connections],
        [MOST_STREAMS, watchers, guests, MOST_STREAMS - players],
        [api.MOST_STREAMS, api.MOST_PER_TOKEN],
        [MOST_PER_CLIENT],
    ]
    assert [
        [float(number) for number in re.findall(r"\d+", row)] for row in rows[: len(expected)]
    ] == expected
    assert limits.header_bytes == limits.body_bytes
    own = math.ceil(MOST_STREAMS * OWN_SHARE)
    assert f"all {OWN_LIMITS.per_address} connections, and {own} streams fit" in text


def test_streams_leave_threads_for_everything_else() -> None:
    assert MOST_STREAMS + MOST_ENDING < PUBLIC_LIMITS.threads
    assert math.ceil(MOST_STREAMS * OWN_SHARE) < OWN_LIMITS.threads
