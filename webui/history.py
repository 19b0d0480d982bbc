# SPDX-License-Identifier: MIT
"""
Serve the history: lists of games and players, each game step by step, and its files.

Whoever may watch the table may read all of it (`webui.auth.roles`); nothing here changes anything.
A game that is played now, or may go on, has no replay, because its choices may be secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from functools import partial
from typing import TypeVar

from flask import (
    Blueprint,
    Response,
    jsonify,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from werkzeug import Response as Redirect
from werkzeug.exceptions import NotFound

from controller.base.languages.message import message
from controller.base.moments import format_moment
from controller.base.qr_code import render_qr_svg
from controller.base.settings import Phones
from controller.history.analysis.skill_views import VariantSkill
from controller.history.fairness.dice_names import COLOURS
from controller.history.replays.downloads import DownloadKind, DownloadState
from controller.history.replays.parts import HistoryParts
from controller.history.views import GameFilter, GameSummary
from webui.auth.hosts import find_public_hosts
from webui.auth.origin import find_origin
from webui.auth.roles import current_policy
from webui.language import find_catalogue
from webui.page_responses import forbid_caching

_Found = TypeVar("_Found")

GAMES_A_PAGE = 20
AGAIN_S = 2  # How often a browser asks whether its file is ready.

REPORT_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)
"""A report shows its pictures and asks for nothing; its own policy names its one style."""

_ENDED = ("left", "finished")
_NAMES = {DownloadKind.REPORT: "html", DownloadKind.BUNDLE: "zip"}


def history_pages(parts: HistoryParts) -> Blueprint:
    pages = Blueprint("history", __name__)
    for rule, (name, show) in _PAGES.items():
        pages.add_url_rule(rule, name, partial(show, parts))
    for kind in DownloadKind:
        send = partial(_send_file, parts, kind)
        pages.add_url_rule(f"/history/<int:number>/{kind.value}", kind.value, send)

    @pages.app_context_processor
    def link_history() -> dict[str, object]:
        return {"has_history": True}

    @pages.context_processor
    def add_helpers() -> dict[str, object]:
        return {
            "role": current_policy().role_of(request).name.lower(),
            "progress": parts.history.index.read_progress(),
            "say": lambda text: find_catalogue().translate(text),
            "moment": lambda ms: find_catalogue().translate(parts.times.moment(ms)),
            "iso": lambda ms: format_moment(ms, "%Y-%m-%dT%H:%M:%S+00:00", UTC),
            "decimal": _format_decimal,
            "level": _format_level,
            "rounded": _round_results,
            "faces_rows": lambda faces: list(enumerate(faces, start=1)),
            "colour_names": _name_colours,
            "colour_rows": _list_by_colour,
        }

    return pages


def _show_games(parts: HistoryParts) -> str:
    args = request.args
    wanted = GameFilter(player=args.get("player", ""), game=args.get("game", ""))
    number = max(1, args.get("page", 1, type=int))
    page = parts.history.list_games(wanted, offset=(number - 1) * GAMES_A_PAGE, limit=GAMES_A_PAGE)
    return render_template(
        "history.html",
        page=page,
        wanted=wanted,
        number=number,
        last=max(1, -(-page.count // GAMES_A_PAGE)),
        players=sorted(parts.history.list_players(), key=lambda one: one.name.casefold()),
        titles=find_catalogue().translate(dict(parts.titles)),
    )


def _find_latest(parts: HistoryParts) -> int | None:
    """
    Return the newest game that has ended, such as the one on the table's screen.

    None also while the index lacks entries: the newest game that it knows may be an older one. A
    screen that shows an end asks for the `picture` of its last roll, and for no other game.
    """
    if parts.history.index.read_progress().state != "ready":
        return None
    newest = parts.history.list_games(limit=GAMES_A_PAGE).games
    number = next((game.number for game in newest if game.status in _ENDED), None)
    picture = request.args.get("picture")
    if number is None or picture is None:
        return number
    found = parts.history.read_rolls(number)
    is_shown = found is not None and found.rolls and found.rolls[-1].picture == picture
    return number if is_shown else None


def _draw_latest_code(parts: HistoryParts) -> Response:
    """Return the QR code of the newest game's report, for a phone in the local network."""
    number, policy = _find_latest(parts), current_policy()
    hosts = find_public_hosts(find_origin(request.environ).public_port)
    host = hosts[0] or hosts[1]
    if number is None or not host or not policy.is_reached or policy.phones is Phones.OFF:
        raise NotFound(
            message("expected an ended game, and phones that may watch and find this table")
        )
    report = url_for("history.report", number=number)
    return forbid_caching(
        Response(render_qr_svg(f"http://{host}{report}"), mimetype="image/svg+xml")
    )


def _open_latest(parts: HistoryParts, *, page: str = "history.game") -> Redirect:
    ended = _find_latest(parts)
    address = url_for(page, number=ended) if ended else url_for("history.games")
    return redirect(address, code=303)


def _send_latest_analysis(parts: HistoryParts) -> Response:
    number = _find_latest(parts)
    if number is None:
        raise NotFound(message("expected an ended game"))
    return _send_analysis(parts, number)


def _send_analysis(parts: HistoryParts, number: int) -> Response:
    """Send luck and play of a game; 202 while they are computed."""
    game = _require_ended(parts, number)
    analysis = _require(parts.analyse_game(number))
    totals = [player.total for player in game.players]
    answer = jsonify(find_catalogue().translate({"totals": totals, **analysis}))
    answer.status_code = 202 if analysis["state"] == "working" else 200
    return forbid_caching(answer)


def _show_players(parts: HistoryParts) -> str:
    players, table = parts.history.list_players(), parts.history.read_table()
    return render_template("history_players.html", players=players, table=table)


def _show_player(parts: HistoryParts) -> str:
    found = parts.history.read_player(request.args.get("name", ""))
    if found is None:
        raise NotFound(message("expected a player of this table"))
    skills, missing = parts.analyse_player(found.entry.name)
    by_variant = {(skill.game, skill.variant): skill for skill in skills}
    return render_template("history_player.html", player=found, skills=by_variant, missing=missing)


def _show_game(parts: HistoryParts, number: int) -> str:
    game = _require_ended(parts, number)
    return render_template("history_game.html", game=game)


def _send_steps(parts: HistoryParts, number: int) -> Response:
    _require_ended(parts, number)
    steps = parts.replays.build_json(number, find_catalogue())
    return forbid_caching(Response(_require(steps), mimetype="application/json"))


def _send_picture(parts: HistoryParts, number: int, digest: str) -> Response:
    _require_ended(parts, number)
    picture = Response(_require(parts.replays.read_picture(number, digest)), mimetype="image/jpeg")
    # Its address is its content. Pictures that the table deletes shall not stay elsewhere for long.
    picture.headers["Cache-Control"] = "private, max-age=600"
    return picture


def _send_record(parts: HistoryParts, number: int) -> Response:
    _require_ended(parts, number)
    record = Response(
        _require(parts.replays.export_record(number)), mimetype="application/x-ndjson"
    )
    name = f"dicebell-game-{number}.jsonl"
    record.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return forbid_caching(record)


def _send_file(parts: HistoryParts, kind: DownloadKind, number: int) -> Response:
    """Send a file, or a page that asks again until it is ready."""
    _require_ended(parts, number)
    made = _require(parts.ask_download(kind, number, find_catalogue()))
    if made.state is DownloadState.READY and made.path is not None:
        name = f"dicebell-game-{number}.{_NAMES[kind]}"
        try:
            answer = send_file(
                made.path, as_attachment=kind is DownloadKind.BUNDLE, download_name=name, max_age=0
            )
        except FileNotFoundError:
            # The files of others took its room meanwhile.
            return _show_wait(number, DownloadState.WAITING)
        if kind is DownloadKind.REPORT:
            # A report has a policy of its own: it shows its pictures and asks for nothing.
            answer.headers["Content-Security-Policy"] = REPORT_POLICY
        return forbid_caching(answer)
    return _show_wait(number, made.state, made.why)


def _show_wait(number: int, state: DownloadState, why: str = "") -> Response:
    is_refused = state is DownloadState.REFUSED
    page = render_template("history_wait.html", number=number, why=why, is_refused=is_refused)
    status = {DownloadState.FAILED: 500, DownloadState.REFUSED: 503}.get(state, 202)
    answer = Response(page, status=status)
    if state is not DownloadState.FAILED:
        answer.headers["Retry-After"] = str(AGAIN_S)
        answer.headers["Refresh"] = str(AGAIN_S)
    return forbid_caching(answer)


def _require_ended(parts: HistoryParts, number: int) -> GameSummary:
    game = parts.history.find_game(number)
    if game is None or game.status not in _ENDED:
        raise NotFound(message("expected a game that was finished or left"))
    return game


def _require(found: _Found | None) -> _Found:
    if found is None:
        raise NotFound(message("expected a game or a picture of it that is stored"))
    return found


def _format_decimal(value: float | None, decimals: int) -> str:
    """Return a number with the decimal sign of the reader's language; a dash for none."""
    if value is None:
        return "–"
    text = f"{abs(value):.{decimals}f}"
    sign = "−" if value < 0 and float(text) else ""
    return f"{sign}{text}".replace(".", str(find_catalogue().translate(_POINT)))


def _format_level(value: float, unit: str, *, signed: bool = False) -> str:
    """Return a value in points, or in percent of a chance."""
    plus = "+" if signed and value > 0 else ""
    if unit == "points":
        return f"{plus}{_format_decimal(value, 1)}"
    return f"{plus}{_format_decimal(100 * value, 1)} %"


def _round_results(skill: VariantSkill) -> list[tuple[int, int]]:
    """Return the results without luck for a plot: whole points, or whole percent."""
    scale = 1 if skill.unit == "points" else 100
    return [(number, round(scale * value)) for number, value in skill.adjusted]


_POINT = message(".")  # The decimal sign; a catalogue translates it as its language writes numbers.


def _name_colours(by_colour: Mapping[str, tuple[int, ...]]) -> list[str]:
    return [str(find_catalogue().translate(COLOURS.get(name, name))) for name in by_colour]


def _list_by_colour(by_colour: Mapping[str, tuple[int, ...]]) -> list[tuple[int, ...]]:
    shares = zip(*by_colour.values(), strict=True)
    return [(face, *times) for face, times in enumerate(shares, start=1)]


_PAGES: Mapping[str, tuple[str, Callable[..., str | Response | Redirect]]] = {
    "/history": ("games", _show_games),
    "/history/latest": ("latest", _open_latest),
    "/history/latest/report": ("latest_report", partial(_open_latest, page="history.report")),
    "/history/latest/code.svg": ("latest_code", _draw_latest_code),
    "/history/latest/analysis.json": ("latest_analysis", _send_latest_analysis),
    "/history/players": ("players", _show_players),
    "/history/player": ("player", _show_player),
    "/history/<int:number>": ("game", _show_game),
    "/history/<int:number>/steps.json": ("steps", _send_steps),
    "/history/<int:number>/analysis.json": ("analysis", _send_analysis),
    "/history/<int:number>/pictures/<digest>.jpg": ("picture", _send_picture),
    "/history/<int:number>/record": ("record", _send_record),
}
"""Every address beside the files that take long: its name, and what answers."""
