# SPDX-License-Identifier: MIT
"""A pool's processes are new ones, so threads of this one can't block them."""

from __future__ import annotations

from vision.training.processes import open_pool

_STATE = {"is_forked": False}


def _is_forked() -> bool:
    return _STATE["is_forked"]


def test_processes_take_nothing_over() -> None:
    _STATE["is_forked"] = True
    with open_pool(1) as pool:
        assert not pool.submit(_is_forked).result()
