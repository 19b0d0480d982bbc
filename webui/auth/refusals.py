# SPDX-License-Identifier: MIT
"""
Word the page that a refused request for a page gets.

The page has its styles in itself: it must be readable by a name or below a path under which this
server gives nothing else. Table and desk share it; each renders it in the reader's language.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from controller.base.languages.message import Message, message
from webui.page_files import FOLDER, join_style

TEMPLATE = "refusal.html"
_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True)
class _Words:
    """What a page says of a status: what happened, and what to do."""

    title: Message
    advice: Message


_AGAIN = message("Wait a moment, then load the page again.")
_WORDS = {
    400: _Words(
        message("This was not understood"), message("Go back, and change the address or the form.")
    ),
    401: _Words(message("Log in first"), message("Log in, then open this page again.")),
    403: _Words(message("This is not allowed here"), message("Ask whoever looks after it.")),
    404: _Words(
        message("There is no such page"), message("Check the address, or begin at the start page.")
    ),
    405: _Words(
        message("This address shows no page"), message("Begin at the start page, and go on there.")
    ),
    413: _Words(message("That was too much at once"), message("Go back, and send less.")),
    429: _Words(message("Too many requests"), _AGAIN),
    500: _Words(
        message("Something failed here"),
        message("Load the page again. If it fails again, the program's log has the reason."),
    ),
    503: _Words(message("This is not ready yet"), _AGAIN),
}
_BELOW_A_PATH = message(
    "Behind a proxy, the pages must be at the root of a host name: they do not work below a path."
)


def wants_page(accept: str | None) -> bool:
    """Return whether a browser opens a page, by its header `Accept`; scripts take anything."""
    return "text/html" in (accept or "")


def describe_refusal(status: int, reason: object, *, is_proxied: bool) -> dict[str, object]:
    """Return the values of the page's template; only a message is shown as the reason."""
    words = _WORDS.get(status) or _WORDS[_SERVER_ERROR if status >= _SERVER_ERROR else 400]
    lines = [reason] if isinstance(reason, Message) else []
    lines.append(words.advice)
    if status == 404 and is_proxied:
        lines.append(_BELOW_A_PATH)
    return {
        "status": status,
        "title": words.title,
        "lines": lines,
        "styles": _read_styles(),
        "bell": _encode_bell(),
        # By a foreign name or without a right, the start page is refused too.
        "has_start": status not in (401, 403),
    }


@cache
def find_page_policy() -> Mapping[str, str]:
    """Return the header that lets a browser use the styles in the page, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(_read_styles().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:"
    return {"Content-Security-Policy": f"{policy}; base-uri 'none'; frame-ancestors 'none'"}


@cache
def _read_styles() -> str:
    return join_style(FOLDER / "css" / "pages" / "login.css")


@cache
def _encode_bell() -> str:
    content = (FOLDER / "bell.svg").read_bytes()
    return f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}"
