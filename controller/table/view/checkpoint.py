# SPDX-License-Identifier: MIT
"""What a screen shows of the newest checkpoint: words to note, and the text of its code."""

from __future__ import annotations

from controller.journal.checkpoint import Checkpoint, checkpoint_text, words_of
from controller.table.view.shape import CheckpointView


def checkpoint_view(checkpoint: Checkpoint) -> CheckpointView:
    """Return a checkpoint as screens show it."""
    return {
        "size": checkpoint.size,
        "words": list(words_of(checkpoint.size, checkpoint.root)),
        "text": checkpoint_text(checkpoint),
    }
