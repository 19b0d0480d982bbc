# SPDX-License-Identifier: MIT
"""
The door: where a browser from elsewhere shows the PIN or the table's code.

What it gets for that is a ticket in a cookie that no script can read and that no other
site can make the browser send.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden, HTTPException, NotFound

from controller.errors import InputError
from controller.settings import Phones
from webui.auth.hosts import client_of, lan_address
from webui.auth.request_guard import require_own_json
from webui.auth.roles import (
    OFFICIAL_COOKIE,
    PHONE_COOKIE,
    AccessGate,
    Role,
    Verdict,
    doors,
    refused_try,
    require_official,
)
from webui.commands import SECRET_LONGEST, require_fields, require_keys, shown

COOKIE_LASTS_S = 24 * 3600
"""Not longer than a ticket; what is in the cookie may end earlier."""


def door_pages() -> Blueprint:
    """Return the door's pages."""
    pages = Blueprint("door", __name__)

    @pages.get("/door")
    def page() -> str:
        role = doors().role_of(request)
        return render_template("door.html", role=role.name.lower(), phones=doors().phones.value)

    @pages.get("/door/sign")
    def sign() -> Response:
        return _sign()

    @pages.post("/door/pin")
    def show_pin() -> Response:
        pin, who = _secret("pin"), client_of(request.remote_addr or "")
        return _answer(_access().check_pin(pin, who=who), "PIN", OFFICIAL_COOKIE)

    @pages.post("/door/code")
    def show_code() -> Response:
        if doors().phones is not Phones.PLAY:
            raise Forbidden("Phones do not play at this table.")
        code, who = _secret("code"), client_of(request.remote_addr or "")
        return _answer(_access().check_code(code, who=who), "code", PHONE_COOKIE)

    @pages.post("/door/new-pin")
    def change_pin() -> Response:
        return _change_pin()

    @pages.post("/door/send-away")
    def send_away() -> Response:
        require_own_json(request)
        require_official(request)
        _access().revoke_phone_tickets()
        return jsonify(ok=True)

    @pages.post("/door/leave")
    def leave() -> Response:
        require_own_json(request)
        answer = jsonify(ok=True)
        for cookie in (OFFICIAL_COOKIE, PHONE_COOKIE):
            answer.delete_cookie(cookie, httponly=True, samesite="Strict")
        return answer

    return pages


def _sign() -> Response:
    """Answer what only the box's own screen shows: the first PIN, the code, and the address."""
    if doors().role_of(request) is not Role.BOX:
        raise Forbidden("Only the box's own screen shows this.")
    access = doors().access
    phones = doors().phones if doors().is_reached else Phones.OFF
    address, port = lan_address(), request.host.rpartition(":")[2]
    url = f"http://{address}{f':{port}' if port.isdecimal() else ''}/" if address else ""
    answer = jsonify(
        first_pin=access.first_pin() if access else None,
        code=access.pairing_code() if access and phones is Phones.PLAY else None,
        url=url if access and phones is not Phones.OFF else None,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _change_pin() -> Response:
    """
    Set another PIN for whoever knows the one that counts, also on the box itself.

    A table's screen stands among players; being there is no reason to lock the others out.
    """
    fields = require_fields(require_own_json(request), "new")
    require_keys(fields, ("old", "new"))
    old, new = _text(fields["old"], "old"), _text(fields["new"], "new")
    verdict = _access().check_pin(old, who=client_of(request.remote_addr or ""))
    if not verdict.is_right:
        return refused_try(verdict, "PIN")
    _access().set_pin(new)
    # The ticket of this browser is void now too.
    return _answer(
        _access().check_pin(new, who=client_of(request.remote_addr or "")), "PIN", OFFICIAL_COOKIE
    )


def _answer(verdict: Verdict, what: str, cookie: str) -> Response:
    if not verdict.is_right:
        return refused_try(verdict, what)
    answer = jsonify(ok=True)
    answer.set_cookie(
        cookie, verdict.ticket, max_age=COOKIE_LASTS_S, httponly=True, samesite="Strict"
    )
    return answer


def _secret(key: str) -> str:
    fields = require_fields(require_own_json(request), key)
    require_keys(fields, (key,))
    return _text(fields[key], key)


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > SECRET_LONGEST:
        raise InputError(
            expected=f"{key}: a text of at most {SECRET_LONGEST} signs", found=shown(value)
        )
    return value.strip()


def _access() -> AccessGate:
    access = doors().access
    if access is None:
        raise _nobody_elsewhere()
    return access


def _nobody_elsewhere() -> HTTPException:
    return NotFound("This table has neither PIN nor code: only the box itself may use it.")
