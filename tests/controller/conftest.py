# SPDX-License-Identifier: MIT
"""The command line without a process for every command: what it sets for one is put back."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from controller.cli.main import main
from tests.support.own_logs import logs_as_before

ENDING = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it told."""

    status: int
    output: str
    complaint: str


Dicebell = Callable[..., Done]


@pytest.fixture
def dicebell(capsys: pytest.CaptureFixture[str]) -> Iterator[Dicebell]:
    """Run a command to its end."""

    def run(*arguments: str) -> Done:
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
        return Done(status, *capsys.readouterr())

    handlers = {number: signal.getsignal(number) for number in ENDING}
    hook = threading.excepthook
    with logs_as_before():
        yield run
    threading.excepthook = hook
    for number, handler in handlers.items():
        signal.signal(number, handler)
