# SPDX-License-Identifier: MIT
"""Logs set up by the product for its process, which in a test is everybody's."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from controller.base.logs import NAME


@contextmanager
def logs_as_before() -> Iterator[None]:
    root, own = logging.getLogger(), logging.getLogger(NAME)
    handlers, level, own_level = root.handlers[:], root.level, own.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    own.setLevel(own_level)
    logging.captureWarnings(False)
