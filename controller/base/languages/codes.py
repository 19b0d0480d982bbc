# SPDX-License-Identifier: MIT
"""Which languages there are. Settings need only this, so no command loads Babel for it."""

from __future__ import annotations

from pathlib import Path

ENGLISH = "en"
AUTO = "auto"  # Not a language: that of each browser, and English where there is none.
FOLDER = Path(__file__).parent


def list_languages() -> tuple[str, ...]:
    """Return the codes of all languages, English first."""
    return (ENGLISH, *sorted(file.stem for file in FOLDER.glob("*.po")))
