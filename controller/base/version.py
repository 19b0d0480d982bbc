# SPDX-License-Identifier: MIT
"""The version of this program; every command says it, so this loads nothing else."""

from __future__ import annotations

from importlib.metadata import version


def program_version() -> str:
    return f"dicebell {version('dicebell')}"
