# SPDX-License-Identifier: MIT
"""Files of games are made one at a time by another program, and kept while they are right."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from controller.history.replays.downloads import (
    FILES_FOLDER,
    MOST_KEPT,
    MOST_WAITING,
    DownloadKind,
    DownloadRequest,
    DownloadState,
    GameDownloads,
)
from controller.journal.picture_store import PictureStore
from tests.support.proven_game import proven_game

PATIENCE_S = 60.0
REPORT = DownloadRequest(DownloadKind.REPORT, 1, "en", "link", ())


class Program:
    """Writes the files, each only when the test lets it."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.running = self.most_running = 0
        self.may_end = threading.Semaphore(0)
        self.ended = threading.Semaphore(0)
        self.status = 0

    def run(self, arguments: list[str]) -> tuple[int, str]:
        self.asked.append(arguments)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        assert self.may_end.acquire(timeout=PATIENCE_S)
        self.running -= 1
        if not self.status:
            Path(arguments[arguments.index("--output") + 1]).write_text(f"file {len(self.asked)}")
        self.ended.release()
        return self.status, "dicebell report: no such game"

    def finish(self, count: int = 1) -> None:
        for _ in range(count):
            self.may_end.release()
            assert self.ended.acquire(timeout=PATIENCE_S)


def wait_until_made(downloads: GameDownloads, request: DownloadRequest) -> str:
    """Ask like a browser until the file is there."""
    while (found := downloads.ask(request)).state is DownloadState.WAITING:
        threading.Event().wait(0.01)
    assert found.state is DownloadState.READY
    assert found.path is not None
    return found.path.read_text()


def test_files_are_made_one_after_the_other_and_kept(tmp_path: Path) -> None:
    program = Program()
    downloads = GameDownloads(tmp_path, program.run)
    requests = [replace(REPORT, number=number) for number in range(1, MOST_WAITING + 1)]
    for request in [*requests, *requests]:
        assert downloads.ask(request).state is DownloadState.WAITING
    assert downloads.ask(replace(REPORT, number=99)).state is DownloadState.REFUSED
    program.finish(len(requests))
    for place, request in enumerate(requests, start=1):
        assert wait_until_made(downloads, request) == f"file {place}"
    assert program.most_running == 1
    assert len(program.asked) == len(requests)


def test_a_file_is_made_again_if_its_game_or_its_pictures_change(tmp_path: Path) -> None:
    program, store = Program(), PictureStore(tmp_path)
    downloads = GameDownloads(tmp_path, program.run)
    digest = store.store(b"a picture")
    request = replace(REPORT, pictures=(digest,), players=("Ada", "Ben"))
    changes = [
        request,
        replace(request, content="another link"),
        replace(request, players=("Ada", "Player 2")),
    ]
    for changed in [*changes, request]:
        if changed is request and program.asked:
            store.delete(digest)
        assert downloads.ask(changed).state is DownloadState.WAITING
        program.finish()
        assert wait_until_made(downloads, changed) == f"file {len(program.asked)}"
    # The report with the picture that was deleted has gone with it.
    assert len(list((tmp_path / FILES_FOLDER).iterdir())) == 1


def test_only_the_newest_files_are_kept(tmp_path: Path) -> None:
    program = Program()
    downloads = GameDownloads(tmp_path, program.run)
    for number in range(1, MOST_KEPT + 3):
        request = replace(REPORT, number=number)
        downloads.ask(request)
        program.finish()
        wait_until_made(downloads, request)
    assert len(list((tmp_path / FILES_FOLDER).iterdir())) == MOST_KEPT


def test_a_failure_is_told_once_and_tried_again(tmp_path: Path) -> None:
    program = Program()
    program.status = 2
    downloads = GameDownloads(tmp_path, program.run)
    downloads.ask(REPORT)
    program.finish()
    while (found := downloads.ask(REPORT)).state is DownloadState.WAITING:
        threading.Event().wait(0.01)
    assert found.state is DownloadState.FAILED
    assert found.why == "dicebell report: no such game"
    program.status = 0
    assert downloads.ask(REPORT).state is DownloadState.WAITING
    program.finish()
    wait_until_made(downloads, REPORT)


def test_the_real_program_makes_the_file(tmp_path: Path) -> None:
    game = proven_game(tmp_path / "data", names=("Ada", "Ben"), events=4)
    downloads = GameDownloads(game.folder)
    request = replace(REPORT, language="de", pictures=game.pictures, players=("Anna", "Ben"))
    text = wait_until_made(downloads, request)
    assert '<html lang="de">' in text
    assert "Anna" in text
    assert "Ada" not in text
