# SPDX-License-Identifier: MIT
"""The templates of a tournament's pages, and the language of each browser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse

from controller.base.languages.catalogue import Catalogue, load_catalogues, negotiate_language
from controller.base.languages.codes import ENGLISH
from webui.file_answers import pack_page
from webui.language import COOKIE
from webui.page_files import find_address

_WEIGHT = re.compile(r"\s*([A-Za-z-]+)\s*(?:;\s*q=([0-9.]+))?\s*")


def render_page(
    name: str, request: Request, values: Mapping[str, Any], status: int = 200
) -> HTMLResponse:
    """Answer with a page in the language of the browser that asks."""
    text = render_text(name, find_page_language(request), values)
    page, headers = pack_page(text.encode(), request.headers.get)
    return HTMLResponse(page, status, {"Cache-Control": "no-store", **headers})


def render_text(name: str, language: Catalogue, values: Mapping[str, Any]) -> str:
    """Return a page in a language; the messages among its values are translated."""
    context = {
        "language": language,
        "languages": load_catalogues().values(),
        "theme": "felt",
        "motion": "full",
        **language.translate(dict(values)),
    }
    return _find_templates(language).get_template(name).render(context)


@cache
def _find_templates(language: Catalogue) -> Environment:
    """Return the templates of a language, each compiled once."""
    templates = Environment(
        loader=PackageLoader("webui"), autoescape=True, extensions=["jinja2.ext.i18n"]
    )
    templates.globals["find_address"] = find_address
    templates.install_gettext_callables(  # type: ignore[attr-defined]
        language.find, language.find, newstyle=True
    )
    return templates


def find_page_language(request: Request) -> Catalogue:
    """Return the language that a browser chose, or else the one that it prefers."""
    catalogues = load_catalogues()
    chosen = request.query_params.get("language", request.cookies.get(COOKIE, ""))
    if chosen not in catalogues:
        accepted = _parse_accepted(request.headers.get("Accept-Language", "")[:500])
        chosen = negotiate_language(accepted, list(catalogues)) or ENGLISH
    return catalogues[chosen]


def _parse_accepted(header: str) -> list[str]:
    """Return the languages in a header, the preferred one first."""
    found = [match for part in header.split(",") if (match := _WEIGHT.fullmatch(part))]
    weighted = sorted(found, key=lambda match: -_read_weight(match[2]))
    return [match[1] for match in weighted]


def _read_weight(text: str | None) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0
