# SPDX-License-Identifier: MIT
"""The result of an event as a sheet of paper shows it: standings, what decided them, rulings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from controller.base.errors import InputError
from controller.base.languages.message import (
    Message,
    Number,
    chain_messages,
    message,
    percent_message,
    plural_message,
)
from controller.base.languages.shown_text import isolate_text
from controller.games import GAMES
from controller.tournament.entries.appeal_entries import UPHOLD
from controller.tournament.entries.draw_entries import DrawAnnounced, PlayersSwapped, TableRuling
from controller.tournament.entries.entry_base import PAIRED_STYLES
from controller.tournament.entries.event_entries import EventBegun
from controller.tournament.entries.game_entries import RollClosed, RollRuling
from controller.tournament.results.play_costs.costs_view import EventCostsView, RollDifficulty
from controller.tournament.standings.rows import StandingRow, Standings, Unit
from controller.tournament.state.appeals import find_newest, is_open_appeal, name_ruled
from controller.tournament.state.event_data import EventData
from controller.tournament.state.state import EventState

_UNITS: Mapping[Unit, Message] = {
    "points": message("Points"),
    "millionths": message("Field beaten"),
    "table_points": message("Points"),
    "lives": message("Lives"),
    "rounds": message("Rounds won"),
}
_TIE_BREAKS = {
    "": "",
    "direct": message("by direct comparison"),
    "best_game": message("by the best game"),
    "costs": message("by the choices that cost least"),
    "play_off": message("by the play-off"),
    "buchholz": message("by Buchholz"),
    "buchholz_cut": message("by Buchholz without the lowest"),
    "sonneborn_berger": message("by Sonneborn-Berger"),
    "wins": message("by the number of wins"),
    "total": message("by the sum of the results"),
}
_MATCH_TIE_BREAKS: Mapping[str, Message] = {
    "direct": message("direct comparison"),
    "buchholz": message("Buchholz"),
    "buchholz_cut": message("Buchholz without the lowest"),
    "sonneborn_berger": message("Sonneborn-Berger"),
    "wins": message("wins"),
    "total": message("sum of the results"),
}
_BYES = {
    "nothing": message("A round without an opponent counts nothing."),
    "draw": message("A round without an opponent counts as a draw."),
    "win": message("A round without an opponent counts as a win."),
}
_LATE = {
    "nothing": message("Rounds before a player came count nothing."),
    "draw": message("Rounds before a player came count as draws."),
}
_ABSENCES = {
    "nothing": "",
    "worst": message(
        "A game with a missed roll counts as the worst of those who played all of its rolls, and"
        " less for a player who was further behind. A place needs half of all rolls, in games that"
        " were played whole."
    ),
    "below_mean": message(
        "A game with a missed roll counts the mean of those who played all of its rolls, less one"
        " standard deviation, and less for a player who was further behind. A place needs half of"
        " all rolls, in games that were played whole."
    ),
}
_STATES = {"here": "", "away": message("away"), "withdrawn": message("withdrawn")}
_HARDEST = 8  # Number of rolls that the page lists.
_TEAM_RULE = message("The results of all members of a team are added up.")
_FIRSTS = 3  # Places of each section that the page lists.


def build_result_sheet(state: EventState, section: str = "") -> dict[str, object]:
    """
    Return the values of the page of the result; messages among them are to be translated.

    Before the event began `rows` is empty and `name` too.

    Args:
        section: Whose players are listed, with their places in it; empty for everybody.

    Raises:
        InputError: There is no such section.
    """
    data = state.data
    if data.begun is None:
        return {"name": "", "rows": []}
    sections = data.people.sections.list_names()
    if section and section not in sections:
        expected = message("one of {names}", names=", ".join(sections) or message("none"))
        raise InputError(expected=expected, found=repr(section[:40]), where="section")
    standings = state.compute_standings()
    rows = [row for row in standings.rows if section in ("", row.section)]
    return {
        "name": data.begun.name,
        "section": section,
        "sections": sections,
        "firsts": [] if section else _list_firsts(standings, sections),
        "teams": [] if section else _describe_teams(standings),
        "team_rule": "" if data.begun.team_best else _TEAM_RULE,
        "winner": _describe_section_winner(state, section) if section else describe_winner(state),
        "played": _describe_played(data),
        "by_hand": _count_by_hand(data),
        "has_entered": any(_list_official_results(data, is_read=False)),
        "about": describe_format(data.begun),
        "rules": describe_rules(data.begun),
        "is_final": data.result is not None,
        "is_duplicate": data.begun.style == "duplicate",
        "costs_break_ties": data.begun.tie_break == "costs",
        "unit": name_unit(standings.unit),
        "ties": [_MATCH_TIE_BREAKS[name] for name in data.begun.tie_breaks if name != "direct"],
        "rounds": _list_rounds(data),
        "games": list(range(1, standings.games + 1)),
        "rows": [_describe_row(row, standings.unit, section) for row in rows],
        "has_penalties": any(row.penalty for row in rows),
        "tables": [{"name": each.name, "key": each.box} for each in data.boxes.list_tables()],
        "rulings": list_decisions(data),
    }


def list_decisions(data: EventData) -> list[dict[str, str]]:
    """Return what people decided: what, by whom and why; the last two are empty in a summary."""
    if data.begun is None:
        return []
    return [
        *_list_draws(data),
        *_list_byes(data),
        *_list_official_results(data, is_read=False),
        *_list_official_results(data, is_read=True),
        *_list_closed(data),
        *_list_entered_choices(data),
        *_list_kiosk_choices(data),
        *list_rulings(data),
        *_list_penalties(data),
        *_list_forfeits(data),
        *_list_withdrawals(data),
        *_list_regrouped(data),
    ]


def describe_winner(state: EventState) -> str:
    """Return who has won; empty before the final result."""
    result, people = state.data.result, state.data.people
    if result is None:
        return ""
    names = [people.find(player).name for player, place, _ in result.places if place == 1]
    if not names:
        return ""
    joined = _join_names(names)
    return plural_message("Winner: {names}", "Winners: {names}", len(names), names=joined)


def list_group_winners(state: EventState) -> Iterator[str]:
    """Yield who has won in each section, and the place of each team; nothing before the result."""
    if state.data.result is None:
        return
    for section in state.data.people.sections.list_names():
        if winner := _describe_section_winner(state, section):
            yield winner
    standings = state.compute_standings()
    names = {row.player: row.name for row in standings.rows}
    for each in standings.teams:
        yield message(
            "{place}. team {team} with {score}: {names}",
            place=each.place,
            team=isolate_text(each.team),
            score=format_score(each.score, standings.unit),
            names=_join_names(names[player] for player in each.players),
        )


def _describe_section_winner(state: EventState, section: str) -> str:
    """Return who has won in a section; empty before the final result, or without any place."""
    rows = state.compute_standings().rows if state.data.result else ()
    names = [
        row.name
        for row in rows
        if row.section == section and row.section_place == 1 and row.has_place
    ]
    if not names:
        return ""
    return plural_message(
        "Winner in {section}: {names}",
        "Winners in {section}: {names}",
        len(names),
        section=isolate_text(section),
        names=_join_names(names),
    )


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(map(isolate_text, names))


def describe_format(begun: EventBegun) -> Message:
    game = GAMES[begun.game].title if begun.game in GAMES else begun.game
    if begun.style == "knock_out":
        return message("{game}, knock-out", game=game)
    if begun.style == "round_robin":
        return message("{game}: everybody meets everybody", game=game)
    if begun.style == "swiss":
        return plural_message(
            "{game} in {count} round of pairs: equals meet equals",
            "{game} in {count} rounds of pairs: equals meet equals",
            begun.games,
            game=game,
        )
    if begun.style == "duplicate":
        return plural_message(
            "{game} in {count} game: everybody plays the same rolls",
            "{game} in {count} games: everybody plays the same rolls",
            begun.games,
            game=game,
        )
    return plural_message(
        "{game} in {count} round at tables of {size}",
        "{game} in {count} rounds at tables of {size}",
        begun.games,
        game=game,
        size=begun.table_size,
    )


def describe_rules(begun: EventBegun) -> str:
    """Return what counts for players who miss something, and what breaks ties; may be empty."""
    rules = [_ABSENCES[begun.absence]]
    if begun.tie_breaks:
        names = chain_messages([_MATCH_TIE_BREAKS[name] for name in begun.tie_breaks], ", ")
        rules.append(
            message("Equal scores are ordered by, one after the other: {names}.", names=names)
        )
    if {"buchholz", "buchholz_cut", "sonneborn_berger"} & {*begun.tie_breaks}:
        rules.append(
            message(
                "Buchholz adds up the scores of the opponents. A round without an opponent counts"
                " as one against the player's own score, and rounds that an opponent missed count"
                " as draws in theirs."
            )
        )
    if begun.style == "swiss" or begun.bye != "nothing":
        rules.append(_BYES[begun.bye])
    if begun.style == "swiss":
        rules.append(_LATE[begun.late])
    if begun.half_byes:
        rules.append(
            plural_message(
                "A player may take {count} round off, which counts as a draw, and says so before"
                " its draw.",
                "A player may take {count} rounds off, which count as draws, and says so before"
                " their draw.",
                begun.half_byes,
            )
        )
    if begun.team_best:
        rules.append(
            plural_message(
                "The best member of a team counts for it.",
                "The results of the best {count} members of a team are added up.",
                begun.team_best,
            )
        )
    return chain_messages([rule for rule in rules if rule])


def name_match_tie_breaks() -> Iterator[list[str]]:
    """Yield what may order equals after matches, and its name."""
    return ([key, name] for key, name in _MATCH_TIE_BREAKS.items())


def list_broken_ties(state: EventState) -> Iterator[Message]:
    """Yield what separated each player of an event of matches from others with the same score."""
    if state.data.begun is None or not state.data.begun.tie_breaks:
        return
    standings = state.compute_standings()
    for row in standings.rows:
        if row.decided_by:
            values = (
                chain_messages([_MATCH_TIE_BREAKS[name], str(value)])
                for name, value in row.ties.items()
            )
            yield message(
                "{place}. {name} with {score}: {why}",
                place=row.place,
                name=row.name,
                score=format_score(row.score, standings.unit),
                why=chain_messages([_TIE_BREAKS[row.decided_by], *values], ", "),
            )


def describe_costs(costs: EventCostsView) -> dict[str, object]:
    """Return what the choices cost as the page shows it: players, and the hardest rolls."""
    return {
        "is_complete": costs.is_complete,
        "limit": Number(costs.equal_below, ".0f"),
        "players": [
            {
                "name": each.name,
                "choices": each.choices,
                "cost": _format_cost(each.cost, costs.unit),
            }
            for each in costs.players
        ],
        "rolls": [
            {
                "name": _name_roll(each),
                "faces": " ".join(each.faces) if each.faces.isdecimal() else each.faces,
                "best": Number(100 * each.best / each.choices, ".0f"),
                "cost": _format_cost(each.cost, costs.unit),
            }
            for each in costs.rolls[:_HARDEST]
        ],
    }


def name_unit(unit: Unit) -> Message:
    """Return what a score counts, as the head of a column."""
    return _UNITS[unit]


def format_score(score: int, unit: Unit) -> str:
    if unit == "millionths":
        return percent_message(score / 10_000, ".2f")
    return _write_number(score)


def _name_roll(roll: RollDifficulty) -> Message:
    if roll.table:
        at = {"round": roll.game, "table": roll.table, "roll": roll.roll}
        return message("Round {round}, table {table}, roll {roll}", **at)
    return message("Game {game}, roll {roll}", game=roll.game, roll=roll.roll)


def _format_cost(cost: float, unit: str) -> Message | Number:
    if unit == "chance":
        return percent_message(100 * cost, ".2f")
    return Number(cost, ".1f")


def _describe_section(row: StandingRow) -> str:
    if not row.section or not row.has_place:
        return row.section
    return message("place {place} in {section}", place=row.section_place, section=row.section)


def _list_firsts(standings: Standings, sections: Iterable[str]) -> list[dict[str, object]]:
    """Return those who are first, second and third in each section."""
    firsts: dict[str, list[str]] = {section: [] for section in sections}
    for row in standings.rows:
        if row.section and row.has_place and row.section_place <= _FIRSTS:
            firsts[row.section].append(f"{row.section_place}. {row.name}")
    return [{"section": section, "names": names} for section, names in firsts.items()]


def _describe_teams(standings: Standings) -> list[dict[str, object]]:
    rows = {row.player: row for row in standings.rows}
    return [
        {
            "place": f"{each.place}.",
            "name": each.team,
            "score": format_score(each.score, standings.unit),
            "members": [
                {
                    "name": rows[player].name,
                    "score": format_score(rows[player].score, standings.unit),
                    "counts": number < each.counted,
                }
                for number, player in enumerate(each.players)
            ],
        }
        for each in standings.teams
    ]


def _describe_row(row: StandingRow, unit: Unit, section: str) -> dict[str, object]:
    missed = dict(row.absences)
    return {
        "place": f"{row.section_place if section else row.place}." if row.has_place else "–",
        "name": row.name,
        "groups": [*filter(None, ("" if section else _describe_section(row), row.team))],
        "score": format_score(row.score, unit),
        "games": [
            _write_game(missed.get(number) if game is None else game, is_missed=number in missed)
            for number, game in enumerate(row.games, start=1)
        ],
        "missed": [
            message(
                "game {game} not played whole: counts {points}",
                game=game,
                points=_write_number(points),
            )
            for game, points in row.absences
        ],
        "penalty": _write_number(-row.penalty) if row.penalty else "",
        "note": _TIE_BREAKS[row.decided_by],
        "ties": [_write_number(value) for value in row.ties.values()],
        "state": _STATES[row.state],
    }


def _list_draws(data: EventData) -> Iterator[dict[str, str]]:
    """Yield for each round how its draw came about, and every change after the first throw."""
    for number in range(1, len(data.rounds.rounds) + 1):
        steps = data.rounds.list_steps(number)
        swaps = [step for step in steps if isinstance(step, PlayersSwapped)]
        announced = [step for step in steps if isinstance(step, DrawAnnounced)]
        drafts = len(steps) - len(swaps) - len(announced)
        if announced or swaps or drafts > 1:
            drafted = plural_message("{count} draft", "{count} drafts", drafts)
            what = message("Round {round}: {drafts}", round=number, drafts=drafted)
            if swaps:
                what = message(
                    "Round {round}: {drafts}, {swaps}",
                    round=number,
                    drafts=drafted,
                    swaps=plural_message("{count} swap", "{count} swaps", len(swaps)),
                )
            yield {"what": what, "by": "", "reason": ""}
        for step in steps:
            if isinstance(step, DrawAnnounced):
                what = _describe_announced(data, step)
            elif isinstance(step, PlayersSwapped):
                one, other = (data.people.find(player).name for player in step.players)
                pair = {"round": number, "one": one, "other": other}
                what = message("Round {round}: {one} and {other} swapped seats", **pair)
            else:
                continue
            yield {"what": what, "by": step.by, "reason": step.reason}


def _list_byes(data: EventData) -> Iterator[dict[str, str]]:
    """Yield who had no opponent, and who came late, in an event of matches."""
    for each in data.rounds.published if data.event.style == "swiss" else ():
        for player in each.byes:
            name = data.people.find(player).name
            what = message("Round {round}: {player} had a bye", round=each.number, player=name)
            yield {"what": what, "by": "", "reason": ""}
        for player in each.half_byes:
            name = data.people.find(player).name
            what = message("Round {round}: {player} took it off", round=each.number, player=name)
            yield {"what": what, "by": data.rounds.asked[each.number][player], "reason": ""}
    for player, drawn in data.rounds.late.items() if data.event.style == "swiss" else ():
        name = data.people.find(player).name
        what = message("{player} came after the draw of round {round}", player=name, round=drawn)
        yield {"what": what, "by": "", "reason": ""}


def _list_rounds(data: EventData) -> list[dict[str, object]]:
    return [
        {
            "number": each.number,
            "pairs": [
                {
                    "names": [data.people.find(player).name for player in pair],
                    "points": [_write_number(total) for total in each.totals_of(number).values()],
                }
                for number, pair in enumerate(each.tables, start=1)
            ],
            "free": [data.people.find(player).name for player in (*each.byes, *each.half_byes)],
        }
        for each in data.rounds.published
        if data.event.style in PAIRED_STYLES
    ]


def _describe_announced(data: EventData, step: DrawAnnounced) -> Message:
    table = data.boxes.find(step.box)
    at = {"round": step.round, "table": table.name if table else step.box[:16]}
    if step.reason:
        return message(
            "Round {round}: the rolls that decide were announced again, at {table}", **at
        )
    return message(
        "Round {round}: the rolls that decide were announced at {table} before they fell", **at
    )


def _list_official_results(data: EventData, *, is_read: bool) -> Iterator[dict[str, str]]:
    """
    Yield the results that officials entered, whose rolls no camera read.

    With `is_read` those that a table played after the clock, and that count all the same.
    """
    for played in data.rounds.published:
        for result in played.recorded.values():
            if not result.by or (result.source is not None) is not is_read:
                continue
            points = ", ".join(map(_write_number, result.points))
            at = {"round": result.round, "table": result.table, "points": points}
            what = message("Round {round}, table {table}: result entered by hand: {points}", **at)
            if is_read:
                what = message(
                    "Round {round}, table {table}: {points} counts, though the game ended after"
                    " the clock",
                    **at,
                )
            yield {"what": what, "by": result.by, "reason": result.reason}


def _list_closed(data: EventData) -> Iterator[dict[str, str]]:
    """Yield the rolls and games that an official ended before the clock or the last roll."""
    for entry in data.closed:
        what = message("Game {game}: ended by an official", game=entry.game)
        if isinstance(entry, RollClosed):
            what = message(
                "Game {game}, roll {roll}: closed by an official", game=entry.game, roll=entry.roll
            )
        yield {"what": what, "by": entry.by, "reason": entry.reason}


def _list_entered_choices(data: EventData) -> Iterator[dict[str, str]]:
    """Yield how many choices of each player an official entered, and no ruling or clock undid."""
    for (player, by), count in _count_choices(data, data.entered):
        what = plural_message(
            "{player}: {count} choice was entered by an official",
            "{player}: {count} choices were entered by an official",
            count,
            player=data.people.find(player).name,
        )
        yield {"what": what, "by": by, "reason": ""}


def _list_kiosk_choices(data: EventData) -> Iterator[dict[str, str]]:
    """Yield how many choices of each player were made at the screen of a table."""
    for (player, box), count in _count_choices(data, data.chosen_at):
        table = data.boxes.find(box)
        what = plural_message(
            "{player}: {count} choice was made at the screen of {table}",
            "{player}: {count} choices were made at the screen of {table}",
            count,
            player=data.people.find(player).name,
            table=table.name if table else box[:8],
        )
        yield {"what": what, "by": "", "reason": ""}


def _count_choices(
    data: EventData, noted: Mapping[tuple[int, int, int], str]
) -> list[tuple[tuple[int, str], int]]:
    """Return how many choices were noted for each player and text, without the clock's."""
    counts = Counter[tuple[int, str]]()
    for (game, roll, player), about in noted.items():
        choice = data.games[game - 1].rolls[roll - 1].played.get(player)
        counts[player, about] += choice is None or not choice.is_automatic
    return sorted((+counts).items())


def _list_forfeits(data: EventData) -> Iterator[dict[str, str]]:
    for forfeit in data.forfeited:
        part = _name_part(data, forfeit.game)
        about = {"player": data.people.find(forfeit.player).name, "part": part}
        what = message("{player}: forfeits {part}", **about)
        if forfeit.is_lifted:
            what = message("{player}: forfeit of {part} lifted", **about)
        yield {"what": what, "by": forfeit.by, "reason": forfeit.reason}


def _name_part(data: EventData, number: int, roll: int = 0) -> Message:
    """Return the name of a round, or of a game, and its roll if there is one."""
    if data.event.style != "duplicate":
        return message("round {round}", round=number)
    if roll:
        return message("game {game}, roll {roll}", game=number, roll=roll)
    return message("game {game}", game=number)


def _list_withdrawals(data: EventData) -> Iterator[dict[str, str]]:
    for each in data.withdrawals:
        name = data.people.find(each.entry.player).name
        part = _name_part(data, each.game, each.roll)
        if each.game == 0:
            what = message("{player} withdrew before anything was played", player=name)
        elif each.is_over or each.roll:
            what = message("{player} withdrew after {part}", player=name, part=part)
        else:
            what = message("{player} withdrew during {part}", player=name, part=part)
        yield {"what": what, "by": each.entry.by, "reason": each.entry.reason}


def _list_regrouped(data: EventData) -> Iterator[dict[str, str]]:
    """Yield for each official whose section or team was set after play had begun."""
    names: dict[str, dict[str, None]] = {}
    for entry in data.regrouped:
        names.setdefault(entry.by, {})[data.people.find(entry.player).name] = None
    for by, changed in names.items():
        what = message("section or team set after play began: {names}", names=_join_names(changed))
        yield {"what": what, "by": by, "reason": ""}


def _describe_played(data: EventData) -> str:
    """Return how many games or rounds were played to their end, if that is not all of them."""
    event = data.event
    if event.style == "knock_out":
        return ""
    if event.style == "duplicate":
        count = sum(bool(each.rolls) and not each.is_open for each in data.games[: event.games])
    else:
        count = sum(each.is_complete for each in data.rounds.published)
    if count == event.games:
        return ""
    if event.style == "duplicate":
        return message("games played: {count} of {games}", count=count, games=event.games)
    return message("rounds played: {count} of {games}", count=count, games=event.games)


def _count_by_hand(data: EventData) -> int:
    """Return how many rolls of the event count with faces that no camera has read."""
    return len(
        {
            concern.roll_link
            for _, lines in data.boxes.list_lines()
            for concern in lines.concerns
            if concern.concern in ("by_hand", "corrected")
            and (
                data.event.style != "duplicate"
                or not data.opened.keys().isdisjoint((concern.roll_link, concern.cause.link))
            )
        }
    )


def list_rulings(data: EventData) -> list[dict[str, str]]:
    """Return what officials decided on rolls, with the faces from then on, and the appeals."""
    known: dict[tuple[int, int, bool], str] = {}
    listed = []
    for number, ruling in enumerate(data.rulings, start=1):
        if isinstance(ruling, TableRuling):
            what = _describe_table_ruling(data, ruling)
        else:
            roll = data.games[ruling.game - 1].rolls[ruling.roll - 1]
            thrown = roll.reserve if ruling.is_reserve and roll.reserve else roll
            key = (ruling.game, ruling.roll, ruling.is_reserve)
            before = known.get(key, thrown.opened_faces)
            known[key] = ruling.faces or before
            what = _describe_ruling(ruling, " ".join(known[key]), " ".join(before))
        listed.append({"what": what, "by": ruling.by, "reason": ruling.reason})
        if number in data.appeals:
            listed.append(_describe_appeal(data, number))
    return listed


def _describe_table_ruling(data: EventData, ruling: TableRuling) -> Message:
    decision = {
        "keep": message("the roll stays as it is"),
        "changed": message("the result of the table changes"),
    }[ruling.decision]
    return message("{what}: {decision}", what=name_ruled(data, ruling), decision=decision)


def _describe_appeal(data: EventData, number: int) -> dict[str, str]:
    """Return an appeal, with who appealed against whose ruling, and who decided on it."""
    ruling, decided = data.rulings[number - 1], data.appeal_decisions.get(number)
    if decided is None and is_open_appeal(data, number):
        outcome = message("not decided yet")
    elif decided is None:
        newer = data.rulings[find_newest(data, ruling) - 1]
        outcome = message("closed by the newer ruling of {official}", official=newer.by)
    elif decided.decision == UPHOLD:
        outcome = message("the ruling stands")
    else:
        outcome = message("the ruling was changed")
    what = message(
        "{what}: {player} appealed against the ruling of {official}: {outcome}",
        what=name_ruled(data, ruling),
        player=data.people.find(data.appeals[number].player).name,
        official=ruling.by,
        outcome=outcome,
    )
    by, reason = (decided.by, decided.reason) if decided else ("", "")
    return {"what": what, "by": by, "reason": reason}


def _describe_ruling(ruling: RollRuling, faces: str, before: str) -> Message:
    decision = {
        "keep": message("stays {faces}", faces=faces),
        "recompute": message("counts as {faces}, was {before}", faces=faces, before=before),
        "annul": message("{faces} does not count", faces=faces),
        "restore": message("{faces} counts again", faces=faces),
    }[ruling.decision]
    roll = {"game": ruling.game, "roll": ruling.roll, "decision": decision}
    if ruling.is_reserve:
        return message("Game {game}, reserve roll of roll {roll}: {decision}", **roll)
    return message("Game {game}, roll {roll}: {decision}", **roll)


def _list_penalties(data: EventData) -> Iterator[dict[str, str]]:
    for each in data.penalties:
        name, points = data.people.find(each.player).name, _write_number(each.points)
        what = message("{player}: penalty {points}", player=name, points=points)
        yield {"what": what, "by": each.by, "reason": each.reason}


def _write_game(points: int | None, *, is_missed: bool) -> str:
    """Return the result of a game; one that was not played whole is in brackets."""
    if points is None:
        return "–"
    return f"({_write_number(points)})" if is_missed else _write_number(points)


def _write_number(number: int) -> str:
    """Return a number with a real minus, as the sheets have it."""
    return f"−{-number}" if number < 0 else str(number)
