# SPDX-License-Identifier: MIT
"""Speak a text into a sound file, with espeak-ng if it is installed."""

from __future__ import annotations

import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.base.errors import UnavailableError
from controller.base.languages.message import message

PROGRAM = "espeak-ng"
LONGEST_TEXT = 400
LONGEST_S = 5.0
_WORDS_A_MINUTE = "150"


def find_speech_program() -> str | None:
    """Return the path of espeak-ng; None if it is not installed."""
    return shutil.which(PROGRAM)


@lru_cache(maxsize=16)
def speak_text(text: str, language: str) -> bytes:
    """Return a text, up to `LONGEST_TEXT`, as a WAV file; UnavailableError without espeak-ng."""
    program = find_speech_program()
    if program is None:
        expected = message("{program} for calling aloud", program=PROGRAM)
        raise UnavailableError(expected=expected, found=message("none on this machine"))
    with TemporaryDirectory() as folder:
        wav = Path(folder) / "spoken.wav"
        command = [program, "-v", language, "-s", _WORDS_A_MINUTE, "-w", str(wav), "--stdin"]
        try:
            # The text goes through a pipe: a name that looks like an option stays a name.
            subprocess.run(
                command,
                input=text[:LONGEST_TEXT].encode(),
                capture_output=True,
                timeout=LONGEST_S,
                check=True,
            )
            return wav.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise UnavailableError(expected="speech by espeak-ng", found=str(error)) from error
