# SPDX-License-Identifier: MIT
"""
Play a game with real browsers: `python -m tests.tournament_harness.real_phones --out DIR`.

The event of `dicebell demo --desk` gets further simulated phones, up to 96, and four phones in
Chromium that choose by clicking. Pictures of all pages stay in a folder. Exit status: 0 if every
browser chose from each roll that it was asked about and no page had an error, 1 if not.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, expect, sync_playwright

from controller.cli.event.demo import PACE, PLAYERS
from controller.tournament.simulated.players import SimulatedPlayers
from tests.support.demo_process import DemoProcess

NAMES = ("Anna am Fenster", "Bert", "Çelik", "Dörte")
SIMULATED = 96
GAME_S = 900.0
ADDRESS_S = 60.0
EVENT = r"(?s)The event is at (\S+) .*organiser +.*PIN (\d+)"
"""The address of the event and the organiser's PIN, as the demo prints them."""
PHONE = {"width": 390, "height": 844}
SIZES = {"laptop": (1280, 800), "phone": (390, 844), "screen": (1920, 1080)}
PAGES = ("", "organiser", "tv", "overlay", "standings", "result")
CLICK_MS = 20_000


@dataclass
class ClickingPhone:
    """A player's page in a real browser, and what happened on it."""

    name: str
    page: Page
    asked: set[str] = field(default_factory=set)
    chosen: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)

    def join(self, url: str) -> None:
        """Open the page and join by the form."""
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"{url}play")
        self.page.locator("#new-name").fill(self.name)
        self.page.locator("#join-form button").click()

    def phase(self) -> str:
        """Return what the page shows."""
        return self.page.locator("body").get_attribute("data-phase") or ""

    def choose(self, chance: random.Random) -> None:
        """Click one of the choices, and confirm it, if the page asks for one."""
        if self.phase() != "choose":
            return
        roll = self.page.locator("#headline").inner_text()
        self.asked.add(roll)
        buttons = self.page.locator("#choices button:enabled")
        buttons.nth(chance.randrange(max(1, buttons.count()))).click(timeout=CLICK_MS)
        self.page.locator("#do-confirm").click(timeout=CLICK_MS)
        # A reserve roll, or the next one, may ask again at once: another headline will do.
        choosing = self.page.locator("body[data-phase=choose] #headline", has_text=roll)
        expect(choosing).to_have_count(0, timeout=CLICK_MS)
        self.chosen.add(roll)


@dataclass
class BrowserEvening:
    """One game, its real phones and where pictures go."""

    url: str
    pin: str
    browser: Browser
    out: Path
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    phones: list[ClickingPhone] = field(default_factory=list)

    def play(self) -> None:
        """Play until the first game is over on all phones, with pictures from time to time."""
        for number, name in enumerate(NAMES):
            context = self._open(PHONE, "de-DE" if number % 2 else "en-GB")
            self.phones.append(ClickingPhone(name, context))
            self.phones[-1].join(self.url)
        end_s, rolls = time.monotonic() + GAME_S, 0
        while not all(phone.phase() in ("game over", "final") for phone in self.phones):
            assert time.monotonic() < end_s, [phone.phase() for phone in self.phones]
            for phone in self.phones:
                phone.choose(self.chance)
            done = len(self.phones[0].chosen)
            if done > rolls and done in (1, 4, 12):
                self._photograph_phones(f"roll-{done}")
            if done > rolls and done == 4:
                self.photograph_pages("during")
            rolls = max(rolls, done)
            time.sleep(0.05)
        self._photograph_phones("game-over")
        self.photograph_pages("after")

    def photograph_pages(self, when: str) -> None:
        """Save the pages that are not phones', in German, in all sizes."""
        for size, (width, height) in SIZES.items():
            page = self._open({"width": width, "height": height}, "de-DE")
            page.goto(f"{self.url}organiser")
            page.locator("[name=pin]").fill(self.pin)
            page.locator("[name=name]").fill("Olga")
            page.locator("[name=pin]").press("Enter")
            for name in PAGES:
                page.goto(f"{self.url}{name}", wait_until="load")
                page.wait_for_timeout(1500)
                path = self.out / f"{when}-{name or 'home'}-{size}.png"
                page.screenshot(path=path, full_page=name in ("organiser", "", "result"))
            page.context.close()

    def _photograph_phones(self, when: str) -> None:
        for number, phone in enumerate(self.phones):
            phone.page.screenshot(path=self.out / f"{when}-player-{number}.png")

    def _open(self, viewport: dict[str, int], locale: str) -> Page:
        size = {"width": viewport["width"], "height": viewport["height"]}
        context = self.browser.new_context(viewport=size, locale=locale)  # type: ignore[arg-type]
        return context.new_page()


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Give a Chromium that ends with the block."""
    path = shutil.which("chromium")
    if path is None:
        sys.exit("no chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


def wait_until_begun(url: str) -> None:
    """Wait until players may join."""
    end_s = time.monotonic() + ADDRESS_S
    while not httpx.get(f"{url}result.json", trust_env=False).json()["event"]:
        assert time.monotonic() < end_s
        time.sleep(0.1)


def report(evening: BrowserEvening, players: SimulatedPlayers) -> int:
    """Print what the phones did; return the exit status."""
    bad = 0
    for phone in evening.phones:
        missed = sorted(phone.asked - phone.chosen)
        bad += bool(missed or phone.errors or not phone.chosen)
        said = f"{phone.name}: chose {len(phone.chosen)} times, missed {missed}"
        print(f"{said}, errors {phone.errors}")  # noqa: T201
    refused = Counter(line for player in players.players for line in player.refused)
    print(f"refused to simulated phones: {dict(refused) or 'nothing'}")  # noqa: T201
    rows = httpx.get(f"{evening.url}result.json", trust_env=False).json()["rows"]
    print(f"standings: {len(rows)} players; pictures: {evening.out}")  # noqa: T201
    return 1 if bad else 0


def main() -> int:
    """Play the game; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="a folder for the pictures")
    parser.add_argument("--simulated", type=int, default=SIMULATED, help="phones (%(default)s)")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="dicebell-evening-") as folder,
        open_browser() as browser,
        DemoProcess(Path(folder) / "data", "--desk", "0", program="controller.cli.main") as demo,
    ):
        url, pin = demo.find(EVENT).groups()
        players = SimulatedPlayers(url, args.simulated - PLAYERS, 1, PACE)
        evening = BrowserEvening(url, pin, browser, args.out)
        wait_until_begun(url)
        players.start()
        try:
            evening.play()
            return report(evening, players)
        finally:
            players.close()
            demo.stop()


if __name__ == "__main__":
    sys.exit(main())
