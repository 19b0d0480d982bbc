# SPDX-License-Identifier: MIT
"""
Random games as the twin plays them, and random mischief beside them.

What is legal is told by the twin alone, so that neither a legal event that the product
does not know nor one that it should not know stays unseen.
"""

from __future__ import annotations

import random
import re

from tests.support.twin.table import Record, Twin

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fritz")

# Each game is played with a liking for some actions, to come to its rarer parts as well.
LIKINGS = ("", "terminator|corrector|3:1", "throw|hold", r"stop|\w+\*|\d")
EAGERNESS = 0.7

# And with dice that fall on any face, more often than with others.
FALLS = ("123456", "123456", "123456", "2356", "134", "26", "3")

_SIGNS = "0123456789+-*/> :wbholdstp"


def some_header(game: str, chance: random.Random, options: Record, most: int) -> Record:
    """Return the header of a game with anything from the fewest to this many players."""
    fewest = 2 if game == "black-n-white" else 1
    count = chance.randint(fewest, most)
    return {"record": 1, "game": game, "players": [*NAMES[:count]], "options": options}


def some_event(twin: Twin, liking: str, chance: random.Random) -> Record:
    """Return a legal event; the game must not be over."""
    rolls = [{"by": name, "roll": twin.some_roll(name, chance)} for name in twin.may_roll()]
    acts = [{"by": name, "do": text} for name in twin.players for text in twin.may_do(name)]
    if liking and chance.random() < EAGERNESS:
        acts = [act for act in acts if re.match(liking, act["do"])] or acts
    # Rolls are few beside actions: who owes one may bring it early or late.
    return chance.choice(rolls if rolls and (not acts or chance.random() < 0.3) else acts)


def some_mischief(twin: Twin, chance: random.Random, seen: list[Record]) -> Record:
    """Return an event that is probably not legal now; those seen before are a help."""
    expects = twin.expects()
    rolls = [twin.some_roll(name, chance) for name in twin.players]
    texts = [text for actions in expects["do"].values() for text in actions]
    old = chance.choice(seen) if seen else {"by": "", "do": ""}
    by = chance.choice((*twin.players, *twin.players, "Zoe", ""))
    if chance.random() < 0.5:
        roll = chance.choice((*rolls, old.get("roll", "")))
        return {"by": by, "roll": _maybe_mutated(roll, chance)}
    text = chance.choice((*texts, *texts, old.get("do", ""), *rolls))
    return {"by": by, "do": _maybe_mutated(text, chance)}


def _maybe_mutated(text: str, chance: random.Random) -> str:
    """Change a sign, leave one out, put one in, swap two; or nothing."""
    place = chance.randrange(len(text) + 1)
    before, here, after = text[:place], text[place : place + 1], text[place + 1 :]
    sign = chance.choice(_SIGNS)
    mutants = (
        before + sign + after,
        before + after,
        before + sign + here + after,
        before + after[:1] + here + after[1:],
        text.upper(),
        text + " ",
    )
    return chance.choice((text, text, *mutants))
