# SPDX-License-Identifier: MIT
"""
Learn how Choice with jokers ends.

Each subset of the jokers is a case of its own, which rests on those with one joker less. Sheets
without any are worth what the other net of Choice says.
"""

from __future__ import annotations

from copy import deepcopy

import torch

from controller.coach.choice.moves import list_corrected, list_pair_moves, list_triple_moves
from controller.coach.choice.sheet_net import CORRECTOR_BIT, TERMINATOR_BIT, THREE_BIT
from controller.coach.net_weights import UNIT
from controller.coach.training.choice_moves import ROLL_CHANCES, MoveTable, mark_sheets, value_moves
from controller.coach.training.self_play import (
    NEVER,
    Batch,
    Report,
    Schedule,
    choose_noisily,
    learn_values,
)
from controller.coach.training.sheet_nets import ChoiceNet
from controller.games.choice.jokers import JOKERS
from controller.games.choice.notation import TOTALS
from controller.games.choice.sheet import FIFTH_BOXES
from controller.games.dice import FACES

GAMES = 96
_SUBSETS = 1 << len(JOKERS)
_ALL = _SUBSETS - 1
_WORTH = 150.0  # Points that an unused joker is worth at first, before anything is learnt.
_WITH_ALL = 0.75  # Share of games that begin with every joker.
_CAREFUL, _CARELESS, _CARELESS_SHARE = 1.0, 25.0, 0.4
_CORRECTED = torch.tensor(list_corrected())


class JokerGames:
    """Games of one player side by side; a new one begins where one ends, or has no joker left."""

    def __init__(self, plain: ChoiceNet, games: int = GAMES) -> None:
        self._plain = plain
        self.marks = torch.zeros(games, len(TOTALS), dtype=torch.long)
        self.fifth = torch.zeros(games, len(FACES), dtype=torch.long)
        self.jokers = _draw_jokers(games)
        self._pairs, self._triples = map(MoveTable, (list_pair_moves(), list_triple_moves()))

    def evaluate(self, net: ChoiceNet) -> tuple[Batch, torch.Tensor]:
        cases = []
        for jokers in range(_SUBSETS):
            given = torch.full_like(self.jokers, jokers)
            cases.append(value_moves(net if jokers else self._plain, self.marks, self.fifth, given))
        pairs, triples, best = [], [], list[torch.Tensor]()
        for jokers, after in enumerate(cases):
            values, self._pair_slots = self._pairs.pick(after, self.fifth)
            pairs.append(values)
            spent, self._triple_slots = self._triples.pick(cases[jokers & ~THREE_BIT], self.fifth)
            triples.append(spent if jokers & THREE_BIT else torch.full_like(spent, NEVER))
            most = torch.maximum(values.amax(2), triples[-1].amax(2))
            if jokers & CORRECTOR_BIT:
                corrected = best[jokers & ~CORRECTOR_BIT][:, _CORRECTED]
                most = torch.maximum(most, corrected.amax(2))
            if jokers & TERMINATOR_BIT:
                thrown = best[jokers & ~TERMINATOR_BIT] @ ROLL_CHANCES
                most = torch.maximum(most, thrown[:, None])
            best.append(most)
        self._pair_values, self._triple_values = torch.stack(pairs), torch.stack(triples)
        self._best = torch.stack(best)
        self._expected = self._best @ ROLL_CHANCES
        games = torch.arange(len(self.jokers))
        return (self.marks, self.fifth, self.jokers), self._expected[self.jokers, games]

    def play_on(self, *, greedy: bool) -> None:
        self.jokers, left = self.jokers.clone(), torch.arange(len(self.jokers))
        self.marks, self.fifth = self.marks.clone(), self.fifth.clone()
        roll = torch.multinomial(ROLL_CHANCES, len(left), replacement=True)
        careless = torch.rand(len(left)) < _CARELESS_SHARE
        spread = torch.where(careless, _CARELESS, _CAREFUL)
        while len(left):
            values = self._list_values(left, roll[left])
            action = values.argmax(1) if greedy else choose_noisily(values, spread[left])
            left = self._act(left, roll, action)
        is_over = (self.fifth >= FIFTH_BOXES).any(1) | (self.jokers == 0)
        self.marks[is_over] = 0
        self.fifth[is_over] = 0
        self.jokers[is_over] = _draw_jokers(int(is_over.sum()))

    def _list_values(self, games: torch.Tensor, roll: torch.Tensor) -> torch.Tensor:
        """Return what each action is worth: pairs, 3:1, corrected rolls, another roll."""
        jokers = self.jokers[games]
        spent = (jokers & ~CORRECTOR_BIT)[:, None]
        corrected = self._best[spent, games[:, None], _CORRECTED[roll]]
        corrected = corrected.masked_fill((jokers & CORRECTOR_BIT == 0)[:, None], NEVER)
        thrown = self._expected[jokers & ~TERMINATOR_BIT, games]
        thrown = thrown.masked_fill(jokers & TERMINATOR_BIT == 0, NEVER)
        moves = [each[jokers, games, roll] for each in (self._pair_values, self._triple_values)]
        return torch.cat([*moves, corrected, thrown[:, None]], 1)

    def _act(self, games: torch.Tensor, roll: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """Carry out actions; change `roll` where jokers do, and return the games that go on."""
        at = 0
        for moves, slots, spent in (
            (self._pairs, self._pair_slots, 0),
            (self._triples, self._triple_slots, THREE_BIT),
        ):
            move, count = action - at, moves.pairs.shape[1]
            chosen = (move >= 0) & (move < count)
            at += count
            who, which = games[chosen], move[chosen]
            pair, slot = moves.pairs[roll[who], which], slots[who, roll[who], which]
            self.marks[who], self.fifth[who] = mark_sheets(
                self.marks[who], self.fifth[who], pair, slot
            )
            self.jokers[who] &= ~spent
        number = action - at
        corrects = (number >= 0) & (number < _CORRECTED.shape[1])
        who = games[corrects]
        roll[who] = _CORRECTED[roll[who], number[corrects]]
        self.jokers[who] &= ~CORRECTOR_BIT
        throws = games[number >= _CORRECTED.shape[1]]
        if len(throws):
            roll[throws] = torch.multinomial(ROLL_CHANCES, len(throws), replacement=True)
            self.jokers[throws] &= ~TERMINATOR_BIT
        return torch.cat([who, throws])


def train_choice_jokers(plain: ChoiceNet, *, steps: int, seed: int, report: Report) -> ChoiceNet:
    """Return a net that has learnt from this many rolls of `GAMES` games; it begins as `plain`."""
    torch.manual_seed(seed)
    net = deepcopy(plain)
    with torch.no_grad():
        for jokers in range(_SUBSETS):
            net.jokers[jokers, -1] += _WORTH / UNIT * jokers.bit_count()
    return learn_values(net, JokerGames(plain), Schedule(steps, rate=1e-3, batch=384), report)


def _draw_jokers(count: int) -> torch.Tensor:
    some = torch.randint(1, _SUBSETS, (count,))
    return torch.where(torch.rand(count) < _WITH_ALL, _ALL, some)
