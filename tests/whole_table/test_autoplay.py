# SPDX-License-Identifier: MIT
"""Twenty whole games through camera, reading, table and journal, held against the truth."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from controller.proof.journal import read_journal
from controller.table.effects import Body

GAMES = 20


def record_of(game: list[tuple[str, Body]]) -> list[str]:
    """Return a game of the journal as the lines of a record."""
    _, start = game[0]
    lines = [{"record": 1, **{key: start[key] for key in ("game", "players", "options")}}]
    for kind, body in game[1:]:
        if kind == "roll":
            lines.append({"by": body["by"], "roll": body["roll"]})
        elif kind == "action":
            lines.append({"by": body["by"], "do": body["do"]})
    return [json.dumps(line) for line in lines]


def test_twenty_games_are_played_without_one_wrong_roll(tmp_path: Path) -> None:
    data = tmp_path / "data"
    command = [sys.executable, "-m", "controller.app.main", "demo", "--no-web", "--seed", "7"]
    command += ["--data", str(data), "--autoplay", str(GAMES)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"(\d+) games, (\d+) rolls read from pixels: (\d+) wrong", done.stdout)
    assert found, done.stdout
    games, rolls, wrong = (int(number) for number in found.groups())
    assert (games, wrong) == (GAMES, 0)
    entries = [(entry.kind, entry.body) for entry in read_journal(data).entries]
    assert [kind for kind, _ in entries].count("roll") == rolls
    starts = [place for place, (kind, _) in enumerate(entries) if kind == "game"]
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(entries)], strict=True)):
        game = entries[start:end]
        (result,) = [body["result"] for _, body in game if "result" in body]
        assert isinstance(result, dict)
        record = tmp_path / f"{number}.jsonl"
        record.write_text("\n".join(record_of(game)) + "\n")
        assert replayed(record)["totals"] == result["totals"]


def replayed(record: Path) -> dict[str, object]:
    command = [sys.executable, "-m", "controller.app.main", "replay", "--json", str(record)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer
