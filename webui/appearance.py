# SPDX-License-Identifier: MIT
"""
The look of each screen: its theme and how much moves, chosen on the screen or by the settings.

A screen keeps its choices in cookies, as it keeps its language. `css/themes.css` has the colours.
"""

from __future__ import annotations

from flask import Flask, request

from controller.languages.message import message
from controller.settings import Theme, WebSettings
from webui.language import find_catalogue

THEME_COOKIE, MOTION_COOKIE = "dicebell-theme", "dicebell-motion"
"""The names of the cookies; `js/appearance.js` sets them."""

_NAMES = {
    Theme.FELT: message("Green felt"),
    Theme.BURGUNDY: message("Burgundy"),
    Theme.NIGHT: message("Night"),
}
_FULL, _LESS = "full", "less"


def init_appearance(app: Flask, web: WebSettings) -> None:
    """Let every page of an application know the look of the screen that asks for it."""

    @app.context_processor
    def show_appearance() -> dict[str, object]:
        chosen = request.cookies.get(THEME_COOKIE, "")
        motion = request.cookies.get(MOTION_COOKIE, "")
        names = find_catalogue().translate({theme.value: name for theme, name in _NAMES.items()})
        return {
            "theme": chosen if chosen in names else web.theme.value,
            "themes": names,
            "motion": motion if motion in (_FULL, _LESS) else _motion_of(web),
        }


def _motion_of(web: WebSettings) -> str:
    return _LESS if web.reduced_motion else _FULL
