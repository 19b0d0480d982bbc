# SPDX-License-Identifier: MIT
"""The measuring of checks: what is measured is a sound journal of the wanted length."""

from __future__ import annotations

from pathlib import Path

from controller.cli.bench_reader.verify import grow, measure_verify
from controller.verify.verify import verify_journal
from tests.controller.verify.journals import places_of, played


def test_games_are_written_again_and_again_as_one_sound_journal(tmp_path: Path) -> None:
    played(tmp_path / "played").write(tmp_path / "played")
    grow(tmp_path / "played", tmp_path / "grown", 100)
    examined = verify_journal(tmp_path / "grown", rereads=False)
    assert places_of(examined) == []
    assert examined.entries == 100
    assert examined.signatures.checkpoints == examined.signatures.signed > 10


def test_entries_and_pictures_a_minute_are_measured() -> None:
    figures = measure_verify(rolls=1, entries=30)
    assert figures["with pictures read again, pictures"] >= 1
    assert figures["without, entries"] == 30
    assert min(figures.values()) > 0
