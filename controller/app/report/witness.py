# SPDX-License-Identifier: MIT
"""
Checkpoints as the screen showed them, so that a photo can be held beside the report.

The code on paper is the one that was on the screen: whoever kept neither can still scan
it here, though only a checkpoint that was kept outside of the table is a witness.
"""

from __future__ import annotations

from controller.app.report.telling import Witness
from controller.app.report.words import Times
from controller.journal.checkpoint import checkpoint_in, checkpoint_text, words_text
from controller.journal.hashchain import Entry
from webui.code import code_svg


def witness_of(entry: Entry, times: Times) -> Witness:
    """
    Return a checkpoint's entry for showing.

    Raises:
        InputError: A field of it is not what it must be.
    """
    checkpoint, _ = checkpoint_in(entry.body, at_ms=entry.at_ms)
    text = checkpoint_text(checkpoint)
    return Witness(
        at=times.clock(entry.at_ms),
        size=checkpoint.size,
        words=words_text(checkpoint.size, checkpoint.root),
        root=checkpoint.root.hex(),
        text=text,
        code=code_svg(text, is_inline=True).decode("ascii"),
    )
