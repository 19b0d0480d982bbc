# SPDX-License-Identifier: MIT
"""Check the voice that calls rolls aloud, if it shall."""

from __future__ import annotations

from collections.abc import Iterator

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok
from controller.base.languages.message import message
from controller.base.speech import PROGRAM, find_speech_program

SPEECH = "speech"


def check_speech(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Look for the program that speaks where a browser has no voice of its own."""
    if not context.settings.sound.call_aloud:
        yield ok(SPEECH, message("rolls are not called aloud"))
        return
    if program := find_speech_program():
        yield ok(SPEECH, message("rolls are called aloud with {program}", program=program))
    else:
        yield note(
            SPEECH,
            message("only a browser with a voice of its own calls rolls aloud"),
            message("for all others: sudo apt install {program}", program=PROGRAM),
        )
