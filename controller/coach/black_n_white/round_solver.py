# SPDX-License-Identifier: MIT
"""
A round of Black'n'White, solved exactly.

A round decides whose chip moves, and that decides what everybody may expect. Each player wants the
smallest own chance to lose, whatever that does to others. So the round is solved from its last
player back to its first: all that matters of those who have finished is the result that would
move a chip now, and who has it.

Arrays end with one number for each player of the round: their chances to lose, in the order of
throwing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from controller.games.black_n_white.notation import Result, Tens
from controller.games.black_n_white.notation import rank as rank_result
from controller.games.black_n_white.round import MOST_THROWS, Round, StopResult
from controller.games.dice import FACES

Losses = NDArray[np.float64]

SIDES = len(FACES)
_ALL = [(white, black) for white in FACES for black in FACES]
_ORDER = sorted({rank_result(result, "white") for result in _ALL})
RANKS = len(_ORDER)  # The ranks of results by their place; the six doubles are the last.
_PLACES = np.array([_ORDER.index(rank_result(result, "white")) for result in _ALL])
_WHITE_TENS = _PLACES.reshape(SIDES, SIDES)
_BY_TENS = {"white": _WHITE_TENS, "black": _WHITE_TENS.T}
_IS_DOUBLE = np.eye(SIDES, dtype=bool)


class RoundSolver:
    """
    The values of every moment of a round.

    Args:
        losses: What everybody may expect if a seat's chip moves, (seats, players).
        takes_lowest: Whether the lowest result moves a chip, and the last one of equals, as in
            phase 1; else the highest, and the first one of equals.
    """

    def __init__(self, losses: Losses, *, takes_lowest: bool) -> None:
        self._count = len(losses)
        self._takes_lowest = takes_lowest
        # By seat, limit and whether the tens are chosen: (rank, holder, players).
        self._before: list[dict[tuple[int, bool], Losses]] = [{} for _ in range(self._count + 1)]
        shape = (RANKS, self._count, self._count)
        end = np.broadcast_to(losses, shape)
        self._before[self._count] = {
            (limit, chosen): end for limit in range(1, MOST_THROWS + 1) for chosen in (False, True)
        }
        for seat in range(self._count - 1, 0, -1):
            for limit, chosen in self._before[self._count]:
                stops = self._find_stops(seat, limit, chosen)
                first = self._solve_throws(seat, [stops] * limit)[0]
                self._before[seat][limit, chosen] = first.mean(axis=(-3, -2))
        self.start: Losses = self._solve_throws(0, self._list_starter_stops())[0].mean(axis=(0, 1))
        """What everybody may expect before the first throw."""

    def expect(self, played: Round) -> Losses:
        if played.is_deciding:
            actions = self.judge(played)
            own = len(played.stops)
            return min(actions.values(), key=lambda losses: float(losses[own]))
        if not played.stops and not played.throws:
            return self.start
        throws = self._list_throws(played)
        return _mean_over_hand(throws[played.throws], played.lying)

    def judge(self, played: Round) -> dict[str, Losses]:
        """Return what everybody may expect after each action of the player whose turn it is."""
        seat, place = len(played.stops), _place_of(played.lying)
        if played.has_stopped:
            return {f"tens {tens}": self._after_stop(played, tens) for tens in ("white", "black")}
        throws = self._list_throws(played)
        stop = self._list_stops(played)[played.throws - 1][place]
        found = {"stop": stop}
        for action in played.actions[1:]:
            after = played.apply_action(action)
            found[action] = _mean_over_hand(throws[played.throws], after.lying)
        assert seat == len(played.stops)
        return found

    def _after_stop(self, played: Round, tens: Tens) -> Losses:
        """Return what everybody may expect once the player who stopped has chosen the tens."""
        seat = len(played.stops)
        chosen = _BY_TENS[tens][_place_of(played.lying)]
        now = self._find_extreme(played)
        rank, holder = self._join(now, int(chosen), seat) if now else (int(chosen), seat)
        losses: Losses = self._before[seat + 1][played.limit, True][rank, holder]
        return losses

    def _list_throws(self, played: Round) -> list[Losses]:
        """Return what is expected with the dice lying after each throw of the player."""
        return self._solve_throws(len(played.stops), self._list_stops(played))

    def _list_stops(self, played: Round) -> list[Losses]:
        """Return what is expected if the player stops after each throw, (6, 6, players)."""
        now = self._find_extreme(played)
        if now is None:
            return self._list_starter_stops()
        seat, (rank, holder) = len(played.stops), now
        stops = self._find_stops(seat, played.limit, played.tens != "")[rank, holder]
        # With black tens the table of white tens is read with the dice changed about.
        stops = stops.swapaxes(0, 1) if played.tens == "black" else stops
        return [stops] * played.limit

    def _find_extreme(self, played: Round) -> tuple[int, int] | None:
        """Return the rank that would move a chip now, and the place of who has it."""
        found: tuple[int, int] | None = None
        for seat, stop in enumerate(played.stops):
            rank = self._rank_stop(stop, played.tens)
            found = (rank, seat) if found is None else self._join(found, rank, seat)
        return found

    def _rank_stop(self, stop: StopResult, tens: Tens) -> int:
        return int(_BY_TENS[tens or "white"][_place_of(stop.result)])

    def _join(self, now: tuple[int, int], rank: int, seat: int) -> tuple[int, int]:
        moves = rank <= now[0] if self._takes_lowest else rank > now[0]
        return (rank, seat) if moves else now

    def _list_starter_stops(self) -> list[Losses]:
        return [self._find_starter_stops(limit) for limit in range(1, MOST_THROWS + 1)]

    def _find_starter_stops(self, limit: int) -> Losses:
        """Return what is expected if the starter stops after `limit` throws, (6, 6, players)."""
        after = self._before[1]
        doubles = after[limit, False][_WHITE_TENS, 0]
        options = [after[limit, True][ranks, 0] for ranks in _BY_TENS.values()]
        return np.where(_IS_DOUBLE[..., None], doubles, _choose(options, 0))

    def _find_stops(self, seat: int, limit: int, chosen: bool) -> Losses:
        """Return what is expected if a later player stops, (rank, holder, 6, 6, players)."""
        after = self._before[seat + 1]
        if chosen:
            return self._after_rank(after[limit, True], seat, _WHITE_TENS)
        doubles = self._after_rank(after[limit, False], seat, _WHITE_TENS)
        options = [self._after_rank(after[limit, True], seat, each) for each in _BY_TENS.values()]
        return np.where(_IS_DOUBLE[..., None], doubles, _choose(options, seat))

    def _after_rank(self, after: Losses, seat: int, ranks: NDArray[np.intp]) -> Losses:
        """Return the values after a result joins, for every rank and holder before it."""
        now = np.arange(RANKS)[:, None, None, None]
        moves = ranks <= now if self._takes_lowest else ranks > now
        holders = np.arange(seat)[:, None, None]
        return after[np.where(moves, ranks, now), np.where(moves, seat, holders)]

    def _solve_throws(self, seat: int, stops: list[Losses]) -> list[Losses]:
        """Return the values with the dice lying after each throw; the last one is a stop."""
        throws = [stops[-1]]
        for stop in reversed(stops[:-1]):
            following = throws[0]
            white = following.mean(axis=-3, keepdims=True)
            black = following.mean(axis=-2, keepdims=True)
            both = following.mean(axis=(-3, -2), keepdims=True)
            throws.insert(0, _choose([stop, white, black, both], seat))
        return throws


def _choose(options: list[Losses], seat: int) -> Losses:
    """Return the option with the smallest loss of one player, at each place of the arrays."""
    chosen = options[0]
    for option in options[1:]:
        is_better = option[..., seat] < chosen[..., seat]
        chosen = np.where(is_better[..., None], option, chosen)
    return chosen


def _place_of(result: Result) -> tuple[int, int]:
    return result[0] - 1, result[1] - 1


def _mean_over_hand(values: Losses, lying: Result) -> Losses:
    """Return the mean over the dice in the hand, whose face is 0."""
    white, black = (slice(None) if face == 0 else slice(face - 1, face) for face in lying)
    mean: Losses = values[white, black].mean(axis=(0, 1))
    return mean
