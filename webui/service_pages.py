# SPDX-License-Identifier: MIT
"""
Serve the service page: what the table sees, its parts, and its settings.

The page polls the part that is open and posts actions. It needs the PIN, but not on the box
itself. `ACTIONS` lists all actions; the reply carries a message if there is one. Players reach one
address: they may call an official.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden, NotFound

from controller.appliance.service_page import ServiceParts
from controller.appliance.views import POWER_ACTIONS, PowerAction
from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.qr_code import render_qr_svg
from webui.auth.request_guard import require_own_json
from webui.auth.roles import Role, current_policy, require_official
from webui.commands import Fields, one_of, quote_json, run_command
from webui.language import reply_view
from webui.page_responses import forbid_caching

TEXT_LONGEST = 500

_Ask = Callable[[ServiceParts], object]
QUESTIONS: Mapping[str, _Ask] = {
    "reading": lambda service: service.readings.read_newest(),
    "board": lambda service: service.panels.status(),
    "camera": lambda service: service.settings.camera(),
    "settings": lambda service: service.settings.view(),
    "dice": lambda service: {"sets": service.dice_sets()},
    "people": lambda service: {"people": service.people()},
    "log": lambda service: service.log(),
    "doctor": lambda service: service.diagnosis.view(),
    "tournament": lambda service: service.tournament(),
    "tokens": lambda service: service.api_tokens(),
    "note": lambda service: {"note": service.note()},
    "machine": lambda service: {
        "acts": service.power.unavailable_reasons(),
        "code": service.pairing_code(),
        "broker": service.broker_status(),
    },
}
"""What the page polls, by its address below `/service/`."""


def service_pages(service: ServiceParts) -> Blueprint:
    """Return the service page of one table, for officials and the box itself."""
    pages = Blueprint("service", __name__)
    pages.before_request(lambda: require_official(request))

    @pages.get("/service")
    def page() -> str:
        return render_template("service.html")

    @pages.get(f"/service/<any({', '.join(QUESTIONS)}):what>")
    def answer(what: str) -> Response:
        return reply_view(QUESTIONS[what](service))

    @pages.post("/service/trace")
    def trace() -> Response:
        require_own_json(request)
        return reply_view(service.readings.make_trace())

    @pages.get("/service/trace/<int:number>/<name>.png")
    def stage(number: int, name: str) -> Response:
        picture = service.readings.trace_picture(number, name)
        if picture is None:
            raise NotFound(message("expected a picture of the last trace, found none of this name"))
        return forbid_caching(Response(picture, mimetype="image/png"))

    @pages.get("/service/note.svg")
    def note_code() -> Response:
        note = service.note()
        if note is None:
            raise NotFound(message("expected a checkpoint, found none yet"))
        return forbid_caching(Response(render_qr_svg(note), mimetype="image/svg+xml"))

    @pages.get("/service/backup.zip")
    def backup() -> Response:
        name, made = service.backup.stream(with_pictures="no-pictures" not in request.args)
        answer = Response(made, mimetype="application/zip")
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return forbid_caching(answer)

    @pages.post("/service")
    def act() -> Response:
        result = run_command(ACTIONS, require_own_json(request), service)
        return reply_view({"ok": True, "said": result or ""})

    return pages


def official_call_pages(service: ServiceParts) -> Blueprint:
    """Return the address that says what a tournament offers here, and calls an official."""
    pages = Blueprint("official_call", __name__)

    @pages.get("/official")
    def can_call() -> Response:
        uplink = service.uplink
        return forbid_caching(jsonify(is_joined=uplink.is_joined, plays_here=uplink.plays_here))

    @pages.post("/official")
    def call() -> Response:
        require_own_json(request)
        if current_policy().role_of(request) < Role.PLAYER:
            raise Forbidden(message("expected somebody who plays at this table"))
        return reply_view({"said": service.uplink.call_official()})

    return pages


def _set(fields: Fields, service: ServiceParts) -> str:
    value = fields["value"]
    if not isinstance(value, bool | int | float | str) or len(str(value)) > TEXT_LONGEST:
        raise InputError(
            expected=message(
                "value: true, false, a number or a text of at most {most} characters",
                most=TEXT_LONGEST,
            ),
            found=quote_json(value),
        )
    return service.settings.change(_text(fields, "name"), value)


def _machine(fields: Fields, service: ServiceParts) -> str:
    acts: dict[str, PowerAction] = {act: act for act in POWER_ACTIONS}
    act = acts.get(_text(fields, "act"))
    if act is None:
        raise InputError(expected=one_of("act", acts), found=quote_json(fields["act"]))
    service.power.perform(act)
    return REPLIES[act]


def _forget_person(fields: Fields, service: ServiceParts) -> str:
    service.history.forget_player(_text(fields, "name"))
    return _FORGOTTEN


def _make_token(fields: Fields, service: ServiceParts) -> str:
    scopes = fields["scopes"]
    if not isinstance(scopes, list) or not all(isinstance(each, str) for each in scopes):
        raise InputError(expected="scopes: a list of texts", found=quote_json(scopes))
    return service.access.api_tokens.make_token(_text(fields, "name"), tuple(scopes))


def _join_tournament(fields: Fields, service: ServiceParts) -> str:
    address, code, name = (_text(fields, key) for key in ("address", "code", "name"))
    return service.uplink.join(address, code, name)


def _seat(fields: Fields) -> int:
    seat = fields["seat"]
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise InputError(expected=message("seat: a whole number"), found=quote_json(seat))
    return seat


def _text(fields: Fields, key: str) -> str:
    value = fields[key]
    if not isinstance(value, str) or not 0 < len(value) <= TEXT_LONGEST:
        raise InputError(expected=message("{key}: a text", key=key), found=quote_json(value))
    return value


REPLIES: Mapping[PowerAction, str] = {
    "restart table": message("The table is restarting. This page comes back by itself."),
    "reboot": message("The machine is restarting. That takes a minute or two."),
    "power off": message("The machine is shutting down. Pull the plug when its lamp is dark."),
}

_FORGOTTEN = message("Forgotten on all screens. The journal keeps the name; undo it here.")

_Do = Callable[[Fields, ServiceParts], str | None]
ACTIONS: Mapping[str, tuple[tuple[str, ...], _Do]] = {
    "stay apart": ((), lambda _, service: service.panels.enter_test_mode()),
    "press": (
        ("seat", "button"),
        lambda body, service: service.panels.press(_seat(body), _text(body, "button")),
    ),
    "lamp": (
        ("seat", "button"),
        lambda body, service: service.panels.try_lamp(_seat(body), _text(body, "button")),
    ),
    "light": ((), lambda _, service: service.panels.try_light()),
    "sound": (("sound",), lambda fields, service: service.panels.try_sound(_text(fields, "sound"))),
    "set": (("name", "value"), _set),
    "other dice": (("name",), lambda fields, service: service.change_dice(_text(fields, "name"))),
    "rename person": (
        ("name", "shown"),
        lambda body, service: service.history.rename_player(
            _text(body, "name"), _text(body, "shown")
        ),
    ),
    "forget person": (("name",), _forget_person),
    "restore name": (
        ("name",),
        lambda fields, service: service.history.restore_name(_text(fields, "name")),
    ),
    "examine": ((), lambda _, service: service.diagnosis.start()),
    "machine": (("act",), _machine),
    "new token": (("name", "scopes"), _make_token),
    "withdraw token": (
        ("number",),
        lambda fields, service: service.access.api_tokens.withdraw(_text(fields, "number")),
    ),
    "join tournament": (("address", "code", "name"), _join_tournament),
    "leave tournament": ((), lambda _, service: service.uplink.leave()),
    "new code": ((), lambda _, service: service.access.new_code()),
    "send phones away": ((), lambda _, service: service.access.revoke_phone_tickets()),
}
"""Every action of the page: its keys, and its function."""
