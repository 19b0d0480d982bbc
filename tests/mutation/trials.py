# SPDX-License-Identifier: MIT
"""
Run the tests of a room against its mutants, each in a forked process.

The tests are collected once. A first run notes which functions each test calls, so a mutant meets
only the tests that reach it: those of the file with its module's name, then those of cheap files.
A mutant whose code runs while tests are collected gets a process that has not imported the product
yet. Programs that a test starts run without the change.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from cProfile import Profile as Profiler
from dataclasses import dataclass
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import TypeVar

import pytest

from tests.mutation.mutants import ROOT, Mutant

T = TypeVar("T")

BUDGET_S = 10.0
"""Processor time for the tests of one mutant; those left over are not run."""
HANG = "a hang or the end of the process"
HANGS_CPU_S, HANGS_WALL_S = 60, 300
"""After so much processor time, or time, the tests of a mutant do not end."""
MEMORY_BYTES = 6 << 30
OPTIONS = ("-q", "-p", "no:cacheprovider", "-m", "not long and not browser")

ERRORS = os.dup(2)
FAILED = 70

Called = tuple[str, str]
"""Path and qualified name of a function."""
CodeKey = tuple[str, int]
"""Qualified name and first line of a function, in its module."""


@dataclass(frozen=True)
class Outcome:
    """How the tests judged a mutant; `caught_by` is empty if all that ran passed."""

    mutant: Mutant
    caught_by: str

    def __str__(self) -> str:
        return f"{self.mutant}\t{self.caught_by or 'SURVIVED'}"


@dataclass(frozen=True)
class PassedTest:
    """A test that passes without a change: its processor time in seconds, and what it calls."""

    cost_s: float
    calls: frozenset[Called]


PassedTests = Mapping[str, PassedTest]
Report = Callable[[Outcome], None]


def try_mutants(mutants: Sequence[Mutant], tests: Sequence[str], report: Report) -> list[Outcome]:
    """Return the outcome of each mutant."""

    def judge(mutant: Mutant, run_tests: Callable[[], str]) -> Outcome:
        failed = run_forked(run_tests, is_limited=True)
        outcome = Outcome(mutant, HANG if failed is None else failed)
        report(outcome)
        return outcome

    def try_collected(loop: Loop) -> tuple[PassedTests, list[Outcome], list[Mutant]]:
        """Try the mutants whose code runs in tests only; return the other ones too."""
        passed = run_forked(loop.measure)
        if passed is None:
            raise SystemExit("mutate: the tests do not end without a change")
        outcomes, early = [], []
        for mutant in mutants:
            if codes := _codes_to_swap(mutant, loop.called_early):
                reaching = _find_reaching(mutant, passed)
                outcomes.append(judge(mutant, partial(_swap_and_run, codes, loop, reaching)))
            else:
                early.append(mutant)
        return passed, outcomes, early

    found = run_forked(lambda: collect(tests, try_collected))
    if found is None:
        raise SystemExit(f"mutate: expected tests in {' '.join(tests)}, but they do not run")
    passed, outcomes, early = found
    for mutant in early:
        reaching = _find_reaching(mutant, passed)
        outcomes.append(judge(mutant, partial(_import_and_run, mutant, reaching)))
    return outcomes


def _find_reaching(mutant: Mutant, passed: PassedTests) -> list[str]:
    """Return the tests that call the function of a mutant: its module's own, then cheap files."""
    functions = {(mutant.path, name) for name in mutant.functions}
    reaching = [name for name, test in passed.items() if not functions or functions & test.calls]
    costs = defaultdict[str, float](float)
    for name in reaching:
        costs[_file_of(name)] += passed[name].cost_s
    own = f"/test_{Path(mutant.path).name}"

    def rank(name: str) -> tuple[bool, float, str]:
        file = _file_of(name)
        return not file.endswith(own), costs[file], file

    # Sorting is stable: the tests of a file stay together, and so do its fixtures.
    return sorted(reaching, key=rank)


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def run_forked(work: Callable[[], T], *, is_limited: bool = False) -> T | None:
    """
    Return what `work` returns in a forked process; `None` if the process dies or hangs.

    Raises:
        SystemExit: `work` failed itself, which says nothing about a mutant.
    """
    with tempfile.NamedTemporaryFile() as result:
        child = os.fork()
        if child == 0:
            status = FAILED
            try:
                os.setsid()
                if is_limited:
                    _limit_process()
                Path(result.name).write_bytes(pickle.dumps(work()))
                status = 0
            except BaseException:
                # Where the process prints is nowhere by now.
                os.write(ERRORS, traceback.format_exc().encode())
            finally:
                os._exit(status)
        try:
            _, status = os.waitpid(child, 0)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == FAILED:
            raise SystemExit("mutate: the trial of a mutant failed itself")
        answer: T | None = pickle.loads(result.read()) if status == 0 else None
    return answer


def _limit_process() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (HANGS_CPU_S, HANGS_CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.alarm(HANGS_WALL_S)


class CallRecorder:
    """Notes the functions that are called, in all threads."""

    def __init__(self) -> None:
        self._codes: dict[int, CodeType] = {}
        # In C: a profile function in Python takes several times as long as most tests.
        self._profiler = Profiler(builtins=False, subcalls=False)

    def start(self) -> None:
        self._codes = {}
        threading.setprofile(self._note)
        self._profiler.clear()
        self._profiler.enable()

    def stop(self) -> frozenset[Called]:
        """Return every function of this checkout that was called since the start."""
        self._profiler.disable()
        codes = [*self._codes.values(), *(entry.code for entry in self._profiler.getstats())]
        root = f"{ROOT}/"
        return frozenset(
            (code.co_filename.removeprefix(root), code.co_qualname)
            for code in codes
            if isinstance(code, CodeType) and code.co_filename.startswith(root)
        )

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        """Note what other threads call; there, a function may not return before the end."""
        if event == "call":
            self._codes[id(frame.f_code)] = frame.f_code


class Loop:
    """Does something with collected tests in place of pytest's own loop over them."""

    def __init__(self, work: Callable[[Loop], None]) -> None:
        self._work = work
        self._failed = ""
        self._recorder = CallRecorder()
        self._recorder.start()
        self.items: dict[str, pytest.Item] = {}
        self.called_early: frozenset[Called] = frozenset()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.called_early = self._recorder.stop()
        self.items = {item.nodeid: item for item in session.items if not _shares_a_server(item)}
        if not session.testsfailed:
            self._work(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed = self._failed or report.nodeid

    def measure(self) -> PassedTests:
        """Run every test and return those that pass."""
        passed = {}
        for item, following in _with_next([*self.items.values()]):
            self._failed, begun_s = "", time.process_time()
            self._recorder.start()
            _run(item, following)
            calls = self._recorder.stop()
            if not self._failed:
                passed[item.nodeid] = PassedTest(time.process_time() - begun_s, calls)
        return passed

    def find_failure(self, tests: Sequence[str] | None = None) -> str:
        """Run some or all tests until one fails; return its name, or an empty one."""
        items = [self.items[test] for test in (self.items if tests is None else tests)]
        begun_s = time.process_time()
        for item, following in _with_next(items):
            _run(item, following)
            if self._failed or time.process_time() - begun_s > BUDGET_S:
                break
        return self._failed


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    yield from zip_longest(items, items[1:])


def _run(item: pytest.Item, following: pytest.Item | None) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _shares_a_server(item: pytest.Item) -> bool:
    """Return whether a test needs a database that a killed process would leave running."""
    return isinstance(item, pytest.Function) and "cluster" in item.fixturenames


def collect(tests: Sequence[str], work: Callable[[Loop], T]) -> T | None:
    """Collect tests and return what is done with them; `None` if they cannot be collected."""
    with open(os.devnull, "r+") as nothing:
        for standard in (0, 1, 2):
            os.dup2(nothing.fileno(), standard)
    results: list[T] = []
    with tempfile.TemporaryDirectory() as folder:
        loop = Loop(lambda loop: results.append(work(loop)))
        pytest.main([*OPTIONS, f"--basetemp={folder}/tests", *tests], plugins=[loop])
    return results[0] if results else None


def _codes_to_swap(mutant: Mutant, called_early: frozenset[Called]) -> dict[CodeKey, CodeType]:
    """
    Return the changed code of every function of the module.

    It is empty if the change has to be there before the module is imported.
    """
    if not mutant.functions or any(
        (mutant.path, each) in called_early for each in mutant.functions
    ):
        return {}
    source = (ROOT / mutant.path).read_text()
    before = dict(_functions_in(compile(source, ROOT / mutant.path, "exec")))
    after = dict(_functions_in(mutant.compile()))
    fits = all(after[key].co_freevars == before[key].co_freevars for key in after)
    return after if fits else {}


def _functions_in(code: CodeType) -> Iterator[tuple[CodeKey, CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield (constant.co_qualname, constant.co_firstlineno), constant
            yield from _functions_in(constant)


def _swap_and_run(codes: Mapping[CodeKey, CodeType], loop: Loop, tests: Sequence[str]) -> str:
    path = next(iter(codes.values())).co_filename
    gc.unfreeze()
    for each in gc.get_objects():
        # Some objects of libraries answer `isinstance` with an error.
        if type(each) is FunctionType and each.__code__.co_filename == path:
            key = (each.__code__.co_qualname, each.__code__.co_firstlineno)
            each.__code__ = codes.get(key, each.__code__)
    gc.freeze()
    return loop.find_failure(tests)


def _import_and_run(mutant: Mutant, tests: Sequence[str]) -> str:
    if not tests:
        return ""
    sys.meta_path.insert(0, MutantFinder(mutant))
    # The change may alter the parameters of a test, so all of them run.
    whole = list(dict.fromkeys(test.partition("[")[0] for test in tests))
    failed = collect(whole, Loop.find_failure)
    return "the collection of the tests" if failed is None else failed


class MutantFinder:
    """Imports one module with its change."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name == self._mutant.module else None
        if spec is not None and spec.origin is not None:
            spec.loader = MutantLoader(name, spec.origin, self._mutant)
        return spec


class MutantLoader(SourceFileLoader):
    def __init__(self, name: str, path: str, mutant: Mutant) -> None:
        super().__init__(name, path)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return self._mutant.compile()
