# SPDX-License-Identifier: MIT
"""
Random numbers that follow from the faces of real dice, the same in every language.

The generator is SHA-256 in counter mode, so anybody can repeat a draw with what every language has.
docs/draws.md has test values.
"""

from __future__ import annotations

import hashlib
from typing import TypeVar

_T = TypeVar("_T")

_WORD_BYTES = 8
_WORDS = 1 << 64


class DiceRandom:
    """
    The random numbers of one draw.

    Args:
        faces: The faces of the dice that seed the draw, such as `13446`.
        round: The number of the round, so that equal faces give other draws in other rounds.
    """

    def __init__(self, faces: str, round: int) -> None:
        self._key = hashlib.sha256(f"dicebell draw 1\n{faces}\n{round}\n".encode()).digest()
        self._blocks = 0
        self._words: list[int] = []

    def next_below(self, limit: int) -> int:
        """Return a number from 0 to below the limit; all are equally likely."""
        bound = _WORDS - _WORDS % limit
        while (word := self._next_word()) >= bound:
            pass
        return word % limit

    def shuffle(self, values: list[_T]) -> None:
        """Shuffle a list in its own memory: from the last value down, each with one up to it."""
        for index in range(len(values) - 1, 0, -1):
            other = self.next_below(index + 1)
            values[index], values[other] = values[other], values[index]

    def _next_word(self) -> int:
        if not self._words:
            counter = self._blocks.to_bytes(_WORD_BYTES, "big")
            block = hashlib.sha256(self._key + counter).digest()
            self._blocks += 1
            self._words = [
                int.from_bytes(block[start : start + _WORD_BYTES], "big")
                for start in range(len(block) - _WORD_BYTES, -1, -_WORD_BYTES)
            ]
        return self._words.pop()
