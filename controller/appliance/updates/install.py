# SPDX-License-Identifier: MIT
"""
Build a version, test it, and activate it; go back at once if the table does not start with it.

A version is a virtual environment of its own. It sees the system's packages, because picamera2
comes only with the system. That library was built against the system's NumPy, which promises
compatibility only within a major version. So the environment gets a NumPy of that major version:
the tested one for 2, the oldest one for 1.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from controller.appliance.updates.subprocesses import CommandRunner
from controller.appliance.updates.systemd_service import TableService
from controller.appliance.updates.versions import InstalledVersions
from controller.base.errors import InputError

SYSTEM_PYTHON = "/usr/bin/python3"
PACKAGES = ("vision", "controller", "webui", "hardware")
ROOT_FILES = ("pyproject.toml", "README.md", "LICENSE")
HASHES = "hashes.txt"
OLDEST_HASHES = "hashes-opencv4.txt"
APPLIANCE = "appliance"
"""A version's link to its files for the system: units, rules, the kiosk's launcher."""

CACHES = shutil.ignore_patterns("__pycache__", "*.pyc")
CAMERA_LIBRARY = "picamera2"
ReportLine = Callable[[str], None]


def build_version(versions: InstalledVersions, source: Path, commands: CommandRunner) -> Path:
    """
    Build a version from the project's source folder or from a wheel; return its folder.

    Nothing uses it yet. An incomplete version is deleted if this fails. InputError if the source is
    neither or a step fails; OSError if the disk refuses.
    """
    _require_source(source)
    release = versions.new_folder()
    try:
        commands.run([SYSTEM_PYTHON, "-m", "venv", "--system-site-packages", str(release)])
        with tempfile.TemporaryDirectory(prefix="dicebell-") as work:
            _install(source, release, Path(work), commands)
        _link_appliance(release)
    except BaseException:
        shutil.rmtree(release, ignore_errors=True)
        raise
    return release


def smoke_test(release: Path, config: Path, commands: CommandRunner) -> None:
    """Test a version: it must read dice and accept this machine's settings, or InputError."""
    dicebell = str(release / "bin" / "dicebell")
    trials = [[dicebell, "--version"], [dicebell, "read", "camera:simulated"]]
    if config.exists():
        trials.append([dicebell, "run", "--config", str(config), "--print-config"])
    if _has_library(commands, CAMERA_LIBRARY):
        trials.append([str(release / "bin" / "python"), "-c", f"import {CAMERA_LIBRARY}"])
    for trial in trials:
        if commands.ask(trial) is None:
            # Run it again with its output shown, for people.
            commands.run(trial)


def _require_source(source: Path) -> None:
    is_wheel = source.suffix == ".whl" and source.is_file()
    if not is_wheel and not (source / "pyproject.toml").is_file():
        expected = "a wheel, or the project's folder with its pyproject.toml"
        found = "something else" if source.exists() else "nothing"
        raise InputError(expected=expected, found=found, where=str(source))


def _install(source: Path, release: Path, work: Path, commands: CommandRunner) -> None:
    """Install the libraries whose digests are listed, then the project."""
    what = source if source.is_file() else _copy_source(source, work / "dicebell")
    pip = [str(release / "bin" / "python"), "-m", "pip", "install", "--no-input", "--quiet"]
    folder = source.parent if source.is_file() else source
    libraries = work / HASHES
    libraries.write_text(_pinned_libraries(folder, _has_old_numpy(commands)), encoding="utf-8")
    only_listed = ["--require-hashes", "--only-binary=:all:", "--requirement", str(libraries)]
    commands.run([*pip, *only_listed], cwd=work)
    # The list includes the build's own libraries, so pip downloads nothing else.
    commands.run([*pip, "--no-index", "--no-deps", "--no-build-isolation", str(what)], cwd=work)


def _copy_source(source: Path, place: Path) -> Path:
    """Copy what a build reads: a build in the source itself would include old files."""
    place.mkdir()
    for name in ROOT_FILES:
        shutil.copy2(source / name, place)
    for package in PACKAGES:
        shutil.copytree(source / package, place / package, ignore=CACHES)
    return place


def _pinned_libraries(folder: Path, has_old_numpy: bool) -> str:
    """Return the libraries with versions and digests, a line each; InputError without a list."""
    try:
        lines = (folder / HASHES).read_text(encoding="utf-8").splitlines()
        if has_old_numpy:
            oldest = (folder / OLDEST_HASHES).read_text(encoding="utf-8").splitlines()
            replaced = {line.split("==")[0] for line in oldest if "==" in line}
            lines = [line for line in lines if line.split("==")[0] not in replaced] + oldest
    except FileNotFoundError as error:
        expected = f"{HASHES} and {OLDEST_HASHES}, which list the libraries"
        raise InputError(expected=expected, found="none", where=str(folder)) from error
    return "".join(f"{line}\n" for line in lines)


def _has_old_numpy(commands: CommandRunner) -> bool:
    version = commands.ask([SYSTEM_PYTHON, "-c", "import numpy; print(numpy.__version__)"])
    return (version or "").startswith("1.")


def _has_library(commands: CommandRunner, library: str) -> bool:
    """Return whether the system has a library, without importing it."""
    code = f"import importlib.util as u; print(u.find_spec('{library}') is not None)"
    return commands.ask([SYSTEM_PYTHON, "-c", code]) == "True"


def _link_appliance(release: Path) -> None:
    found = sorted(release.glob(f"lib/python3*/site-packages/hardware/{APPLIANCE}"))
    if not found:
        raise InputError(
            expected="a version with hardware/appliance", found="one without", where=str(release)
        )
    (release / APPLIANCE).symlink_to(found[0].relative_to(release))


def build_and_test(
    versions: InstalledVersions, source: Path, config: Path, commands: CommandRunner
) -> Path:
    """Build and test a version, and return its folder; InputError if it is unfit, or OSError."""
    versions.prune()
    release = build_version(versions, source, commands)
    try:
        smoke_test(release, config, commands)
    except InputError:
        versions.prune()
        raise
    return release


def activate(
    versions: InstalledVersions, release: Path, service: TableService, report: ReportLine
) -> bool:
    """
    Activate a version; return whether it stays active.

    If the table does not start with it, the previous version is activated again. Without a service
    manager nothing is started, and the version stays. OSError if the links cannot be written.
    """
    before, older = versions.current(), versions.previous()
    versions.switch(release)
    if not service.is_managed():
        report("No service manager runs here, so the table was not started.")
    elif not service.restart():
        report("The table does not start. Run: journalctl -u dicebell -n 50")
        if before is None:
            report("There is no previous version to return to.")
            return False
        versions.restore_links(before, older)
        again = (
            "is in use again" if service.restart() else "is in use again, and does not start either"
        )
        report(f"The previous version {again}.")
    versions.prune()
    return versions.current() == release
