# SPDX-License-Identifier: MIT
"""Texts become sound files that hold speech."""

from __future__ import annotations

import io
import wave

import numpy as np
import pytest

from controller.base import speech
from controller.base.errors import UnavailableError


@pytest.mark.skipif(not speech.find_speech_program(), reason="no espeak-ng: make installs it")
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_text_is_spoken_into_a_file(language: str) -> None:
    lengths_s = []
    for text in ("3", "3, 3, 5, 1, 6. Ada: minus 200", "--help"):
        with wave.open(io.BytesIO(speech.speak_text(text, language))) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), np.int16)
            lengths_s.append(len(samples) / file.getframerate())
        assert np.abs(samples).max() > 1000, "not silent"
    assert 0.2 < lengths_s[0] < 2 < lengths_s[1] < 10
    assert lengths_s[2] < 3, "an option is read as a text"


def test_a_machine_without_the_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "find_speech_program", lambda: None)
    with pytest.raises(UnavailableError, match="expected espeak-ng for calling aloud"):
        speech.speak_text("nobody spoke this before", "en")
