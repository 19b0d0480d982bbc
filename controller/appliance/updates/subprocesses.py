# SPDX-License-Identifier: MIT
"""Run other programs and check their exit status."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from controller.base.errors import InputError, refuse_os_errors

LONGEST_ANSWER_S = 300.0


class CommandRunner(Protocol):
    def run(self, words: Sequence[str], *, cwd: Path | None = None) -> None:
        """Run a program to its end and show its output; InputError if it is missing or fails."""

    def ask(self, words: Sequence[str]) -> str | None:
        """Return what a program prints; `None` if it is not there or did not go well."""


class SubprocessRunner:
    def run(self, words: Sequence[str], *, cwd: Path | None = None) -> None:
        with refuse_os_errors(f"{words[0]} to run"):
            # Its output is for people; standard output is reserved for the answer.
            status = subprocess.run(words, cwd=cwd, stdout=sys.stderr, check=False).returncode
        if status:
            expected, found = f"{shlex.join(words)} to succeed", f"exit status {status}"
            raise InputError(expected=expected, found=found)

    def ask(self, words: Sequence[str]) -> str | None:
        try:
            done = subprocess.run(
                words, capture_output=True, text=True, check=False, timeout=LONGEST_ANSWER_S
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None
