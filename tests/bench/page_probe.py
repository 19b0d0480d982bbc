# SPDX-License-Identifier: MIT
"""
The kiosk's page in a browser of this machine, which reports when it has drawn a view.

A script is added to the page as it is served. It takes three times for each version of the view:
its event has arrived, the page shows it, the browser has drawn it. The page itself is unchanged.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from controller.base.errors import InputError

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
)
LEAVING_S = 10.0

SCRIPT_PATH, REPORT_PATH = "/delay/probe.js", "/delay/drawn"
_SCRIPT = b"""
const now = () => performance.timeOrigin + performance.now();
const listen = EventSource.prototype.addEventListener;
let arrived = 0;
EventSource.prototype.addEventListener = function (name, show) {
  listen.call(this, name, (event) => { arrived = now(); show(event); });
};
document.addEventListener("DOMContentLoaded", () => {
  new MutationObserver(() => {
    const times = { version: Number(document.body.dataset.version), arrived, shown: now() };
    requestAnimationFrame(() => {
      const afterDrawing = new MessageChannel();
      afterDrawing.port1.onmessage = () => fetch("/delay/drawn", {
        method: "POST", body: JSON.stringify({ ...times, drawn: now() }),
      });
      afterDrawing.port2.postMessage(null);
    });
  }).observe(document.body, { attributes: true, attributeFilter: ["data-version"] });
});
"""
_TAG = f'<script src="{SCRIPT_PATH}"></script></head>'.encode()

Environ: TypeAlias = dict[str, Any]
WsgiApp: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
"""A web application, as WSGI defines it."""

OnDrawn: TypeAlias = Callable[[int, Mapping[str, float]], None]
"""Takes the version of a view and its times on the monotonic clock, in seconds."""


def add_probe(app: WsgiApp, on_drawn: OnDrawn) -> WsgiApp:
    """Return the application with the script on its pages; the reports go to a function."""
    wall_ahead_s = time.time() - time.monotonic()

    def serve(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == SCRIPT_PATH:
            start("200 OK", [("Content-Type", "text/javascript")])
            return [_SCRIPT]
        if path == REPORT_PATH:
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            version, times = _parse_report(body, wall_ahead_s)
            on_drawn(version, times)
            start("204 No Content", [])
            return []
        return _add_tag(app, environ, start) if path == "/" else app(environ, start)

    return serve


def _parse_report(body: bytes, wall_ahead_s: float) -> tuple[int, dict[str, float]]:
    report = json.loads(body)
    times = {name: report[name] / 1000.0 - wall_ahead_s for name in ("arrived", "shown", "drawn")}
    return int(report["version"]), times


def _add_tag(app: WsgiApp, environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
    """Serve a page with the script in its head, which a compressed page would hide."""
    answered: list[Any] = []
    plain = {**environ, "HTTP_ACCEPT_ENCODING": "identity"}
    page = b"".join(app(plain, lambda *answer: answered.extend(answer)))
    page = page.replace(b"</head>", _TAG, 1)
    headers = [pair for pair in answered[1] if pair[0].lower() != "content-length"]
    start(answered[0], [*headers, ("Content-Length", str(len(page)))])
    return [page]


def find_browser() -> str:
    """Return the path of a browser of this machine."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise InputError(
            expected=f"a browser: {', '.join(BROWSERS)}",
            found="none; install one with: apt install chromium",
        )
    return path


@contextmanager
def open_browser(url: str, folder: Path) -> Iterator[None]:
    """Show a page in a browser without a window, until the block ends."""
    command = [find_browser(), *FLAGS, f"--user-data-dir={folder}", url]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        browser.terminate()
        try:
            browser.wait(LEAVING_S)
        except subprocess.TimeoutExpired:
            browser.kill()
            browser.wait()


@contextmanager
def open_slowed_browser(url: str, _: Path, *, rate: float) -> Iterator[None]:
    """Do the same in a browser that runs the page this many times slower."""
    with launch_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(url)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
        yield


@contextmanager
def launch_browser() -> Iterator[Browser]:
    """Give a browser that a program steers, until the block ends."""
    path = find_browser()
    # Few measurements need it; the others run where it is not installed.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
