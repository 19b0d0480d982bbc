# SPDX-License-Identifier: MIT
"""
How the pages of a table load in a real browser over a slow network: requests, bytes and time.

Each page is opened in a browser that has nothing of it, and again in the same browser. A file that
comes from the browser's cache is no request. A phone is usable once it shows what it asks for, any
other page once it shows the table; the desk's page needs no script.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.cli.bench_reader.benchmark import Metric
from tests.bench.page_probe import launch_browser
from tests.bench.phones import JoinedPhone, join_phone
from tests.bench.table_process import TableProcess
from tests.support.desk_process import DeskProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

FAST_3G = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 1.6e6 * 0.9 / 8,
    "uploadThroughput": 750e3 * 0.9 / 8,
}
"""As the browser's own tools define it: ms to the first byte of each answer, and bytes a second."""

_MOST_OF_PHONE = (12, 120_000)  # Requests and bytes of its first visit.
PICTURES_S = 20.0
_PATIENCE_MS = 120_000.0
_PHONE_WH, _SCREEN_WH = (390, 844), (1280, 800)
_FILES = ("Stylesheet", "Script", "Image", "Font")
"""Kinds of requests that the second visit must not repeat."""

_NOTE_USABLE = """
const note = () => {
  const { version, stage } = document.body?.dataset ?? {};
  const isUsable = version || ["code", "who"].includes(stage)
    || (location.pathname === "/organiser" && document.readyState === "complete");
  if (isUsable) window.usableMs ??= performance.now();
};
new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
addEventListener("load", note);
"""
"""The page notes when it was usable; who only asks it now and then learns that late."""
_USABLE = "() => window.usableMs"


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A page to load, as which browser."""

    name: str
    url: str
    size_wh: tuple[int, int] = _SCREEN_WH
    phone: JoinedPhone | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """What one visit took."""

    requests: int  # All that the network answered, with the page and its stream.
    files: int  # Those of them for files, which a browser may keep.
    bytes: int
    usable_s: float


@dataclass(slots=True)
class _Answer:
    """What the network sent to a request, with the headers."""

    kind: str
    url: str
    bytes: int = 0


class _Traffic:
    """Notes what the network sends to a page."""

    def __init__(self, session: CDPSession) -> None:
        self._answers: dict[str, _Answer] = {}
        session.on("Network.requestWillBeSent", self._note_request)
        session.on("Network.requestServedFromCache", self._forget)
        session.on("Network.responseReceived", self._note_answer)
        session.on("Network.dataReceived", self._note_data)
        session.on("Network.loadingFinished", self._note_end)

    def clear(self) -> None:
        self._answers.clear()

    def list_bytes(self, path: str = "") -> list[int]:
        """Return the bytes of each answer whose address contains `path`."""
        return [answer.bytes for answer in self._answers.values() if path in answer.url]

    def count_files(self) -> int:
        return sum(answer.kind in _FILES for answer in self._answers.values())

    def _note_request(self, event: Mapping[str, Any]) -> None:
        url = event["request"]["url"]
        if url.startswith("http"):
            self._answers[event["requestId"]] = _Answer(event.get("type", ""), url)

    def _forget(self, event: Mapping[str, Any]) -> None:
        self._answers.pop(event["requestId"], None)

    def _note_answer(self, event: Mapping[str, Any]) -> None:
        head = event["response"]
        if head.get("fromDiskCache") or head.get("fromPrefetchCache"):
            self._forget(event)
        elif answer := self._answers.get(event["requestId"]):
            answer.bytes = int(head["encodedDataLength"])

    def _note_data(self, event: Mapping[str, Any]) -> None:
        if answer := self._answers.get(event["requestId"]):
            # A stream has no encoded length before its end.
            answer.bytes += int(event["encodedDataLength"] or event["dataLength"])

    def _note_end(self, event: Mapping[str, Any]) -> None:
        if answer := self._answers.get(event["requestId"]):
            answer.bytes = int(event["encodedDataLength"])


def measure_loads(seed: int) -> Iterator[Metric]:
    """
    Yield what a first and a second visit take, and the pictures of a kiosk that is left alone.
    """
    with ExitStack() as leaving:
        folder = Path(leaving.enter_context(tempfile.TemporaryDirectory(prefix="loads-")))
        options = ("--game", "wuerfelspiel", "--players", "Ada,Ben")
        table = leaving.enter_context(
            TableProcess(folder, seed=seed, has_phones=True, options=options)
        )
        desk = leaving.enter_context(DeskProcess(folder / "desk", "--open"))
        browser = leaving.enter_context(launch_browser())
        for address in _list_pages(table, desk):
            yield from _measure_page(browser, address)


def _list_pages(table: TableProcess, desk: DeskProcess) -> list[PageAddress]:
    own, public = (f"http://127.0.0.1:{port}" for port in (table.port, table.public_port))
    phone = join_phone(table, 0, json.loads(table.get("/login/pairing").body)["code"])
    return [
        PageAddress("kiosk", f"{own}/"),
        PageAddress("phone", f"{public}/join", _PHONE_WH),
        PageAddress("phone with a seat", f"{public}/", _PHONE_WH, phone),
        PageAddress("big screen", f"{public}/tv"),
        PageAddress("organiser", f"{desk.url}/organiser"),
    ]


def _measure_page(browser: Browser, address: PageAddress) -> Iterator[Metric]:
    width, height = address.size_wh
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(_PATIENCE_MS)
    try:
        if address.phone:
            name, _, value = address.phone.cookie.partition("=")
            context.add_cookies([{"name": name, "value": value, "url": address.url}])
        context.add_init_script(_NOTE_USABLE)
        page = context.new_page()
        session = context.new_cdp_session(page)
        traffic = _Traffic(session)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", FAST_3G)
        for number, name in enumerate(("first visit", "second visit")):
            visit = _visit(page, address.url, traffic)
            yield from _list_visit(f"{address.name}, {name}", visit, is_first=number == 0)
            page.goto("about:blank")
        if address.name == "kiosk":
            yield from _measure_pictures(page, session, address.url, traffic)
    finally:
        context.close()


def _visit(page: Page, url: str, traffic: _Traffic) -> Visit:
    traffic.clear()
    page.goto(url, wait_until="commit")
    usable_ms = float(page.wait_for_function(_USABLE).json_value())
    page.wait_for_load_state("load")
    # The pictures of the tray go on; they are measured on their own.
    pictures = traffic.list_bytes("/tray.jpg")
    everything = traffic.list_bytes()
    return Visit(
        len(everything) - len(pictures),
        traffic.count_files(),
        sum(everything) - sum(pictures),
        usable_ms / 1000,
    )


def _list_visit(name: str, visit: Visit, *, is_first: bool) -> Iterator[Metric]:
    """Yield what a visit took; times have no limit, because they tell of the machine too."""
    limited = is_first and name.startswith("phone")
    most_requests, most_bytes = _MOST_OF_PHONE if limited else (math.inf, math.inf)
    yield Metric(f"{name}, requests", visit.requests, most=most_requests)
    yield Metric(f"{name}, of files", visit.files, most=math.inf if is_first else 0)
    yield Metric(f"{name}, bytes", visit.bytes, most=most_bytes)
    yield Metric(f"{name}, usable after, s", round(visit.usable_s, 2))


def _measure_pictures(
    page: Page, session: CDPSession, url: str, traffic: _Traffic
) -> Iterator[Metric]:
    """Yield what the pictures of the tray take while nothing moves, on the box's own network."""
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    page.goto(url, wait_until="commit")
    page.wait_for_function(_USABLE)
    page.wait_for_timeout(1000)
    traffic.clear()
    page.wait_for_timeout(PICTURES_S * 1000)
    asked = traffic.list_bytes("/tray.jpg")
    shown = [size for size in asked if size > 1000]
    yield Metric("kiosk, requests for the tray in 20 s", len(asked))
    yield Metric("kiosk, pictures of the tray in 20 s", len(shown), most=2 * PICTURES_S)
    yield Metric("kiosk, bytes of the tray in 20 s", sum(asked))
