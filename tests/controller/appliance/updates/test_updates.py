# SPDX-License-Identifier: MIT
"""Versions beside each other: made whole, tried, switched, and back where one does not come up."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.appliance.updates.install import (
    SYSTEM_PYTHON,
    activate,
    build_and_test,
    build_version,
    smoke_test,
)
from controller.appliance.updates.subprocesses import SubprocessRunner
from controller.appliance.updates.systemd_service import TableService
from controller.appliance.updates.versions import InstalledVersions
from controller.base.errors import InputError
from hardware.clock import SteppedClock

ROOT = Path(__file__).parents[4]
NOW = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)


@dataclass
class Machine:
    """A machine on which no program runs: what it is asked, and what it answers."""

    numpy: str = "2.2.4"
    libraries: tuple[str, ...] = ()
    fails: str = ""
    process: Callable[[], str] = lambda: "100"
    ran: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    libraries_listed: str = ""

    def run(self, words: Sequence[str], *, cwd: Path | None = None) -> None:
        line = " ".join(words)
        self.ran.append(line)
        if self.fails and self.fails in line:
            raise InputError(expected=line, found="exit status 1")
        if "venv" in words:
            Path(words[-1]).mkdir()
        if "pip" in words:
            self._install(words)

    def ask(self, words: Sequence[str]) -> str | None:
        line = " ".join(words)
        self.asked.append(line)
        if self.fails and self.fails in line:
            return None
        if "numpy" in line:
            return self.numpy or None
        if "find_spec" in line:
            return str(any(library in line for library in self.libraries))
        return self.process() if "MainPID" in line else ""

    def _install(self, words: Sequence[str]) -> None:
        if "--requirement" in words:
            assert {"--require-hashes", "--only-binary=:all:"} <= set(words)
            self.libraries_listed = Path(words[words.index("--requirement") + 1]).read_text()
            return
        assert {"--no-index", "--no-deps", "--no-build-isolation"} <= set(words)
        source, release = Path(words[-1]), Path(words[0]).parents[1]
        if source.is_dir():
            assert not list(source.rglob("*.pyc"))
        place = release / "lib" / "python3.13" / "site-packages" / "hardware" / "appliance"
        place.mkdir(parents=True)
        (place / "dicebell.service").touch()


@pytest.fixture
def versions(tmp_path: Path) -> InstalledVersions:
    return InstalledVersions(tmp_path / "opt")


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "dicebell.toml"
    path.touch()
    return path


def service(machine: Machine, runs: Path) -> TableService:
    return TableService(machine, SteppedClock(), runs=runs)


def stop(line: str) -> None:
    raise AssertionError(line)


def pins_of(listed: str) -> list[str]:
    """Return the pinned versions of a list, in one spelling."""
    lines = [line for line in listed.lower().splitlines() if "==" in line]
    return [line.split(" ")[0].replace("-", "_") for line in lines]


class TestHashes:
    """The committed lists; `make hashes` writes them anew."""

    def test_everything_that_the_project_asks_for_is_listed(self) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
        names = {re.split("[<>=]", each)[0].replace("-", "_") for each in wanted}
        listed = {pin.split("==")[0] for pin in pins_of((ROOT / "hashes.txt").read_text())}
        assert names <= listed

    @pytest.mark.parametrize("name", ["hashes.txt", "hashes-opencv4.txt"])
    def test_every_line_has_digests(self, name: str) -> None:
        for line in (ROOT / name).read_text().splitlines()[1:]:
            assert re.fullmatch(r"\S+==\S+( --hash=sha256:[0-9a-f]{64})+", line), line

    def test_every_processor_and_python_has_its_wheel(self) -> None:
        """Three Pythons on two processors; one wheel a processor fits all where it can."""
        listed = (ROOT / "hashes.txt").read_text().splitlines()
        counts = {line.split("==")[0].lower(): line.count("--hash") for line in listed}
        assert {counts[name] for name in ("numpy", "markupsafe", "cffi")} == {6}
        assert {counts[name] for name in ("opencv-python-headless", "cryptography")} == {2}
        oldest = (ROOT / "hashes-opencv4.txt").read_text()
        assert [pin.split("==")[0] for pin in pins_of(oldest)] == [
            "numpy",
            "opencv_python_headless",
        ]
        assert oldest.count("--hash") == 4


class TestBuild:
    def test_a_version_is_made_of_the_projects_folder(
        self, versions: InstalledVersions, machine: Machine
    ) -> None:
        release = build_version(versions, ROOT, machine)
        assert machine.ran[0] == f"{SYSTEM_PYTHON} -m venv --system-site-packages {release}"
        assert (release / "appliance" / "dicebell.service").exists()
        assert versions.current() is None

    def test_its_libraries_are_those_that_the_tests_ran_with(
        self, versions: InstalledVersions, machine: Machine
    ) -> None:
        build_version(versions, ROOT, machine)
        assert machine.libraries_listed == (ROOT / "hashes.txt").read_text()
        tested = (ROOT / "constraints.txt").read_text().lower().replace("-", "_").splitlines()
        assert set(pins_of(machine.libraries_listed)) <= set(tested)

    def test_beside_an_old_numpy_of_the_system_no_new_one_is_put(
        self, versions: InstalledVersions, machine: Machine
    ) -> None:
        machine.numpy = "1.24.2"
        build_version(versions, ROOT, machine)
        pins = dict(pin.split("==") for pin in pins_of(machine.libraries_listed))
        assert pins["numpy"].startswith("1.")
        assert pins["opencv_python_headless"].startswith("4.")
        assert "flask" in pins

    def test_a_system_without_numpy_gets_the_newest(
        self, versions: InstalledVersions, machine: Machine
    ) -> None:
        machine.numpy = ""
        build_version(versions, ROOT, machine)
        assert machine.libraries_listed == (ROOT / "hashes.txt").read_text()

    def test_a_wheel_is_installed_as_it_is(
        self, versions: InstalledVersions, machine: Machine, tmp_path: Path
    ) -> None:
        wheel = tmp_path / "dicebell-9-py3-none-any.whl"
        wheel.touch()
        with pytest.raises(InputError, match=r"expected hashes\.txt .*, found none"):
            build_version(versions, wheel, machine)
        (tmp_path / "hashes.txt").write_text("numpy==2.4.6 --hash=sha256:0\n")
        build_version(versions, wheel, machine)
        assert machine.ran[-1].endswith(str(wheel))
        assert machine.libraries_listed == "numpy==2.4.6 --hash=sha256:0\n"

    @pytest.mark.parametrize("step", ["venv", "pip"])
    def test_what_fails_leaves_nothing(
        self, versions: InstalledVersions, machine: Machine, step: str
    ) -> None:
        machine.fails = step
        with pytest.raises(InputError, match=step):
            build_version(versions, ROOT, machine)
        assert list((versions.root / "releases").iterdir()) == []

    @pytest.mark.parametrize("source", ["no", "empty", "a.whl"])
    def test_what_is_no_source_is_refused(
        self, versions: InstalledVersions, machine: Machine, tmp_path: Path, source: str
    ) -> None:
        (tmp_path / "empty").mkdir()
        with pytest.raises(InputError, match="a wheel, or the project's folder"):
            build_version(versions, tmp_path / source, machine)
        assert machine.ran == []


class TestProbe:
    def test_it_reads_dice_and_understands_the_settings(
        self, machine: Machine, config: Path, tmp_path: Path
    ) -> None:
        smoke_test(tmp_path, config, machine)
        dicebell = f"{tmp_path}/bin/dicebell"
        assert f"{dicebell} read camera:simulated" in machine.asked
        assert f"{dicebell} run --config {config} --print-config" in machine.asked
        assert not any("import picamera2" in line for line in machine.asked)

    def test_where_the_system_has_the_cameras_library_it_must_load(
        self, machine: Machine, config: Path, tmp_path: Path
    ) -> None:
        machine.libraries, machine.fails = ("picamera2",), "-c import picamera2"
        with pytest.raises(InputError, match="import picamera2"):
            smoke_test(tmp_path, config, machine)

    @pytest.mark.parametrize("what", ["--version", "read camera:simulated", "--print-config"])
    def test_a_version_that_does_not_work_is_not_kept(
        self, versions: InstalledVersions, machine: Machine, config: Path, what: str
    ) -> None:
        machine.fails = what
        with pytest.raises(InputError, match=what):
            build_and_test(versions, ROOT, config, machine)
        assert list((versions.root / "releases").iterdir()) == []


class TestUse:
    def made(self, versions: InstalledVersions, name: str) -> Path:
        release = versions.new_folder(NOW.replace(minute=len(name)))
        release.mkdir()
        return release

    def test_the_one_before_stays_and_older_ones_go(
        self, versions: InstalledVersions, machine: Machine, tmp_path: Path
    ) -> None:
        first, second, third = (self.made(versions, "x" * n) for n in (1, 2, 3))
        for release in (first, second, third):
            release.mkdir(exist_ok=True)
            assert activate(versions, release, service(machine, tmp_path), stop)
            # What nobody uses goes; a version that is made later is not there yet.
            for later in (second, third):
                later.mkdir(exist_ok=True)
        assert (versions.current(), versions.previous()) == (third, second)
        assert not first.exists()

    def test_a_version_that_does_not_start_is_rolled_back(
        self, versions: InstalledVersions, machine: Machine, tmp_path: Path
    ) -> None:
        first, second, third = (self.made(versions, "x" * n) for n in (1, 2, 3))
        for release in (first, second):
            versions.switch(release)
        machine.fails = "restart"
        said: list[str] = []
        assert not activate(versions, third, service(machine, tmp_path), said.append)
        assert (versions.current(), versions.previous()) == (second, first)
        assert not third.exists()
        assert "does not start" in said[0]

    def test_one_that_starts_and_soon_ends_gives_way_too(
        self, versions: InstalledVersions, machine: Machine, tmp_path: Path
    ) -> None:
        first, second = (self.made(versions, "x" * n) for n in (1, 2))
        versions.switch(first)
        processes = iter(["7", "8"])
        machine.process = lambda: next(processes, "9")
        assert not activate(versions, second, service(machine, tmp_path), lambda line: None)
        assert versions.current() == first
        assert versions.previous() is None

    def test_the_first_one_stays_even_where_it_does_not_come_up(
        self, versions: InstalledVersions, machine: Machine, tmp_path: Path
    ) -> None:
        first = self.made(versions, "x")
        machine.fails = "restart"
        assert not activate(versions, first, service(machine, tmp_path), lambda line: None)
        assert versions.current() == first

    def test_where_no_manager_runs_nothing_is_started(
        self, versions: InstalledVersions, machine: Machine, tmp_path: Path
    ) -> None:
        first = self.made(versions, "x")
        assert activate(versions, first, service(machine, tmp_path / "none"), lambda line: None)
        assert machine.asked == []

    def test_going_back_twice_is_going_nowhere(
        self, versions: InstalledVersions, machine: Machine, tmp_path: Path
    ) -> None:
        first, second = (self.made(versions, "x" * n) for n in (1, 2))
        for release in (first, second):
            versions.switch(release)
        for current, previous in ((first, second), (second, first)):
            before = versions.previous()
            assert before is not None
            assert activate(versions, before, service(machine, tmp_path), stop)
            assert (versions.current(), versions.previous()) == (current, previous)


class TestShelf:
    def test_two_versions_of_one_second_have_two_places(self, versions: InstalledVersions) -> None:
        versions.new_folder(NOW).mkdir()
        assert versions.new_folder(NOW).name == "20261121-183000-2"

    def test_a_link_that_leads_nowhere_is_no_version(self, versions: InstalledVersions) -> None:
        release = versions.new_folder(NOW)
        release.mkdir()
        versions.switch(release)
        release.rmdir()
        assert versions.current() is None

    def test_the_folder_may_be_moved_as_a_whole(
        self, versions: InstalledVersions, tmp_path: Path
    ) -> None:
        release = versions.new_folder(NOW)
        release.mkdir()
        versions.switch(release)
        versions.root.rename(tmp_path / "moved")
        assert (
            InstalledVersions(tmp_path / "moved").current()
            == tmp_path / "moved" / "releases" / release.name
        )

    def test_where_it_came_from_is_known_only_after_an_install(
        self, versions: InstalledVersions
    ) -> None:
        assert versions.source() is None
        versions.root.mkdir()
        (versions.root / "source").write_text("/home/pi/dicebell\n")
        assert versions.source() == Path("/home/pi/dicebell")


def test_a_program_that_fails_is_told_with_its_words() -> None:
    commands = SubprocessRunner()
    commands.run(["true"])
    with pytest.raises(InputError, match="expected sh -c 'exit 3' to succeed, found exit status 3"):
        commands.run(["sh", "-c", "exit 3"])
    with pytest.raises(InputError, match="No such file"):
        commands.run(["/no/such/program"])
    assert commands.ask(["echo", "yes"]) == "yes"
    assert commands.ask(["false"]) is None
    assert commands.ask(["/no/such/program"]) is None
