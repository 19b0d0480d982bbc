# SPDX-License-Identifier: MIT
"""A table without camera and disk that phones play at, each a browser of its own."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, expect

from controller.base.languages.catalogue import Catalogue
from controller.base.settings import Phones, WebSettings
from controller.history.replays.parts import HistoryParts
from controller.runtime.access.tickets import AccessControl
from controller.table.events import PhonesBound
from controller.table.state import TableState
from hardware.clock import SteppedClock
from tests.support.page_table import PageTable
from tests.webui.fakes import FakeTray
from tests.whole_table.conftest import Chromium
from webui import create_app
from webui.auth.hosts import find_lan_address
from webui.auth.roles import is_box_browser
from webui.server import KioskServer

BOX, ELSEWHERE = "127.0.0.1", find_lan_address()
UPRIGHT, SIDEWAYS, BOX_SCREEN = (390, 844), (844, 390), (1280, 800)

COUNT_VIBRATIONS = """
window.vibrations = 0;
navigator.vibrate = () => { window.vibrations += 1; return true; };
"""


class PhoneTable:
    def __init__(
        self,
        state: TableState,
        folder: Path,
        chromium: Chromium,
        closing: ExitStack,
        catalogues: Mapping[str, Catalogue] | None = None,
        history: HistoryParts | None = None,
    ) -> None:
        self.table = PageTable(state)
        self.now_s = 0.0
        self.access = AccessControl(folder, SteppedClock(), wall_s=lambda: self.now_s)
        self.access.begin()
        self.access.seats.subscribe(lambda names: self.table.happen(PhonesBound(names)))
        app = create_app(
            self.table.running,
            FakeTray(),
            access=self.access,
            web=WebSettings(host="0.0.0.0", phones=Phones.PLAY),
            catalogues=catalogues,
            history=history,
            is_box=is_box_browser if ELSEWHERE else lambda asked: asked.host.startswith(BOX),
        )
        self.server = KioskServer(app, "0.0.0.0", 0, own_port=0)
        self.server.start()
        self._chromium = chromium
        self._closing = closing
        closing.callback(self.server.close)
        closing.callback(self.table.close)
        self.complaints: list[str] = []

    @property
    def phone_url(self) -> str:
        return f"http://{ELSEWHERE or 'localhost'}:{self.server.port}/"

    @property
    def link(self) -> str:
        """What stands in the QR code."""
        return f"{self.phone_url}join#code={self.access.pairing_code()}"

    def open(self, url: str, size: tuple[int, int] = UPRIGHT, **options: object) -> Page:
        context = self._chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=True, **options
        )
        self._closing.callback(context.close)
        context.add_init_script(COUNT_VIBRATIONS)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.emulate_media(reduced_motion="reduce")
        page.goto(url)
        return page

    def box(self) -> Page:
        return self.open(self.server.url, BOX_SCREEN)

    def phone(self, player: str = "", size: tuple[int, int] = UPRIGHT) -> Page:
        """Scan the table's code with a phone, and say who it is."""
        page = self.open(self.link, size)
        expect(page.locator("#stage-who")).to_be_visible()
        if player:
            say_who(page, player)
        return page


def say_who(page: Page, player: str) -> None:
    page.locator(f"#who-names [data-name='{player}']").tap()
    expect(page.locator("#stage-seat")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-player", player)
