# SPDX-License-Identifier: MIT
"""
Which pictures and clips an entry refers to, and which it marks as deleted.

A journal may come from anyone. Only a valid digest counts, and no path is ever made of
anything else.
"""

from __future__ import annotations

import json
import re
from typing import TypeGuard

from controller.journal.hashchain import Body, Entry

DELETED = "deleted"  # The kind of the entries that mark pictures and clips as deleted.

REFERENCE_KEYS = ("background", "picture", "clip")
"""The keys of an entry that hold digests of stored files; what a picture is compared with first."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


def is_digest(text: object) -> TypeGuard[str]:
    """Return whether this is a SHA-256 in the spelling of stored files."""
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None


def list_references(body: Body) -> tuple[str, ...]:
    """Return the digests of the files that an entry refers to."""
    return tuple(filter(is_digest, map(body.get, REFERENCE_KEYS)))


def list_deleted(entry: Entry) -> tuple[str, ...]:
    digests = entry.body.get("pictures") if entry.kind == DELETED else ()
    return tuple(filter(is_digest, digests if isinstance(digests, list | tuple) else ()))


def list_taught(body: Body) -> tuple[str, ...]:
    """Return the digests of the pictures that a table was taught by; no other entry has them."""
    try:
        learnt = json.loads(str(body.get("table_model")))
    except (ValueError, RecursionError):
        return ()
    taught = learnt.get("taught") if isinstance(learnt, dict) else ()
    lessons = taught if isinstance(taught, list) else ()
    return tuple(
        filter(is_digest, (one.get("picture") for one in lessons if isinstance(one, dict)))
    )
