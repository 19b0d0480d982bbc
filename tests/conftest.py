# SPDX-License-Identifier: MIT
"""Options of the test run."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from types import CodeType

# Several jobs share the processors, and threads of each would mostly wait for one another. It has
# to be said before numpy is imported; programs that tests start inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from controller.history.analysis import apart
from controller.runtime import confirm_guard
from controller.runtime.access import store
from tests.support.postgres_cluster import Cluster, require_postgresql

# How long examples take, and take to be drawn, is decided by what else the machine does.
AT_ANY_PACE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same code gives the same answer twice; `make fuzz` is what looks for other examples.
settings.register_profile("same", AT_ANY_PACE, derandomize=True)
settings.register_profile("search", AT_ANY_PACE, derandomize=False)
settings.load_profile("same")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that all tests share; each makes a database of its own in it."""
    require_postgresql()
    with Cluster() as started:
        yield started


@pytest.fixture(scope="session", autouse=True)
def scrypt_n() -> Iterator[int]:
    """Hash PINs at once; give the cost that a table has, which makes it take 50 ms on purpose."""
    with pytest.MonkeyPatch.context() as patch:
        cost = store.SCRYPT_N
        patch.setattr(store, "SCRYPT_N", 2)
        yield cost


@pytest.fixture(scope="session", autouse=True)
def let_processes_of_low_priority_hurry() -> Iterator[None]:
    """Beside three other jobs they would hardly get a processor, and a test waits for each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "NICENESS", 0)
        yield


class CompiledTemplates(BytecodeCache):
    """Keep in memory what jinja2 compiles."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key, bucket.checksum] = bucket.code


@pytest.fixture(scope="session", autouse=True)
def compile_templates_once() -> Iterator[None]:
    """A table compiles a page when it is first shown; hundreds of tests make a table of pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flask.Flask.jinja_options", {"bytecode_cache": CompiledTemplates()})
        yield


@pytest.fixture
def real_pins(scrypt_n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash PINs as programs do that the test starts."""
    monkeypatch.setattr(store, "SCRYPT_N", scrypt_n)


@pytest.fixture(scope="session", autouse=True)
def let_confirms_count_at_once() -> Iterator[None]:
    """No test waits a second between two choices, but those that are about this second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confirm_guard, "LOOK_S", 0.0)
        yield


def pytest_configure() -> None:
    """Collect no garbage while tests are collected: all of it stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage in what tests make, not again and again in the thousands of tests."""
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--kills",
        type=int,
        default=12,
        help="how often the running table is killed at a random moment (default 12)",
    )
    parser.addoption(
        "--twin-games",
        type=int,
        default=12,
        help="how many random games of a kind the rules play against their twin (default 12)",
    )
