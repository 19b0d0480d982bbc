# SPDX-License-Identifier: MIT
"""The standings of an event at any moment, by its style; docs/event-journal.md has the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction

from controller.tournament.entries.entry_base import MATCH_STYLES, MatchTieBreak
from controller.tournament.standings.absence import (
    DuplicateField,
    GameTotals,
    read_field,
    read_game,
)
from controller.tournament.standings.groups import place_in_sections, rank_teams
from controller.tournament.standings.match_points import MILLION, sum_shares
from controller.tournament.standings.matches import compare_matches, list_points, sum_tie_breaks
from controller.tournament.standings.ranking import (
    GAME_TIE_BREAKS,
    Candidate,
    CompareDirectly,
    TieBreak,
    compare_by_match_points,
    rank_candidates,
)
from controller.tournament.standings.rows import StandingRow, Standings, Unit
from controller.tournament.standings.table_points import count_table_points
from controller.tournament.state.event_data import EventData
from controller.tournament.state.rounds import Round

BLACK_N_WHITE = "black-n-white"

Cells = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """What ranks the players of an event, before it is ranked."""

    unit: Unit
    order: Mapping[int, tuple[int, ...]]  # What is compared of each player; higher is better.
    shown: Mapping[int, int]  # The score of each player, in the unit.
    results: Sequence[GameTotals]
    game_scores: Mapping[int, Cells]
    compare_directly: CompareDirectly
    # What the best games are compared by; empty if they break no tie.
    tie_games: Mapping[int, Cells] = field(default_factory=dict)
    # The result of each player's last play-off.
    play_off: Mapping[int, int] = field(default_factory=dict)
    # What each game counts for those who did not play all of its rolls.
    absences: Sequence[GameTotals] = ()
    with_place: Set[int] | None = None  # Who has a place in the ranking; None for everybody.
    # What orders equal scores, one after the other, and what it counts for each player where it is
    # a number of its own.
    tie_breaks: Sequence[TieBreak] = GAME_TIE_BREAKS
    sums: Mapping[MatchTieBreak, Mapping[int, int]] = field(default_factory=dict)


def compute_standings(data: EventData) -> Standings:
    """Return the standings now; the game or round that is being played counts as it stands."""
    players = data.people.list_players()
    scores = _choose_scores(data)(data, [each.number for each in players])
    costs = mean_costs(data)
    candidates = [
        Candidate(
            each.number,
            scores.order[each.number],
            scores.tie_games.get(each.number, ()),
            costs.get(each.number),
            scores.play_off.get(each.number),
            {name: values[each.number] for name, values in scores.sums.items()},
        )
        for each in players
    ]
    penalties = sum_penalties(data)
    rows = []
    for ranked in rank_candidates(candidates, scores.compare_directly, scores.tie_breaks):
        player = data.people.find(ranked.player)
        games = tuple(totals.get(ranked.player) for totals in scores.results)
        absences = tuple(
            (number, totals[ranked.player])
            for number, totals in enumerate(scores.absences, start=1)
            if ranked.player in totals
        )
        row = StandingRow(
            player=ranked.player,
            name=player.name,
            place=ranked.place,
            shares=ranked.shares,
            decided_by=ranked.decided_by,
            score=scores.shown[ranked.player],
            total=sum(game or 0 for game in games) + sum(points for _, points in absences),
            games=games,
            absences=absences,
            has_place=scores.with_place is None or ranked.player in scores.with_place,
            game_scores=scores.game_scores.get(ranked.player, ()),
            penalty=penalties.get(ranked.player, 0),
            state="withdrawn" if player.is_withdrawn else "away" if player.is_away else "here",
            ties={name: values[ranked.player] for name, values in scores.sums.items()},
            section=data.people.sections.find(ranked.player),
            team=data.people.teams.find(ranked.player),
        )
        rows.append(row)
    if data.people.sections.names:
        rows = list(place_in_sections(rows))
    teams = rank_teams(rows, data.event.team_best)
    return Standings(scores.unit, len(scores.results), tuple(rows), teams)


def count_scores(data: EventData) -> Mapping[int, int]:
    """Return the score of everybody without their places, which cost time in a large field."""
    return _choose_scores(data)(data, [each.number for each in data.people.list_players()]).shown


def mean_costs(data: EventData) -> dict[int, Fraction]:
    """
    Return what a choice cost each player on average, in hundredths of a point.

    Empty as long as an ended game is not judged. Games that a player forfeited are left out.
    """
    if data.list_without_costs():
        return {}
    sums: dict[int, tuple[int, int]] = {}
    for entry in data.costs.values():
        for player, choices, cost in entry.costs:
            if entry.game not in data.forfeits.get(player, ()):
                before = sums.get(player, (0, 0))
                sums[player] = (before[0] + cost, before[1] + choices)
    return {player: Fraction(*each) for player, each in sums.items() if each[1]}


def sum_penalties(data: EventData) -> dict[int, int]:
    penalties: dict[int, int] = defaultdict(int)
    for penalty in data.penalties:
        penalties[penalty.player] += penalty.points
    return penalties


def _choose_scores(data: EventData) -> Callable[[EventData, Sequence[int]], Scores]:
    style, game = data.event.style, data.event.game
    if style == "duplicate":
        return _score_sum if data.event.scoring == "sum" else _score_shares
    if style == "knock_out":
        return _score_knock_out
    if style in MATCH_STYLES:
        return _score_matches
    return _score_lives if game == BLACK_N_WHITE else _score_tables


def _score_sum(data: EventData, players: Sequence[int]) -> Scores:
    field = read_field(data, players)
    cells = _list_cells(field.list_counted(), players)
    shown = _sum_cells(cells, sum_penalties(data))
    return _score_duplicate(data, field, "points", shown, shown, cells, cells)


def _score_shares(data: EventData, players: Sequence[int]) -> Scores:
    field = read_field(data, players)
    shares = sum_shares(field.played, players, sum_penalties(data), field.absences)
    shown = {player: shares.to_millionths(shares.scores[player]) for player in players}
    cells = {
        player: tuple(
            None if share is None else share * MILLION // shares.unit
            for share in shares.by_game[player]
        )
        for player in players
    }
    return _score_duplicate(data, field, "millionths", shares.scores, shown, cells, shares.by_game)


def _score_duplicate(
    data: EventData,
    field: DuplicateField,
    unit: Unit,
    scores: Mapping[int, int],
    shown: Mapping[int, int],
    game_scores: Mapping[int, Cells],
    tie_games: Mapping[int, Cells],
) -> Scores:
    """Return the scores of a duplicate event; who has no place comes after all others."""
    with_place = field.with_place
    return Scores(
        unit,
        {player: (int(player in with_place), score) for player, score in scores.items()},
        shown,
        field.played,
        game_scores,
        compare_by_match_points(field.played),
        tie_games,
        list_play_off(data),
        field.absences,
        None if data.event.absence == "nothing" else with_place,
    )


def _score_tables(data: EventData, players: Sequence[int]) -> Scores:
    points: list[dict[int, int]] = []
    for each in data.rounds.published:
        counted: dict[int, int] = {}
        for table in each.results:
            counted |= count_table_points(each.totals_of(table), data.list_forfeits(each.number))
        points.append(counted)
    return _score_points(data, _list_cells(points, players), _compare_nothing)


def _score_lives(data: EventData, players: Sequence[int]) -> Scores:
    lives = {
        player: data.event.lives - penalty
        for player, penalty in {**dict.fromkeys(players, 0), **sum_penalties(data)}.items()
    }
    lost_in = {player: 0 if lives[player] > 0 else -1 for player in players}
    lost: list[dict[int, int]] = []
    for each in data.rounds.published:
        losers = _list_lost(data, each)
        lost.append({player: -int(player in losers) for player in each.list_seated()})
        for player in losers:
            lives[player] -= 1
            if lives[player] == 0:
                lost_in[player] = each.number
    shown = {player: max(lives[player], 0) for player in players}
    order = {player: (shown[player], lost_in[player]) for player in players}
    cells = _list_cells(lost, players)
    return Scores("lives", order, shown, _list_results(data), cells, _compare_nothing)


def _score_knock_out(data: EventData, players: Sequence[int]) -> Scores:
    won: list[dict[int, int]] = []
    for each in data.rounds.published:
        losers = {*each.list_losers(), *data.list_forfeits(each.number)}
        decided = {player for table in each.results for player in each.tables[table - 1]}
        won.append({player: int(player not in losers) for player in {*decided, *each.byes}})
    cells = _list_cells(won, players)
    shown = _sum_cells(cells, {})
    order = {player: (shown[player],) for player in players}
    return Scores("rounds", order, shown, _list_results(data), cells, _compare_nothing)


def _score_matches(data: EventData, players: Sequence[int]) -> Scores:
    points = list_points(data)
    scores = _score_points(data, _list_cells(points, players), compare_matches(data, points))
    if not data.event.tie_breaks:
        return scores
    return replace(
        scores,
        order={player: (score,) for player, score in scores.shown.items()},
        tie_breaks=data.event.tie_breaks,
        sums=sum_tie_breaks(data, points, scores.results, players),
    )


def _score_points(
    data: EventData, cells: Mapping[int, Cells], compare_directly: CompareDirectly
) -> Scores:
    """Return the scores of points that rounds count; the sum of the totals orders equals."""
    shown, results = _sum_cells(cells, sum_penalties(data)), _list_results(data)
    order = {
        player: (score, sum(totals.get(player, 0) for totals in results))
        for player, score in shown.items()
    }
    return Scores("table_points", order, shown, results, cells, compare_directly)


def _list_cells(games: Sequence[GameTotals], players: Sequence[int]) -> dict[int, Cells]:
    """Return what each game or round counts for each player; None without one."""
    return {player: tuple(totals.get(player) for totals in games) for player in players}


def _sum_cells(cells: Mapping[int, Cells], penalties: Mapping[int, int]) -> dict[int, int]:
    return {
        player: sum(cell or 0 for cell in row) - penalties.get(player, 0)
        for player, row in cells.items()
    }


def _list_lost(data: EventData, each: Round) -> set[int]:
    """Return who loses a life in a round: who forfeits, else the loser of the table."""
    forfeits = data.list_forfeits(each.number) & set(each.list_seated())
    lost = set(forfeits)
    for table, result in each.results.items():
        if not forfeits & set(each.tables[table - 1]):
            lost |= set(result.losers)
    return lost


def _list_results(data: EventData) -> list[GameTotals]:
    """Return the totals of each published round, without those that were forfeited."""
    return [
        {
            player: total
            for table in each.results
            for player, total in each.totals_of(table).items()
            if player not in data.list_forfeits(each.number)
        }
        for each in data.rounds.published
    ]


def list_play_off(data: EventData) -> dict[int, int]:
    """Return the results of play-offs; under a rule for absence, of all of their rolls."""
    results: dict[int, int] = {}
    for game in data.games[data.event.games :]:
        is_ruled = data.event.absence != "nothing"
        results |= read_game(data, game, game.counted).whole if is_ruled else game.totals
    return results


def _compare_nothing(tied: Sequence[int]) -> Mapping[int, int]:
    return dict.fromkeys(tied, 0)
