# SPDX-License-Identifier: MIT
"""
Which pictures and clips an entry names, and which it calls deleted.

A journal may come from anybody. What stands in it where a digest belongs is one or it is
nothing: no path is ever made of anything else.
"""

from __future__ import annotations

import re
from typing import TypeGuard

from controller.journal.hashchain import Body, Entry

DELETED = "deleted"
"""The kind of the entries that call pictures and clips deleted."""

REFERENCE_KEYS = ("picture", "clip")
"""The keys under which entries name what is stored."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


def is_digest(text: object) -> TypeGuard[str]:
    """Tell whether this is a SHA-256 in the one spelling under which files are stored."""
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None


def list_references(body: Body) -> tuple[str, ...]:
    """Return the digests of the picture and of the clip that an entry names."""
    return tuple(filter(is_digest, map(body.get, REFERENCE_KEYS)))


def list_deleted(entry: Entry) -> tuple[str, ...]:
    """Return the digests that an entry calls deleted; none for one of another kind."""
    digests = entry.body.get("pictures") if entry.kind == DELETED else ()
    return tuple(filter(is_digest, digests if isinstance(digests, list | tuple) else ()))
