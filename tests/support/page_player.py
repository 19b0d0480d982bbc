# SPDX-License-Identifier: MIT
"""A person at the kiosk: everything is done with the page, and read off the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, expect

MOVING = ("rolling", "settling")
THROWS_MOST = 6
REST_TIMEOUT_MS = 60_000
DOUBLE_MS = 300
"""Of two same presses that follow each other faster, the page takes the second for a slip."""


def press_anew(page: Page, key: str) -> None:
    """Press a key as somebody does who has read what is asked now: not right after the last one."""
    page.wait_for_function(
        "longest => performance.now() - (window.lastPress ?? -Infinity) > longest", arg=DOUBLE_MS
    )
    page.keyboard.press(key)
    page.evaluate("window.lastPress = performance.now()")


class PagePlayer:
    """Plays at the kiosk of a demo."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def phase(self) -> str:
        return self.page.locator("body").get_attribute("data-phase") or ""

    @property
    def headline(self) -> str:
        return self.page.locator("#headline").inner_text()

    def throw(self) -> str:
        """Throw until the table has read it, and return the phase that it led to."""
        for _ in range(THROWS_MOST):
            before = self._newest_view()
            with self._until_motion():
                self.page.locator("[data-hand=throw]").click()
            phase = self.rested()
            # The hand that gathers the dice may rest before it throws them.
            while phase == before["phase"] and phase in ("awaiting roll", "awaiting joker"):
                view = self._newest_view()
                if _roll_name(view) != _roll_name(before):
                    break
                self.page.wait_for_function(_SHOWS, arg=view["version"] + 1)
                phase = self.rested()
            if phase != "straighten":
                return phase
        doubts = self.page.locator("#straighten").inner_text()
        raise AssertionError(f"no throw could be read: {self.headline}, {doubts}")

    def take(self, *indexes: int) -> str:
        """Take dice of those shown large out of the tray, and return the phase that it led to."""
        places = self._places()
        with self._until_motion():
            for index in indexes:
                self.page.mouse.click(*places[index])
        return self.rested()

    def turn(self, index: int, faces: int) -> None:
        """Turn a die of those shown large in the tray, by so many faces."""
        place = self._places()[index]
        self.page.locator("[data-tool=turn_at]").click()
        with self._until_motion():
            for _ in range(faces):
                self.page.mouse.click(*place)
        self.rested()
        self.page.locator("[data-tool=take]").click()

    def rested(self) -> str:
        """Wait until the table has read what lies in the tray; return the phase."""
        self.page.wait_for_function(
            "moving => !moving.includes(document.body.dataset.phase)",
            arg=list(MOVING),
            timeout=REST_TIMEOUT_MS,
        )
        phase = self.phase
        # A motion may begin between the two looks at the page.
        return self.rested() if phase in MOVING else phase

    def choose(self, action: str) -> None:
        """Go to this action with the arrow keys, or click it if none is selected; confirm it."""
        actions = self.actions()
        if self.page.locator("#choices [aria-current=true]").count() == 0 or "*" in action:
            self.choice(action).click()
            actions = []
        steps = actions.index(action) - self._cursor() if actions else 0
        key = "ArrowRight" if steps > 0 else "ArrowLeft"
        for _ in range(abs(steps)):
            self.page.keyboard.press(key)
        expect(self.choice(action)).to_have_attribute("aria-current", "true")
        self.confirm()

    def confirm(self) -> None:
        before = self._shown()
        press_anew(self.page, "Enter")
        self._has_changed(before)

    def take_back(self) -> None:
        before = self._shown()
        press_anew(self.page, "Backspace")
        self._has_changed(before)

    def choice(self, action: str) -> Locator:
        return self.page.locator(f'#choices [data-action="{action}"]')

    def actions(self) -> list[str]:
        found = self.page.locator("#choices [data-action]")
        return [
            str(action) for action in found.evaluate_all("all => all.map(x => x.dataset.action)")
        ]

    def faces(self) -> list[int]:
        dice = self.page.locator("#dice [data-die]")
        return [int(face) for face in dice.evaluate_all("all => all.map(x => +x.dataset.face)")]

    def sheet_total(self, player: str) -> int:
        shown = self.page.locator(f'[data-player="{player}"] .total').first
        return int((shown.text_content() or "").replace("\N{MINUS SIGN}", "-"))

    def _cursor(self) -> int:
        current = self.page.locator("#choices [aria-current=true]")
        return int(current.get_attribute("data-choice") or "0")

    def _places(self) -> list[tuple[float, float]]:
        """Return where the dice shown large lie on the screen; each of them must lie there."""
        marks = self.page.locator("#tray-marks .die-mark rect")
        boxes = marks.evaluate_all("all => all.map(x => x.getBoundingClientRect().toJSON())")
        assert len(boxes) == len(self.faces())
        return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]

    @contextmanager
    def _until_motion(self) -> Iterator[None]:
        """Do something in the tray, and wait until the page has shown the motion."""
        # A page that is behind would take views of what happened before for the motion.
        self._newest_view()
        self.page.evaluate(_OBSERVE_MOTION, list(MOVING))
        yield
        self.page.wait_for_function("() => window.hasMoved", timeout=REST_TIMEOUT_MS)

    def _newest_view(self) -> dict[str, Any]:
        """Return the table's newest view, once the page shows it."""
        view: dict[str, Any] = self.page.evaluate(_NEWEST_VIEW)
        self.page.wait_for_function(_SHOWS, arg=view["version"])
        return view

    def _shown(self) -> str:
        return str(self.page.evaluate(_SHOWN))

    def _has_changed(self, before: str) -> None:
        self.page.wait_for_function(f"before => ({_SHOWN})() !== before", arg=before)


def _roll_name(view: dict[str, Any]) -> str:
    return view["last_roll"]["name"] if view["last_roll"] else ""


# The newest view of the table, which a page may not show yet.
_NEWEST_VIEW = """async () => {
    const reader = (await fetch("/events")).body.getReader();
    let text = "";
    while (!/^data: .*\\n/m.test(text)) {
        text += new TextDecoder().decode((await reader.read()).value, { stream: true });
    }
    await reader.cancel();
    return JSON.parse(/^data: (.*)$/m.exec(text)[1]);
}"""

_SHOWS = "version => Number(document.body.dataset.version) >= version"

# The observer sees every change. A slow page may skip views: then one change covers the whole
# motion, which is at least three events (rolling, settling, what was read).
_OBSERVE_MOTION = """moving => {
    const { dataset } = document.body;
    let version = Number(dataset.version);
    window.hasMoved = false;
    new MutationObserver((changes, observer) => {
        const isSkipped = Number(dataset.version) - version >= 3;
        version = Number(dataset.version);
        if (!isSkipped && !moving.includes(dataset.phase)) return;
        window.hasMoved = true;
        observer.disconnect();
    }).observe(document.body, { attributeFilter: ["data-phase", "data-version"] });
}"""

_SHOWN = """() => [
    document.body.dataset.phase, document.getElementById("headline").textContent,
    document.getElementById("undo-what").textContent,
    document.getElementById("progress").textContent,
    document.getElementById("notice-text").textContent,
].join("|")"""
