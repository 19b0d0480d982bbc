# SPDX-License-Identifier: MIT
"""An event that runs is published into a folder, as a whole or not at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.base.errors import InputError
from controller.tournament.entries.player_entries import PlayerJoined, SectionNamed, TeamNamed
from controller.tournament.results.publisher import EventPublisher
from controller.tournament.server.event_runner import EventRunner
from tests.support.running_event import run_event
from tests.support.sending_table import wait_for
from webui.tournament.public.snapshot_routes import render_public_pages

WAIT_S = 30.0
JSON_FILES = ("event.json", "standings.json", "rolls.json")


@contextmanager
def publish(runner: EventRunner, folder: Path, delay_s: float = 0.0) -> Iterator[EventPublisher]:
    publisher = EventPublisher(runner, render_public_pages, delay_s, folder)
    publisher.start()
    try:
        yield publisher
    finally:
        publisher.close()


def read_rows(folder: Path) -> list[str]:
    file = folder / "standings.json"
    return [row["name"] for row in json.loads(file.read_text())["rows"]] if file.exists() else []


def read_page(folder: Path) -> str:
    file = folder / "index.html"
    return file.read_text() if file.exists() else ""


def test_folder_follows_the_event_and_survives_a_restart(tmp_path: Path) -> None:
    public = tmp_path / "public"
    with run_event(tmp_path) as event, publish(event.runner, public):
        event.begin(name="Cup", games=2)
        event.write(PlayerJoined(1, "Ada <b>", "a" * 64))
        wait_for(lambda: read_rows(public) == ["Ada <b>"])
        wait_for(lambda: "Ada &lt;b&gt;" in read_page(public))
        event.write(SectionNamed(1, "Juniors", "Olga"))
        event.write(TeamNamed(1, "Owls", "Olga"))
        wait_for(
            lambda: "<small>place 1 in Juniors</small><small>Owls</small>" in read_page(public)
        )
        assert "<td>1.</td><td>Owls</td>" in read_page(public)
        names = {"index.html", "index.de.html", "live.js", *JSON_FILES}
        wait_for(lambda: {file.name for file in public.iterdir()} == names)
        before = (public / "standings.json").read_bytes()
    with run_event(tmp_path) as event, publish(event.runner, public) as publisher:
        wait_for(lambda: publisher.files)
        # The first files after a start are of the whole event, and equal to the last ones.
        assert (public / "standings.json").read_bytes() == before
        assert publisher.files["standings.json"].content == before


def test_nothing_is_public_before_it_is_old_enough(tmp_path: Path) -> None:
    public = tmp_path / "public"
    with run_event(tmp_path) as event, publish(event.runner, public, 3600.0) as publisher:
        made = threading.Event()
        event.runner.listen(made.set)
        event.begin(name="Cup")
        assert made.wait(WAIT_S)
        wait_for(lambda: publisher._delayed.find_wait_s(0.0) is not None)
        assert publisher.files == {}
        assert list(public.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with run_event(tmp_path) as event, pytest.raises(InputError, match="can be written, found"):
        EventPublisher(event.runner, render_public_pages, 0.0, tmp_path / "file" / "public")


def test_a_folder_that_was_away_is_written_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    public = tmp_path / "public"
    with run_event(tmp_path) as event, publish(event.runner, public):
        wait_for(lambda: (public / "index.de.html").exists())
        public.rename(tmp_path / "moved")
        event.begin(name="Cup")
        wait_for(lambda: "cannot be written" in caplog.text)
        (tmp_path / "moved").rename(public)
        wait_for(lambda: json.loads((public / "event.json").read_text())["event"])
    assert caplog.text.count("cannot be written") == 1
