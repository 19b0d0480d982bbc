# SPDX-License-Identifier: MIT
"""
Enrolment: a code that both sides know vouches for the keys of both.

The code itself is never sent. The table proves that it knows it with a MAC over its key, and the
answer proves it with a MAC over both keys. So neither side takes a key from somebody in between,
also without TLS. A code has 60 bits, which no record of an enrolment lets anybody search. It
follows from the key of the event and a number, so it lies in no file and no database.
"""

from __future__ import annotations

import hashlib
import hmac

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.journal.signing_key import TableKey

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O and U, which are mistaken for digits or each other."""
CODE_LETTERS, GROUP_LETTERS = 12, 4

_MISTAKEN = str.maketrans({"O": "0", "I": "1", "L": "1"})


def derive_code(key: TableKey, number: int) -> str:
    """
    Return a code of an event, such as 7QMX-2P4D-9FHC.

    Args:
        key: The event's. An Ed25519 signature is the same each time, and only its key makes it.
        number: How many codes came before.
    """
    digest = hashlib.sha256(key.sign(f"dicebell enrolment code {number}".encode())).digest()
    letters = "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:CODE_LETTERS])
    starts = range(0, CODE_LETTERS, GROUP_LETTERS)
    return "-".join(letters[start : start + GROUP_LETTERS] for start in starts)


def normalize_code(text: str) -> str:
    """Return a typed code in capitals, without spaces and dashes; InputError if it is none."""
    letters = "".join(text.upper().split()).replace("-", "").translate(_MISTAKEN)
    if len(letters) != CODE_LETTERS or not set(letters) <= set(ALPHABET):
        expected = message("a code of {count} letters and digits", count=CODE_LETTERS)
        raise InputError(expected=expected, found=repr(text[:40]))
    return letters


def prove_table(code: str, table: str) -> str:
    """Return the proof that the table with this key knows the code."""
    return _prove(code, f"dicebell enrolment 1 table {table}")


def prove_server(code: str, table: str, server: str) -> str:
    """Return the proof that the server with this key knows the code that this table used."""
    return _prove(code, f"dicebell enrolment 1 server {server} {table}")


def is_proof(given: object, proof: str) -> bool:
    """Return whether a proof from outside is the right one."""
    return isinstance(given, str) and hmac.compare_digest(given.encode(), proof.encode())


def _prove(code: str, what: str) -> str:
    return hmac.digest(normalize_code(code).encode(), what.encode(), "sha256").hex()
