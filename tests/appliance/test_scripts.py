# SPDX-License-Identifier: MIT
"""The installer and what it lays into the system: sound scripts, and nothing that is not there."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APPLIANCE = ROOT / "hardware" / "appliance"
INSTALLER = ROOT / "install.sh"
SCRIPTS = [INSTALLER, *sorted(APPLIANCE.glob("*.sh")), *sorted(ROOT.glob("tests/**/*.sh"))]


def sections(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path)
    return parser


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_one_that_its_shell_understands(script: Path) -> None:
    shell = script.read_text().splitlines()[0].removeprefix("#!").removeprefix("/usr/bin/env ")
    assert shell in ("/bin/sh", "/bin/bash", "bash")
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="no shellcheck here")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shellcheck_warns_of_nothing(script: Path) -> None:
    # Scripts share variables with those that they source.
    options = ["--severity=warning", "--external-sources", "--exclude=SC2034,SC2154"]
    done = subprocess.run(
        ["shellcheck", *options, script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""


def test_everything_that_is_linked_into_the_system_is_there() -> None:
    linked = set(re.findall(r"\$APPLIANCE/([\w.-]+)", INSTALLER.read_text()))
    run = {
        name
        for path in APPLIANCE.iterdir()
        for name in re.findall(r"/opt/dicebell/current/appliance/([\w.-]+)", path.read_text())
    }
    assert linked | run == {path.name for path in APPLIANCE.iterdir()}


def test_the_service_is_watched_and_always_comes_back() -> None:
    unit = sections(APPLIANCE / "dicebell.service")
    service = unit["Service"]
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert (service["Type"], service["Restart"]) == ("notify", "always")
    assert int(service["WatchdogSec"]) > 0
    assert int(service["RestartSec"]) > 0


MOST_EXPOSURE = {"dicebell.service": 1.3, "dicebell-kiosk.service": 3.2}
"""By `systemd-analyze security`. The browser needs the screen, its sandbox and its compiler."""


@pytest.mark.parametrize("name", MOST_EXPOSURE)
def test_a_unit_is_exposed_no_more_than_it_must_be(name: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here")
    shutil.copy(APPLIANCE / name, tmp_path)
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", tmp_path / name],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert found is not None
    assert float(found[1]) <= MOST_EXPOSURE[name]


@pytest.mark.parametrize("name", ["dicebell.service", "dicebell-kiosk.service"])
def test_a_unit_is_one_to_systemd(name: str, tmp_path: Path) -> None:
    """In a copy whose commands are there: the version in use is on no other machine."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here")
    text = re.sub(r"(?m)^ExecStart=.*$", "ExecStart=/bin/true", (APPLIANCE / name).read_text())
    (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_launcher_of_the_session_has_a_command() -> None:
    entry = sections(APPLIANCE / "dicebell-kiosk.desktop")["Desktop Entry"]
    assert entry["Type"] == "Application"
    assert (APPLIANCE / Path(entry["Exec"].split()[-1]).name).exists()
