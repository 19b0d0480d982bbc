# SPDX-License-Identifier: MIT
"""An account as JSON, as `dicebell analyse --json` prints it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from controller.coach.account import ChoiceCost, GameAccount, PlayerAccount, RollAccount

_DIGITS = 6  # Far below the error of any coach.


def encode_account(account: GameAccount) -> dict[str, Any]:
    """Return an account as plain values; `docs/coach.md` has the keys."""
    encoded: dict[str, Any] = _round(asdict(account))
    for seat, (shown, player) in enumerate(zip(encoded["players"], account.players, strict=True)):
        shown |= _round({"play": player.play, "adjusted": player.adjusted})
        dearest = account.list_dearest(seat)
        shown["dearest"] = [account.choices.index(choice) for choice in dearest]
    return encoded


def decode_account(encoded: Mapping[str, Any]) -> GameAccount:
    """Return the account that `encode_account` wrote; KeyError, TypeError for anything else."""
    lists = {
        "players": tuple(map(decode_player, encoded["players"])),
        "rolls": tuple(_decode(RollAccount, one) for one in encoded["rolls"]),
        "choices": tuple(_decode(ChoiceCost, one) for one in encoded["choices"]),
    }
    account: GameAccount = _decode(GameAccount, {**encoded, **lists})
    return account


def decode_player(encoded: Mapping[str, Any]) -> PlayerAccount:
    """Return one player of an encoded account; KeyError if it is none."""
    player: PlayerAccount = _decode(PlayerAccount, encoded)
    return player


def _decode(kind: type[Any], encoded: Mapping[str, Any]) -> Any:
    values = {field.name: encoded[field.name] for field in fields(kind)}
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})


def _round(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, Mapping):
        return {key: _round(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_round(item) for item in value]
    return value
