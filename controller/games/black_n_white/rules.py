# SPDX-License-Identifier: MIT
"""
Black'n'White by Hajo Bücken and Dirk Hanneforth: the last player with chips loses.

Everybody throws one white and one black die, at most as often as the starter of the
round. In phase 1 the lowest result takes a chip from the middle; once the middle is
empty, phase 2 begins and the highest result puts one of its chips out of the game.

The booklet is silent on equal highest results in phase 2. A result must be beaten, so
the first who threw it gets rid of the chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.base.errors import IllegalActionError, InputError
from controller.games.black_n_white.notation import (
    Result,
    Tens,
    dice_texts,
    parse_result,
    result_text,
)
from controller.games.black_n_white.round import (
    EMPTY_ROUND,
    Round,
    RoundResult,
    ThrowOff,
    throw_action,
)
from controller.games.contract import (
    COUNT,
    ActionEvent,
    Expects,
    GameEvent,
    GameOutcome,
    GameState,
    Json,
    Options,
    RollEvent,
)


@dataclass(frozen=True, slots=True)
class BlackNWhiteState:
    players: tuple[str, ...]  # The names in clockwise order.
    chips_per_player: int  # How many chips for each player are in the middle at first.
    middle: int  # How many are there now.
    chips: tuple[int, ...]  # How many each player holds, in the order of `players`.
    round: int  # The number of the round, from 1; a throw-off belongs to the round that it opens.
    played: Round  # The round itself; empty during a throw-off, and once the game is over.
    throw_off: ThrowOff | None = None  # The throw-off for its start, while there is one.
    settled: RoundResult | None = None  # How the previous round ended; None in the first one.
    is_counted: bool = False  # Whether the players ended it early: it counts as it stands.

    @property
    def options(self) -> Options:
        return {"chips_per_player": self.chips_per_player}

    @property
    def phase(self) -> int:
        """1 while chips are handed out, 2 while players get rid of them and when all is over."""
        return 1 if self.middle else 2

    @property
    def is_over(self) -> bool:
        """Whether only one player holds chips, and the middle is empty; or it ended early."""
        return self.is_counted or (self.phase == 2 and len(self._holders()) == 1)

    @property
    def is_throw_off(self) -> bool:
        """Whether those with most chips throw for the start of the round."""
        return self.throw_off is not None

    @property
    def limit(self) -> int:
        """How many throws everybody has in this round, 3 while its starter throws."""
        return self.played.limit

    @property
    def tens(self) -> Tens:
        """The colour that gives the tens in this round; empty before it is chosen."""
        return self.played.tens

    @property
    def tens_by(self) -> str:
        """Who chose it; empty before."""
        return "" if self.played.tens_by is None else self.players[self.played.tens_by]

    @property
    def faces(self) -> tuple[int, ...]:
        """The white and the black face while their owner decides; empty while a roll is due."""
        return self.played.lying if self.played.is_deciding else ()

    @property
    def acted(self) -> tuple[str, ...]:
        """Who has finished in this round, in the order in which they did."""
        return self._names(self.played.finished)

    def chips_of(self, player: str) -> int:
        return self.chips[self._seat(player)]

    def throws_of(self, player: str) -> int:
        """Return how often a player has thrown in this round; a throw-off does not count."""
        return self.played.throws_of(self._seat(player))

    def result_of(self, player: str) -> Result | None:
        """Return a player's white and black face; None before, and while a die is in their hand."""
        return self.played.result_of(self._seat(player))

    def throw_off_total(self, player: str) -> int | None:
        seat = self._seat(player)
        return self.throw_off.total_of(seat) if self.throw_off else None

    def decisive_player(self) -> str | None:
        """
        Return who would take or lose a chip by the finished results of this round.

        In phase 1 that player would take one, in phase 2 get rid of one. None before the first
        result. It does not need the tens: before they are chosen, all finished results are doubles.
        """
        return self.players[self._chip_seat(self.played)] if self.acted else None

    def is_finished(self, player: str) -> bool:
        """Return whether this player throws no more: without chips in phase 2, or all is over."""
        holds_none = not self.chips_of(player)
        return self.is_over or (self.phase == 2 and holds_none)

    def expects(self) -> Expects:
        if self.played.is_deciding:
            return Expects(do=dict.fromkeys(self._active(), self.played.actions))
        return Expects(roll=self._rollers())

    def legal_actions(self, player: str) -> tuple[str, ...]:
        return self.played.actions if self._seat(player) == self.played.seat else ()

    def player_dice(self, player: str) -> tuple[str, ...]:
        """Return the dice that this player decides about, the white one first."""
        result = self.result_of(player)
        return dice_texts(result) if result and self.legal_actions(player) else ()

    def dice_to_leave(self, player: str) -> tuple[str, ...]:
        return self.played.dice_to_leave if self._seat(player) == self.played.seat else ()

    def required_dice(self, player: str) -> tuple[str, ...]:
        """Return no dice: the rules never set a die by hand."""
        # Raises ValueError for an unknown name, as the contract says.
        self._seat(player)
        return ()

    def hold_action(self, player: str, kept: Sequence[str]) -> str | None:
        """Return the throw that keeps exactly these dice; None if they are not this player's."""
        dice = self.player_dice(player)
        if not set(kept) <= set(dice) or len(set(kept)) < len(kept):
            return None
        keeps_white, keeps_black = (die in kept for die in dice) if dice else (False, False)
        return throw_action(keeps_white=keeps_white, keeps_black=keeps_black)

    def has_round_ended(self, before: GameState) -> bool:
        if not isinstance(before, BlackNWhiteState):
            return False
        # A correction can settle the same round in another way.
        is_settled_anew = self.settled != before.settled and self.round == before.round
        return self.round > before.round or is_settled_anew

    def apply(self, event: GameEvent) -> BlackNWhiteState:
        if isinstance(event, RollEvent):
            return self._after_roll(event)
        return self._after_action(event)

    def totals(self) -> dict[str, int]:
        return dict(zip(self.players, self.chips, strict=True))

    def outcome(self) -> GameOutcome | None:
        """Return who lost: the last with chips, or after an early end those with most chips."""
        if not self.is_over:
            return None
        most = max(self.chips)
        losers = () if min(self.chips) == most else self._names(self._holders_of(most))
        winners = (name for name in self.players if name not in losers)
        return GameOutcome(winners=tuple(winners), losers=losers)

    def sheet(self, player: str) -> dict[str, Json]:
        return {"chips": self.chips_of(player), "phase": self.phase}

    def _after_roll(self, event: RollEvent) -> BlackNWhiteState:
        if event.by not in self._rollers():
            raise self._refusal(event)
        try:
            result = parse_result(event.roll)
        except InputError as error:
            raise self._refusal(event, expected=(error.expected,)) from error
        if self.throw_off:
            return self._apply_throw_off(self.throw_off.apply_roll(self._seat(event.by), result))
        if not self.played.matches_left_dice(result):
            raise self._refusal(event, expected=(f"a roll with {self.played.dice_to_leave[0]}",))
        return self._with_round(self.played.apply_roll(result))

    def _after_action(self, event: ActionEvent) -> BlackNWhiteState:
        if event.action == COUNT and event.by in self.players and not self.is_over:
            return replace(self, played=EMPTY_ROUND, throw_off=None, is_counted=True)
        if event.by not in self._active() or event.action not in self.played.actions:
            raise self._refusal(event)
        return self._with_round(self.played.apply_action(event.action))

    def _with_round(self, after: Round) -> BlackNWhiteState:
        """Return the position with this round, or with the next one if this one is over."""
        if not after.is_over:
            return replace(self, played=after)
        seat = self._chip_seat(after)
        taken = 1 if self.phase == 1 else 0
        change = 1 if taken else -1
        chips = (*self.chips[:seat], self.chips[seat] + change, *self.chips[seat + 1 :])
        results = tuple((each, after.stop_of(each).result) for each in after.seats)
        ended = RoundResult(self.phase, seat, after.stop_of(seat).result, after.tens, results)
        over = replace(
            self, middle=self.middle - taken, chips=chips, played=EMPTY_ROUND, settled=ended
        )
        if over.is_over:
            return over
        upcoming = replace(over, round=self.round + 1)
        if upcoming.phase == 1:
            return upcoming._start_round(seat)
        return upcoming._choose_starter(upcoming._holders_of(max(upcoming.chips)))

    def _apply_throw_off(self, after: ThrowOff) -> BlackNWhiteState:
        """Return the position after a throw of a throw-off: equal highest totals throw again."""
        if after.waiting:
            return replace(self, throw_off=after)
        return self._choose_starter(after.leaders)

    def _choose_starter(self, seats: tuple[int, ...]) -> BlackNWhiteState:
        """Return the position in which these may start the round: several throw off first."""
        if len(seats) > 1:
            return replace(self, throw_off=ThrowOff.among(seats))
        return self._start_round(seats[0])

    def _start_round(self, starter: int) -> BlackNWhiteState:
        """Return the position before the first throw of a round, clockwise from its starter."""
        count = len(self.players)
        playing = range(count) if self.phase == 1 else self._holders()
        clockwise = sorted(playing, key=lambda seat: (seat - starter) % count)
        return replace(self, played=Round(tuple(clockwise)), throw_off=None)

    def _chip_seat(self, played: Round) -> int:
        """Return who takes a chip, or gets rid of one, as the finished results stand."""
        return played.lowest() if self.phase == 1 else played.highest()

    def _rollers(self) -> tuple[str, ...]:
        if self.throw_off:
            return self._names(self.throw_off.waiting)
        return () if self.played.is_deciding else self._active()

    def _active(self) -> tuple[str, ...]:
        """Return the player whose throw or decision the round waits for, if it waits for any."""
        return () if self.played.seat is None else (self.players[self.played.seat],)

    def _holders(self) -> tuple[int, ...]:
        return tuple(seat for seat, chips in enumerate(self.chips) if chips)

    def _holders_of(self, chips: int) -> tuple[int, ...]:
        return tuple(seat for seat, held in enumerate(self.chips) if held == chips)

    def _names(self, seats: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.players[seat] for seat in seats)

    def _seat(self, player: str) -> int:
        return self.players.index(player)

    def _refusal(self, event: GameEvent, expected: Sequence[str] = ()) -> IllegalActionError:
        acts = [f"an action by {name}" for name in self.expects().do]
        rolls = [f"a roll by {name}" for name in self._rollers()]
        asked = f"roll {event.roll}" if isinstance(event, RollEvent) else event.action
        return IllegalActionError(
            player=event.by,
            action=asked,
            expected=expected or self._legal_of(event.by) or (*rolls, *acts),
            state=f"black-n-white, {self._describe()}",
        )

    def _legal_of(self, name: str) -> tuple[str, ...]:
        """Return what a person may do who need not be a player."""
        return self.legal_actions(name) if name in self.players else ()

    def _describe(self) -> str:
        if self.played.is_deciding:
            return f"roll {result_text(self.played.lying)}"
        if self.is_throw_off:
            return "in a throw-off"
        return "finished" if self.is_over else "before a roll"
