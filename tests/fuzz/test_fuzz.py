# SPDX-License-Identifier: MIT
"""Nothing dies of its seeds, of what it once died of, and of a few changed ones."""

from __future__ import annotations

import pytest

from tests.fuzz.search import SearchResult, search
from tests.fuzz.targets import FILE_TARGETS
from tests.fuzz.urls import UrlTarget

TRIES = {"video": 15, "calibration": 40, "picture": 60, "journal": 25, "backup": 40}
URL_TRIES = 150


def require_nothing_died(result: SearchResult) -> None:
    assert {where: trace for where, (_, trace) in result.found.items()} == {}


@pytest.mark.parametrize("name", sorted(FILE_TARGETS))
def test_no_file_breaks_a_command(name: str) -> None:
    target = FILE_TARGETS[name]
    tries = len(target.seeds()) + TRIES.get(name, 100)
    require_nothing_died(search(target, seed=1, goes_on=lambda result: result.tried < tries))


def test_no_request_breaks_the_pages() -> None:
    with UrlTarget() as target:
        tries = len(target.seeds()) + URL_TRIES
        require_nothing_died(search(target, seed=1, goes_on=lambda result: result.tried < tries))


def test_a_search_finds_what_dies() -> None:
    class Fragile:
        def seeds(self) -> list[bytes]:
            return [b"abc"]

        def mutate(self, data: bytes, others: object, chance: object) -> bytes:
            return data + b"!"

        def run(self, data: bytes) -> str:
            if len(data) > 5:
                raise ValueError("too long")
            return "x" * len(data)

    result = search(Fragile(), seed=1, goes_on=lambda result: not result.found)
    (where,) = result.found
    assert where.startswith("ValueError in ")
    assert result.found[where][0] == b"abc!!!"
