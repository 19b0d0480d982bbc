# SPDX-License-Identifier: MIT
"""
Weigh what the nets say of one face into two probabilities: is a die here, and is it read right?

No single witness may veto. Each has a weight that logistic regression gave it on rendered
scenes, and the limits beside the weights were chosen on other scenes so that a believed
misread is as rare as the model card says. Both are in `weights/weighing.json`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from vision.face import Floats
from vision.nets.finder import Proposal
from vision.nets.onnx_net import WEIGHTS, WeightsError

_LEAST = 1e-3  # Probabilities are taken to be this far from 0 and 1 at least; no net knows better.
_WEAK_PIPS = 0.3  # Pips that explain a number less well than this contradict no net that is sure.
_SURE_NET = 0.7  # Probability from which on a net is sure, beside weak pips.
# The same beside spots that explain no number, and how well these explain one at most.
_SURER_NET, _NO_NUMBER = 0.9, 0.05
_LEAST_PIPS = 1e-4
_USUAL_EDGE_PX = 24.0

DIE_FEATURES = ("bias", "finder", "tile net", "opinion", "pips", "size", "body", "thing")
RIGHT_FEATURES = (
    "bias", "tile net", "opinion", "pips", "other pips", "finder", "size", "body", "thing",
)  # fmt: skip
NUMBER_FEATURES = ("bias", "tile net", "opinion", "pips", "other pips", "size")
"""Of `RIGHT_FEATURES` those that say which number it is, and not whether a die is here."""
_FEATURES = {"die": DIE_FEATURES, "right": RIGHT_FEATURES, "number": NUMBER_FEATURES}


# Without slots, because its number is asked for again and again.
@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known about one face."""

    proposal: Proposal
    tile: Floats  # The tile net's probabilities of "no upper face" and 1 to 6, (7,).
    opinion: Floats  # The second opinion's, (7,).
    pips: Floats  # How well each number explains the pips, 0 to 1, (7,).
    has_glare: bool = False  # Whether a lamp's image lies on the face like a pip.

    @cached_property
    def number(self) -> int:
        """The number, 1 to 6, that all three together find likeliest."""
        together = np.log(self.tile + _LEAST) + np.log(self.opinion + _LEAST)
        together += np.log(self.pips + _LEAST)
        return 1 + int(together[1:].argmax())

    @property
    def agree(self) -> bool:
        """
        Whether a net finds this number likeliest, and no witness finds another one likelier.

        To find no number is no contradiction, and weak pips do not contradict two sure nets. Beside
        spots that explain no number at all, as seven of a clear die do, both must be surer. But if
        a lamp's image may be taken for a pip, the pips without it must give the number.
        """
        number, counted = self.number, int(self.pips.argmax())
        named = [int(one.argmax()) for one in (self.tile, self.opinion)]
        if number not in named or any(one not in (0, number) for one in named):
            return False
        sure = min(float(self.tile[number]), float(self.opinion[number]))
        best = float(self.pips.max())
        if best < _NO_NUMBER and sure < _SURER_NET:
            return False
        if counted == number or self.has_glare:
            return counted == number
        return counted == 0 or (best < _WEAK_PIPS and sure > _SURE_NET)

    def die_features(self) -> Floats:
        """Return what speaks for a die here, as `DIE_FEATURES` names it."""
        nets = [logit(1.0 - float(one[0])) for one in (self.tile, self.opinion)]
        pips = np.log(float(self.pips[1:].max()) + _LEAST_PIPS)
        return np.array([1.0, logit(self.proposal.likeness), *nets, pips, *self._last_features()])

    def right_features(self) -> Floats:
        """Return what speaks for the likeliest number, as `RIGHT_FEATURES` names it."""
        number = self.number
        nets = [logit(float(one[number])) for one in (self.tile, self.opinion)]
        others = np.delete(self.pips, (0, number))
        pips = [np.log(float(one) + _LEAST_PIPS) for one in (self.pips[number], others.max())]
        found = logit(self.proposal.likeness)
        return np.array([1.0, *nets, *pips, found, *self._last_features()])

    def number_features(self) -> Floats:
        """Return what speaks for the likeliest number, as `NUMBER_FEATURES` names it."""
        named = dict(zip(RIGHT_FEATURES, self.right_features(), strict=True))
        return np.array([named[name] for name in NUMBER_FEATURES])

    def _last_features(self) -> tuple[float, float, float]:
        """Return the size, the body and the thing; above a usual size nothing changes."""
        size = min(0.0, float(np.log(self.proposal.edge_px / _USUAL_EDGE_PX)))
        return size, logit(self.proposal.die), logit(self.proposal.thing)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the evidence amounts to."""

    number: int  # The likeliest number, 1 to 6.
    die: float  # Probability that a die's upper face is here.
    right: float  # Probability that it shows this number.


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weights of the witnesses, and the limits that decide."""

    die_weights: tuple[float, ...]  # One for each of `DIE_FEATURES`.
    right_weights: tuple[float, ...]  # One for each of `RIGHT_FEATURES`.
    number_weights: tuple[float, ...]  # One for each of `NUMBER_FEATURES`.
    least_right: float  # Probability from which on it is read, if the count is unknown.
    least_right_told: float  # The same if it is known: a stray that is read makes one die too many.
    least_number: float  # The same of the number alone, where the table knows that a die lies.
    least_die: float  # From this on an unread face is a doubt, if the count is unknown.
    least_die_missing: float  # The same if the count is known and dice are missing.
    least_die_met: float  # The same if it is known and as many dice are read.
    most_odd: float  # Probability of a cocked, stacked or hidden die up to which it is read.

    @classmethod
    def load(cls, path: Path = WEIGHTS / "weighing.json") -> Weighing:
        """
        Load weights and limits.

        Raises:
            WeightsError: There is no such file, or something else is in it.
        """
        try:
            values: dict[str, Any] = json.loads(path.read_bytes())
            weights = [tuple(map(float, values[f"{name}_weights"])) for name in _FEATURES]
            limits = [float(values[field.name]) for field in fields(cls)[len(weights) :]]
            weighing = cls(weights[0], weights[1], weights[2], *limits)
        except FileNotFoundError as error:
            raise WeightsError(path, "no such file") from error
        except (ValueError, TypeError, KeyError) as error:
            raise WeightsError(path, "a file that holds no weights") from error
        if list(map(len, weights)) != list(map(len, _FEATURES.values())):
            raise WeightsError(path, "another number of weights")
        return weighing

    def least_right_for(self, expect: int | None) -> float:
        """Return the probability from which on a number is read, for a number of expected dice."""
        return self.least_right if expect is None else self.least_right_told

    def weigh_number(self, evidence: Evidence) -> float:
        """
        Return the probability that a die which is known to be here shows its number.

        No weak pips are overruled here: where a cut is off, both nets may see the same error.
        """
        if not evidence.agree or int(evidence.pips.argmax()) != evidence.number:
            return 0.0
        return _share(float(evidence.number_features() @ self.number_weights))

    def weigh(self, evidence: Evidence) -> Verdict:
        """Return what the evidence on one face amounts to; a contradiction is never right."""
        return Verdict(
            number=evidence.number,
            die=_share(float(evidence.die_features() @ self.die_weights)),
            right=_share(float(evidence.right_features() @ self.right_weights))
            if evidence.agree
            else 0.0,
        )


START = Weighing(
    die_weights=(-2.0, 0.5, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0),
    right_weights=(-2.0, 0.5, 0.5, 0.5, -0.2, 0.0, 0.0, 0.0, 0.0),
    number_weights=(0.0, 0.5, 0.5, 0.5, -0.2, 0.0),
    least_right=0.98,
    least_right_told=0.95,
    least_number=0.99,
    least_die=0.1,
    least_die_missing=0.2,
    least_die_met=0.5,
    most_odd=0.9,
)
"""What the witnesses weigh before anything is fitted."""


def logit(share: float) -> float:
    """Return the log odds of a probability, which is kept off 0 and 1."""
    share = min(max(share, _LEAST), 1.0 - _LEAST)
    return float(np.log(share / (1.0 - share)))


def _share(log_odds: float) -> float:
    return float(0.5 * (1.0 + np.tanh(0.5 * log_odds)))
