# SPDX-License-Identifier: MIT
"""
The memory of a table with ten open pages: kiosk, big screen, overlay, history and six phones.

Each page is loaded with its scripts and styles and follows its stream, as a browser does; no
browser is needed. Meanwhile somebody throws and chooses at the kiosk.
"""

from __future__ import annotations

import http.client
import json
import re
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from controller.bench.soak.phones import PLAYERS, join_phone
from controller.bench.soak.player import SoakPlayer
from controller.bench.soak.process import HOST, TableGoneError, TableProcess
from controller.bench.soak.screen import StreamClient

MOST_MEMORY_MB = 230.0
"""With the simulated tray, which takes 25 MB and which no appliance has."""
WARM_UP_ROLLS = 2
POLL_S = 0.25
ROLL_TIMEOUT_S = 120.0
ANSWER_TIMEOUT_S = 30.0

_OWN_PAGES = (("/", "/events"), ("/history", "/events"))
"""Pages of the box's own screen, and their streams."""

_PUBLIC_PAGES = (("/tv", "/events?watch"), ("/overlay", "/events?watch"))
_PHONE_PAGE = ("/join", "/events?seat")

_PART = re.compile(
    r"""(?:src|href|from|import)\s*=?\s*["']([^"']+\.(?:js|css|svg|woff2)[^"']*)["']"""
)
"""What a page or a script loads."""


@dataclass(frozen=True, slots=True)
class PagesResult:
    """
    What was measured; memory in MB, as it is resident.

    Attributes:
        pages: How many pages were open.
        files: How many files they loaded.
        rolls: How many rolls were taken with all of them open.
        before_mb: After some rolls without any page but the player's.
        opened_mb: Once all pages were open.
        highest_mb: At its highest, while they were open.
        after_mb: Once they were closed.
    """

    pages: int
    files: int
    rolls: int
    before_mb: float
    opened_mb: float
    highest_mb: float
    after_mb: float


def open_pages(
    rolls: int, *, seed: int, report: Callable[[str], None], warm_up: int = WARM_UP_ROLLS
) -> PagesResult:
    """
    Open ten pages of a table at which somebody plays; return its memory.

    Args:
        rolls: How many are thrown with all pages open.
        seed: Decides the dice.
        report: Called with lines about the progress.
        warm_up: How many are thrown before, so that everything was used once.

    Raises:
        TableGoneError: The table ended by itself, or takes no more rolls.
    """
    # Its choices stay on the kiosk, whose player makes them, although every seat has a phone.
    options = ("--game", "wuerfelspiel", "--players", ",".join(PLAYERS))
    with tempfile.TemporaryDirectory(prefix="pages-") as name, ExitStack() as leaving:
        table = leaving.enter_context(
            TableProcess(Path(name), seed=seed, has_phones=True, options=options)
        )
        player = SoakPlayer(table)
        leaving.callback(player.stop)
        _play(table, player, warm_up)
        before_mb = table.usage().memory_mb
        with ExitStack() as closing_pages:
            files = _open_all(table, closing_pages)
            opened_mb = table.usage().memory_mb
            report(f"ten pages are open: {opened_mb:.1f} MB")
            highest_mb = max(opened_mb, _play(table, player, rolls))
        return PagesResult(
            pages=len(_OWN_PAGES) + len(_PUBLIC_PAGES) + len(PLAYERS),
            files=files,
            rolls=rolls,
            before_mb=before_mb,
            opened_mb=opened_mb,
            highest_mb=highest_mb,
            after_mb=table.usage().memory_mb,
        )


def list_page_metrics(result: PagesResult) -> dict[str, float]:
    """Return the metrics by name."""
    return {
        "pages": result.pages,
        "files that they loaded": result.files,
        "rolls": result.rolls,
        "memory before, MB": round(result.before_mb, 1),
        "memory with all pages open, MB": round(result.opened_mb, 1),
        "memory at its highest, MB": round(result.highest_mb, 1),
        "memory after, MB": round(result.after_mb, 1),
    }


def find_page_failures(result: PagesResult) -> list[str]:
    """Return the passed limits as sentences; empty if there are none."""
    if result.highest_mb <= MOST_MEMORY_MB:
        return []
    return [f"the table used {result.highest_mb:.1f} MB of memory"]


def _open_all(table: TableProcess, closing_pages: ExitStack) -> int:
    """Open all pages; return how many files they loaded."""
    code, files = json.loads(table.get("/login/pairing").body)["code"], 0
    for port, pages in ((table.port, _OWN_PAGES), (table.public_port, _PUBLIC_PAGES)):
        for page, stream in pages:
            files += _load_page(port, page)
            _follow(closing_pages, StreamClient(port, path=stream))
    for number in range(len(PLAYERS)):
        phone = join_phone(table, number, code)
        files += _load_page(table.public_port, _PHONE_PAGE[0], phone.cookie, phone.address)
        client = StreamClient(
            table.public_port,
            headers={"Cookie": phone.cookie},
            address=phone.address,
            path=_PHONE_PAGE[1],
        )
        _follow(closing_pages, client)
    return files


def _follow(closing_pages: ExitStack, client: StreamClient) -> None:
    closing_pages.callback(client.close)
    if client.wait(lambda _: True, ANSWER_TIMEOUT_S) is None:
        raise TableGoneError("a page did not get a view")


def _load_page(port: int, page: str, cookie: str = "", address: str = HOST) -> int:
    """Load a page and all that it names, as a browser does; return how many files."""
    wanted, loaded = [page], set[str]()
    headers = {"Cookie": cookie} if cookie else {}
    line = http.client.HTTPConnection(
        HOST, port, timeout=ANSWER_TIMEOUT_S, source_address=(address, 0)
    )
    with closing(line):
        while wanted:
            path = wanted.pop()
            if path in loaded:
                continue
            line.request("GET", path, headers=headers)
            answer = line.getresponse()
            text = answer.read().decode(errors="replace")
            if answer.status != http.client.OK:
                raise TableGoneError(f"{path} was refused: {answer.status}")
            loaded.add(path)
            wanted += [urljoin(path, part) for part in _PART.findall(text)]
    return len(loaded)


def _play(table: TableProcess, player: SoakPlayer, rolls: int) -> float:
    """Wait for some more rolls; return the highest memory meanwhile."""
    until, highest_mb = len(player.rolls) + rolls, 0.0
    until_s = time.monotonic() + ROLL_TIMEOUT_S * rolls
    while len(player.rolls) < until:
        highest_mb = max(highest_mb, table.usage().memory_mb)
        if time.monotonic() > until_s:
            raise TableGoneError("no roll was taken")
        time.sleep(POLL_S)
    return highest_mb
