# SPDX-License-Identifier: MIT
from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from controller.base.errors import UnavailableError
from webui.tournament.loop_answers import LoopAnswers


def test_answers_that_come_together_wake_the_loop_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait_for_all() -> tuple[list[int], int]:
        loop, answers = asyncio.get_running_loop(), LoopAnswers()
        calls: list[Callable[[], None]] = []
        wake = loop.call_soon_threadsafe

        def note_call(call: Callable[[], None]) -> None:
            calls.append(call)
            wake(call)

        monkeypatch.setattr(loop, "call_soon_threadsafe", note_call)
        futures: list[Future[int]] = [Future() for _ in range(3)]

        def answer() -> None:
            for number, future in enumerate(futures):
                future.set_result(number)

        tasks = [asyncio.create_task(answers.wait(future)) for future in futures]
        await asyncio.sleep(0)
        thread = threading.Thread(target=answer)
        thread.start()
        thread.join()  # The loop stands still meanwhile.
        return await asyncio.gather(*tasks), len(calls)

    assert asyncio.run(wait_for_all()) == ([0, 1, 2], 1)


def test_an_error_is_raised_where_it_is_waited_for() -> None:
    async def wait() -> None:
        future: Future[int] = Future()
        future.set_exception(UnavailableError(expected="a database", found="none"))
        await LoopAnswers().wait(future)

    with pytest.raises(UnavailableError):
        asyncio.run(wait())


def test_an_answer_to_who_has_gone_is_dropped() -> None:
    async def leave() -> int:
        answers, gone, there = LoopAnswers(), Future[int](), Future[int]()
        task = asyncio.create_task(answers.wait(gone))
        await asyncio.sleep(0)
        task.cancel()
        gone.set_result(1)
        there.set_result(2)
        return await answers.wait(there)

    assert asyncio.run(leave()) == 2
