# SPDX-License-Identifier: MIT
"""
The language and the look of each screen: chosen on the screen itself, else by its browser or the
settings.

A screen keeps its choices in cookies; an address may name a language with `?language=`. Without
both, the box uses the setting, if that names a language, and any other browser its own languages.
The pages translate here, at the last moment: what the table machine makes has no language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import Flask, Request, Response, current_app, jsonify, request

from controller.base.languages.catalogue import Catalogue, negotiate_language
from controller.base.languages.codes import AUTO, ENGLISH
from controller.base.languages.message import message
from controller.base.settings import Theme, WebSettings
from webui.page_responses import forbid_caching

COOKIE = "dicebell-language"
"""The name of the cookie with the code of the chosen language; `js/language.js` sets it."""

_EXTENSION = "dicebell_languages"

THEME_COOKIE, MOTION_COOKIE = "dicebell-theme", "dicebell-motion"
"""The names of the cookies; `js/appearance.js` sets them."""

_NAMES = {
    Theme.FELT: message("Green felt"),
    Theme.BURGUNDY: message("Burgundy"),
    Theme.NIGHT: message("Night"),
}
_FULL, _LESS = "full", "less"


@dataclass(frozen=True, slots=True)
class Languages:
    catalogues: Mapping[str, Catalogue]  # Every language by its code.
    box: str  # The language of the box's own screen, or `AUTO`.
    is_box: Callable[[Request], bool]  # Returns whether a request comes from that screen.


def init_languages(app: Flask, languages: Languages) -> None:
    """Let the pages of an application translate their texts, and show which language it is."""
    app.extensions[_EXTENSION] = languages
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: find_catalogue().find(text),
        lambda one, many, count: find_catalogue().find(one, many, count),
        newstyle=True,
    )

    @app.context_processor
    def show_languages() -> dict[str, object]:
        return {"language": find_catalogue(), "languages": languages.catalogues.values()}


def reply_view(view: object) -> Response:
    """Return a view as JSON in the language of the screen; it is not cached."""
    return forbid_caching(jsonify(find_catalogue().translate(view)))


def find_catalogue() -> Catalogue:
    """Return the language of the screen that sent the current request."""
    languages: Languages = current_app.extensions[_EXTENSION]
    chosen = request.args.get("language", request.cookies.get(COOKIE, ""))
    if chosen not in languages.catalogues:
        chosen = ENGLISH if languages.box == AUTO else languages.box
        if languages.box == AUTO or not languages.is_box(request):
            accepted = list(request.accept_languages.values())
            chosen = negotiate_language(accepted, list(languages.catalogues)) or chosen
    return languages.catalogues[chosen]


def init_appearance(app: Flask, web: WebSettings) -> None:
    """Let every page of an application know the look of the screen that asks for it."""
    usual = _LESS if web.reduced_motion else _FULL

    @app.context_processor
    def show_appearance() -> dict[str, object]:
        chosen = request.cookies.get(THEME_COOKIE, "")
        motion = request.cookies.get(MOTION_COOKIE, "")
        names = find_catalogue().translate({theme.value: name for theme, name in _NAMES.items()})
        return {
            "theme": chosen if chosen in names else web.theme.value,
            "themes": names,
            "motion": motion if motion in (_FULL, _LESS) else usual,
        }
