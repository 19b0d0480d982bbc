# SPDX-License-Identifier: MIT
"""Processes that render and read beside each other."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def open_pool(cores: int) -> ProcessPoolExecutor:
    """Return a pool of processes; one that is forked off a process with threads may hang."""
    return ProcessPoolExecutor(cores, mp_context=get_context("spawn"))
