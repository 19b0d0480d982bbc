# SPDX-License-Identifier: MIT
"""
Hand the results of other threads to the event loop.

The store answers all requests of one commit at once. Waking the event loop for each of them costs
more than the answer, so those that come together wake it once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")


class LoopAnswers:
    """The futures for which one event loop waits."""

    def __init__(self) -> None:
        self._done: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._is_woken = False

    async def wait(self, future: Future[ResultT]) -> ResultT:
        """Return the result of a future, or raise its error; it goes on if this is cancelled."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[ResultT] = loop.create_future()
        future.add_done_callback(partial(self._note_done, loop, waiting))
        return await waiting

    def _note_done(
        self, loop: asyncio.AbstractEventLoop, waiting: asyncio.Future[Any], future: Future[Any]
    ) -> None:
        self._done.append((waiting, future))
        # `_answer` looks for futures only after it has taken this back, so none is forgotten.
        if not self._is_woken:
            self._is_woken = True
            loop.call_soon_threadsafe(self._answer)

    def _answer(self) -> None:
        self._is_woken = False
        while self._done:
            waiting, future = self._done.popleft()
            if waiting.done():
                continue
            if future.cancelled():
                waiting.cancel()
            elif (error := future.exception()) is None:
                waiting.set_result(future.result())
            else:
                waiting.set_exception(error)
