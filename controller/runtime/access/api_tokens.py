# SPDX-License-Identifier: MIT
"""
The tokens of other programs: each has a name, scopes, and a secret that is shown once.

A token is 256 random bits, which cannot be guessed, so a plain digest is enough to keep it: unlike
a PIN it needs no slow hash, which would cost 100 ms a request. A withdrawn token is void at once,
also for streams that are open.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from controller.base.durable_files import PRIVATE, read_json, write_json
from controller.base.errors import InputError, refuse_os_errors
from controller.base.languages.message import message
from controller.games.player_names import compute_look, require_name

FILE_NAME = "tokens.json"
PREFIX = "dicebell"
MOST_TOKENS = 50
USED_EVERY_S = 3600
"""How exactly the disk knows when a token was used: a write for each request would wear it out."""

Scope: TypeAlias = Literal["read", "ask"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""`read`: state, rolls, history and events. `ask`: the requests for dice, and what they read."""


@dataclass(frozen=True, slots=True)
class ApiToken:
    number: str  # Eight hexadecimal digits that name it in the token's text.
    name: str  # Who has it, for people and the journal.
    scopes: tuple[Scope, ...]  # What it may do.
    digest: str  # SHA-256 of its secret, in hexadecimal.
    made_s: int  # When it was made, in seconds since 1970.
    used_s: int = 0  # When it was used last; 0 for never.


class ApiTokens:
    """The tokens of one table, in seconds since 1970; any thread may call every method."""

    def __init__(self, folder: Path, *, wall_s: Callable[[], float] = time.time) -> None:
        self._path = folder / FILE_NAME
        self._wall_s = wall_s
        self._lock = threading.Lock()
        self._tokens: dict[str, ApiToken] = {}
        self._stored_used_s: dict[str, int] = {}

    def load(self) -> None:
        """Read the file, if there is one; InputError if it is not as `ApiTokens` writes it."""
        try:
            found = read_json(self._path)
            tokens = [_parse_token(each) for each in found["tokens"]]
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._refuse_file(error.strerror or str(error)) from error
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise self._refuse_file("other content") from error
        with self._lock:
            self._tokens = {each.number: each for each in tokens}
            self._stored_used_s = {each.number: each.used_s for each in tokens}

    def list_tokens(self) -> tuple[ApiToken, ...]:
        """Return all tokens, the oldest first."""
        with self._lock:
            return tuple(self._tokens.values())

    def make_token(self, name: str, scopes: tuple[str, ...]) -> str:
        """Make a token and return its text, which nothing shows again; InputError if refused."""
        wanted = tuple(scope for scope in SCOPES if scope in scopes)
        if not wanted or len(wanted) != len(set(scopes)):
            expected = message("at least one of {scopes}", scopes=", ".join(SCOPES))
            raise InputError(expected=expected, found=", ".join(scopes) or message("nothing"))
        secret, number = secrets.token_urlsafe(32), secrets.token_hex(4)
        with self._lock:
            made = ApiToken(
                number, self._require_new_name(name), wanted, _digest(secret), int(self._wall_s())
            )
            self._write({**self._tokens, number: made})
        return f"{PREFIX}_{number}_{secret}"

    def withdraw(self, number: str) -> None:
        """Make a token void; InputError if there is none, or the disk refuses."""
        with self._lock:
            if number not in self._tokens:
                raise InputError(expected=message("the number of a token"), found=number)
            self._write({key: each for key, each in self._tokens.items() if key != number})

    def find_token(self, text: str) -> ApiToken | None:
        """Return the token with this text and note that it is used; None if it is not valid."""
        _, number, secret = (*text.split("_", 2), "", "")[:3]
        with self._lock:
            token = self._tokens.get(number) if text.startswith(f"{PREFIX}_") else None
            if token is None or not hmac.compare_digest(token.digest, _digest(secret)):
                return None
            now_s = int(self._wall_s())
            self._tokens[number] = token = replace(token, used_s=now_s)
            if abs(now_s - self._stored_used_s.get(number, 0)) >= USED_EVERY_S:
                self._note_used()
            return token

    def is_valid(self, number: str) -> bool:
        """Return whether the token with this number was not withdrawn."""
        return number in self._tokens

    def _note_used(self) -> None:
        try:
            self._write(self._tokens)
        except InputError:
            # A full disk refuses the note, not the program.
            self._stored_used_s = {each.number: each.used_s for each in self._tokens.values()}

    def _require_new_name(self, name: str) -> str:
        name = require_name(name)
        if any(compute_look(each.name) == compute_look(name) for each in self._tokens.values()):
            expected = message("a name that no other token has")
            raise InputError(expected=expected, found=name)
        if len(self._tokens) >= MOST_TOKENS:
            expected = message("at most {most} tokens", most=MOST_TOKENS)
            raise InputError(expected=expected, found=str(len(self._tokens)))
        return name

    def _write(self, tokens: Mapping[str, ApiToken]) -> None:
        """Replace the file, then the tokens in memory; the lock is held."""
        stored = {"tokens": [asdict(each) for each in tokens.values()]}
        with refuse_os_errors(message("room to keep the tokens"), self._path):
            write_json(self._path, stored, mode=PRIVATE)
        self._tokens = dict(tokens)
        self._stored_used_s = {each.number: each.used_s for each in tokens.values()}

    def _refuse_file(self, found: str) -> InputError:
        expected = "a file written by dicebell; without it all tokens must be made again"
        return InputError(expected=expected, found=found, where=str(self._path))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _parse_token(value: object) -> ApiToken:
    if not isinstance(value, dict):
        raise TypeError("a token is an object")
    scopes = tuple(scope for scope in SCOPES if scope in value["scopes"])
    token = ApiToken(**{**value, "scopes": scopes})
    texts = (token.number, token.name, token.digest)
    numbers = (token.made_s, token.used_s)
    if not scopes or not all(isinstance(each, str) and each for each in texts):
        raise ValueError("a token has a number, a name, a digest and scopes")
    if not all(type(each) is int for each in numbers) or len(bytes.fromhex(token.digest)) != 32:
        raise ValueError("a token has times in seconds and a digest of 32 bytes")
    return token
