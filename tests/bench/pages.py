# SPDX-License-Identifier: MIT
"""
The memory of a table with ten open pages: kiosk, big screen, overlay, history and six phones.

Each page is loaded with its scripts and styles and follows its stream, as a browser does; no
browser is needed. Meanwhile somebody throws and chooses at the kiosk. Afterwards `page_loads`
measures how a real browser loads the pages over a slow network.
"""

from __future__ import annotations

import http.client
import json
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import urljoin

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Metric, option
from tests.bench.clients.player import SoakPlayer
from tests.bench.clients.screen import StreamClient
from tests.bench.figures import SeededBenchmark, list_load, report
from tests.bench.page_loads import measure_loads
from tests.bench.phones import PLAYERS, join_phone
from tests.bench.table_process import TableProcess
from tests.support.server_process import HOST, ProcessGoneError

MOST_MEMORY_MB = 230.0
"""With the simulated tray, which takes 25 MB and which no appliance has."""
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


@dataclass(frozen=True, kw_only=True)
class Pages(SeededBenchmark):
    """Open ten pages of a table that plays: kiosk, big screen, overlay, history and six phones;
    its memory before, meanwhile and after. Then load pages in a browser over a slow network."""

    name: ClassVar[str] = "pages"
    rolls: int = option(12, "with all pages open (%(default)s)", whole_number_type(0))
    warm_up: int = option(
        2, "rolls before, so that all was used (%(default)s)", whole_number_type(0)
    )
    memory_only: bool = option(False, "do not load pages in a browser")
    loads_only: bool = option(False, "do not measure the memory")

    def measure(self) -> Iterator[Metric]:
        """
        Yield the memory of the table in MB, as it is resident; then what each page's load takes.
        """
        if not self.loads_only:
            yield from self._measure_memory()
        if not self.memory_only:
            yield from measure_loads(self.seed)
        yield from list_load()
        yield Metric("seed", self.seed)

    def _measure_memory(self) -> Iterator[Metric]:
        # Its choices stay on the kiosk, whose player makes them, although every seat has a phone.
        options = ("--game", "wuerfelspiel", "--players", ",".join(PLAYERS))
        with tempfile.TemporaryDirectory(prefix="pages-") as name, ExitStack() as leaving:
            table = leaving.enter_context(
                TableProcess(Path(name), seed=self.seed, has_phones=True, options=options)
            )
            player = SoakPlayer(table)
            leaving.callback(player.stop)
            _play(table, player, self.warm_up)
            before_mb = table.memory_mb()
            with ExitStack() as closing_pages:
                files = _open_all(table, closing_pages)
                opened_mb = table.memory_mb()
                report(f"ten pages are open: {opened_mb:.1f} MB")
                highest_mb = max(opened_mb, _play(table, player, self.rolls))
            after_mb = table.memory_mb()
        yield Metric("pages", len(_OWN_PAGES) + len(_PUBLIC_PAGES) + len(PLAYERS))
        yield Metric("files that they loaded", files)
        yield Metric("rolls", self.rolls)
        yield Metric("memory before, MB", round(before_mb, 1))
        yield Metric("memory with all pages open, MB", round(opened_mb, 1))
        yield Metric("memory at its highest, MB", round(highest_mb, 1), most=MOST_MEMORY_MB)
        yield Metric("memory after, MB", round(after_mb, 1))


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
        raise ProcessGoneError("a page did not get a view")


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
                raise ProcessGoneError(f"{path} was refused: {answer.status}")
            loaded.add(path)
            wanted += [urljoin(path, part) for part in _PART.findall(text)]
    return len(loaded)


def _play(table: TableProcess, player: SoakPlayer, rolls: int) -> float:
    """Wait for some more rolls; return the highest memory meanwhile."""
    until, highest_mb = len(player.rolls) + rolls, 0.0
    until_s = time.monotonic() + ROLL_TIMEOUT_S * rolls
    while len(player.rolls) < until:
        highest_mb = max(highest_mb, table.memory_mb())
        if time.monotonic() > until_s:
            raise ProcessGoneError("no roll was taken")
        time.sleep(POLL_S)
    return highest_mb
