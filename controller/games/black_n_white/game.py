# SPDX-License-Identifier: MIT
"""Black'n'White as the registry knows it: how it starts, how it writes dice, and its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.black_n_white.notation import dice_texts, die_text, parse_result, result_text
from controller.games.black_n_white.round import Round
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.black_n_white.screen import BlackNWhiteUI
from controller.games.contract import OptionRule, Options, require_options, require_players
from controller.games.dice import make_roll
from controller.games.game import Game
from controller.games.ui import GameUI


class BlackNWhiteGame(Game):
    """Black'n'White by the booklet; more chips than its two a player make a longer game."""

    key = "black-n-white"
    title = message("Black'n'White")
    options: Mapping[str, OptionRule] = {
        "chips_per_player": OptionRule(message("Chips per player"), (1, 2, 3, 4, 5), 2)
    }
    players_range: tuple[int, int | None] = (2, 5)
    chooses_together = False
    polarities = ("light", "dark")
    ui: GameUI[Any] = BlackNWhiteUI()

    def start(self, players: Sequence[str], options: Options) -> BlackNWhiteState:
        fewest, most = self.players_range
        names = require_players(players, fewest=fewest, most=most)
        chips = int(require_options(options, self.options)["chips_per_player"])
        if chips < 1:
            raise InputError(
                expected=message("a whole number from 1"),
                found=str(chips),
                where="chips_per_player",
            )
        count = len(names)
        return BlackNWhiteState(
            players=names,
            chips_per_player=chips,
            middle=chips * count,
            chips=(0,) * count,
            round=1,
            played=Round(tuple(range(count))),
        )

    def die_text(self, face: int, polarity: str) -> str:
        return die_text(face, polarity)

    def parse_roll(self, text: str) -> tuple[str, ...]:
        return dice_texts(parse_result(text))

    def roll_text(self, faces: Sequence[int], polarities: Sequence[str]) -> str:
        if len(faces) != len(polarities) or sorted(polarities) != sorted(self.polarities):
            found = ", ".join(polarities) or message("no dice")
            raise InputError(expected=message("one light and one dark die"), found=found)
        face_of = dict(zip(polarities, faces, strict=True))
        make_roll(faces)
        return result_text((face_of["light"], face_of["dark"]))


BLACK_N_WHITE = BlackNWhiteGame()
