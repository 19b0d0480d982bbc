# SPDX-License-Identifier: MIT
"""
Log a browser in from another machine with the PIN or the table's code.

A correct entry gives a ticket in a cookie. No script can read that cookie, and no other site
can make the browser send it.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.settings import Phones
from controller.runtime.access.tickets import (
    KNOWN_KIND,
    LASTS_S,
    LoginResult,
    TicketKind,
)
from webui.auth.hosts import find_public_hosts
from webui.auth.origin import find_origin
from webui.auth.request_guard import require_own_json
from webui.auth.roles import (
    BOX_COOKIE,
    COOKIES,
    Role,
    current_policy,
    get_ticket,
    identify_login_client,
    refuse_login,
    require_official,
)
from webui.commands import SECRET_LONGEST, quote_json, require_fields, require_keys
from webui.page_responses import forbid_caching


def login_pages() -> Blueprint:
    pages = Blueprint("login", __name__)
    answers: tuple[tuple[str, str, Callable[[], str | Response]], ...] = (
        ("GET", "/login", _show_page),
        ("GET", "/login/pairing", _serve_pairing),
        ("POST", "/login/pin", _log_in),
        ("POST", "/login/box", _identify_box),
        ("POST", "/login/code", _join),
        ("POST", "/login/new-pin", _change_pin),
        ("POST", "/login/send-away", _send_away),
        ("POST", "/login/leave", _log_out),
    )
    for method, address, answer in answers:
        pages.add_url_rule(address, answer.__name__, answer, methods=[method])
    return pages


def _show_page() -> str:
    role = current_policy().role_of(request)
    return render_template(
        "login.html", role=role.name.lower(), phones=current_policy().phones.value
    )


def _log_in() -> Response:
    pin, who = _read_secret("pin"), identify_login_client(request, TicketKind.KNOWN_OFFICIAL)
    return _reply_login(current_policy().access.check_pin(pin, who=who), "PIN", TicketKind.OFFICIAL)


def _join() -> Response:
    if current_policy().phones is not Phones.PLAY:
        raise Forbidden(message("Phones do not play at this table."))
    code, who = _read_secret("code"), identify_login_client(request, TicketKind.KNOWN_PHONE)
    ticket = get_ticket(request, TicketKind.PHONE)
    result = current_policy().access.check_code(code, who=who, ticket=ticket)
    return _reply_login(result, "code", TicketKind.PHONE)


def _send_away() -> Response:
    require_own_json(request)
    require_official(request)
    current_policy().access.revoke_phone_tickets()
    return jsonify(ok=True)


def _identify_box() -> Response:
    """Give the box's own screen its cookie; it lasts until that browser ends."""
    key = _read_secret("key")
    if not current_policy().is_box(request) or not current_policy().access.is_box_key(key):
        raise Forbidden(message("That is not the key of the box's own screen."))
    answer = jsonify(ok=True)
    answer.set_cookie(BOX_COOKIE, key, httponly=True, samesite="Strict")
    return answer


def _log_out() -> Response:
    """Make the tickets of this browser void, also in a copy of its cookies, and delete them."""
    require_own_json(request)
    answer = jsonify(ok=True)
    for kind in (TicketKind.OFFICIAL, TicketKind.PHONE):
        current_policy().access.log_out(kind, get_ticket(request, kind))
        answer.delete_cookie(COOKIES[kind], httponly=True, samesite="Strict")
    return answer


def _serve_pairing() -> Response:
    """Serve the first PIN, the code and the address: only the box's own screen shows them."""
    if current_policy().role_of(request) is not Role.BOX:
        raise Forbidden(message("Only the box's own screen shows this."))
    policy = current_policy()
    phones = policy.phones if policy.is_reached else Phones.OFF
    # Not the port of this request: the box's own screen uses one that no other machine reaches.
    address, _ = find_public_hosts(find_origin(request.environ).public_port)
    url = f"http://{address}/" if address else ""
    view = jsonify(
        first_pin=policy.access.first_pin(),
        code=policy.access.pairing_code() if phones is Phones.PLAY else None,
        url=url if phones is not Phones.OFF else None,
    )
    return forbid_caching(view)


def _change_pin() -> Response:
    """
    Set another PIN after the current one was entered, also on the box itself.

    The table's screen stands among players, so access to it must not allow locking others out.
    """
    fields = require_fields(require_own_json(request), "new")
    require_keys(fields, ("old", "new"))
    old, new = _require_text(fields["old"], "old"), _require_text(fields["new"], "new")
    # Found out before the new PIN makes the tickets of this browser void too.
    who = identify_login_client(request, TicketKind.KNOWN_OFFICIAL)
    result = current_policy().access.check_pin(old, who=who)
    if not result.is_right:
        return refuse_login(result, "PIN")
    current_policy().access.set_pin(new)
    return _reply_login(current_policy().access.check_pin(new, who=who), "PIN", TicketKind.OFFICIAL)


def _reply_login(result: LoginResult, what: str, kind: TicketKind) -> Response:
    if not result.is_right:
        return refuse_login(result, what)
    answer = jsonify(ok=True)
    for each, ticket in ((kind, result.ticket), (KNOWN_KIND[kind], result.known)):
        # The ticket in the cookie may become void earlier.
        answer.set_cookie(
            COOKIES[each], ticket, max_age=LASTS_S[each], httponly=True, samesite="Strict"
        )
    return answer


def _read_secret(key: str) -> str:
    fields = require_fields(require_own_json(request), key)
    require_keys(fields, (key,))
    return _require_text(fields[key], key)


def _require_text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > SECRET_LONGEST:
        raise InputError(
            expected=message(
                "{key}: a text of at most {most} characters", key=key, most=SECRET_LONGEST
            ),
            found=quote_json(value),
        )
    return value.strip()
