# SPDX-License-Identifier: MIT
"""
Log a browser in from another machine with the PIN or the table's code.

A correct entry gives a ticket in a cookie. No script can read that cookie, and no other site
can make the browser send it.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden, NotFound

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.settings import Phones
from controller.runtime.access.rate_limit import LoginClient
from controller.runtime.access.tickets import (
    KNOWN_KIND,
    LASTS_S,
    AccessControl,
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

    @pages.get("/login")
    def page() -> str:
        role = current_policy().role_of(request)
        return render_template(
            "login.html", role=role.name.lower(), phones=current_policy().phones.value
        )

    @pages.get("/login/pairing")
    def pairing() -> Response:
        return _serve_pairing()

    @pages.post("/login/pin")
    def log_in() -> Response:
        return _log_in(_read_secret("pin"), _client(TicketKind.KNOWN_OFFICIAL))

    @pages.post("/login/box")
    def identify_box() -> Response:
        return _identify_box(_read_secret("key"))

    @pages.post("/login/code")
    def join() -> Response:
        if current_policy().phones is not Phones.PLAY:
            raise Forbidden(message("Phones do not play at this table."))
        code, who = _read_secret("code"), _client(TicketKind.KNOWN_PHONE)
        ticket = get_ticket(request, TicketKind.PHONE)
        result = _access().check_code(code, who=who, ticket=ticket)
        return _reply_login(result, "code", TicketKind.PHONE)

    @pages.post("/login/new-pin")
    def change_pin() -> Response:
        return _change_pin()

    @pages.post("/login/send-away")
    def send_away() -> Response:
        require_own_json(request)
        require_official(request)
        _access().revoke_phone_tickets()
        return jsonify(ok=True)

    @pages.post("/login/leave")
    def leave() -> Response:
        return _log_out()

    return pages


def _log_in(pin: str, who: LoginClient) -> Response:
    return _reply_login(_access().check_pin(pin, who=who), "PIN", TicketKind.OFFICIAL)


def _identify_box(key: str) -> Response:
    """Give the box's own screen its cookie; it lasts until that browser ends."""
    if not current_policy().is_box(request) or not _access().is_box_key(key):
        raise Forbidden(message("That is not the key of the box's own screen."))
    answer = jsonify(ok=True)
    answer.set_cookie(BOX_COOKIE, key, httponly=True, samesite="Strict")
    return answer


def _log_out() -> Response:
    """Make the tickets of this browser void, also in a copy of its cookies, and delete them."""
    require_own_json(request)
    answer = jsonify(ok=True)
    for kind in (TicketKind.OFFICIAL, TicketKind.PHONE):
        if current_policy().access is not None:
            _access().log_out(kind, get_ticket(request, kind))
        answer.delete_cookie(COOKIES[kind], httponly=True, samesite="Strict")
    return answer


def _serve_pairing() -> Response:
    """Serve the first PIN, the code and the address: only the box's own screen shows them."""
    if current_policy().role_of(request) is not Role.BOX:
        raise Forbidden(message("Only the box's own screen shows this."))
    access = current_policy().access
    phones = current_policy().phones if current_policy().is_reached else Phones.OFF
    # Not the port of this request: the box's own screen uses one that no other machine reaches.
    address, _ = find_public_hosts(find_origin(request.environ).public_port)
    url = f"http://{address}/" if address else ""
    view = jsonify(
        first_pin=access.first_pin() if access else None,
        code=access.pairing_code() if access and phones is Phones.PLAY else None,
        url=url if access and phones is not Phones.OFF else None,
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
    who = _client(TicketKind.KNOWN_OFFICIAL)
    result = _access().check_pin(old, who=who)
    if not result.is_right:
        return refuse_login(result, "PIN")
    _access().set_pin(new)
    return _log_in(new, who)


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


def _client(kind: TicketKind) -> LoginClient:
    return identify_login_client(request, _access(), kind)


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


def _access() -> AccessControl:
    access = current_policy().access
    if access is None:
        raise NotFound(message("This table has neither PIN nor code. Only the box may use it."))
    return access
