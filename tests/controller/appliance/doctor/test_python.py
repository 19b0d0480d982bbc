# SPDX-License-Identifier: MIT
"""Python and its packages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.appliance.doctor.checks.program import (
    check_packages,
    check_python,
    find_installed,
    is_within,
    list_requirements,
)
from controller.appliance.doctor.host import Host
from tests.controller.appliance.doctor.hosts import machine_at, patient_with, told
from tests.support.old_gpiozero import install_old_gpiozero

ROOT = Path(__file__).parents[4]
PI_CAMERA = '[camera]\ndriver = "pi"\n'


def install(host: Host, name: str, version: str) -> None:
    """Lay a package's metadata where pip and apt lay it."""
    folder = Path(host.packages[0]) / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def install_all(host: Host, *, but: str = "") -> None:
    for requirement in list_requirements():
        if requirement.name != but:
            install(host, requirement.name, re.sub(r"[^\d.]", "", requirement.span))


def test_this_python_is_fine(tmp_path: Path) -> None:
    (finding,) = check_python(patient_with(machine_at(tmp_path)))
    assert finding.level.value == "ok"


def test_packages_in_their_range_are_one_line(tmp_path: Path) -> None:
    host = machine_at(tmp_path, is_pi=False)
    install_all(host)
    (line,) = told(list(check_packages(patient_with(host))))
    assert line.startswith(
        "ok: alembic 1.14, av 16, babel 2.12, cryptography 43, flask 3.0, httptools 0.6, idna 3.7, "
    )


def test_a_package_that_is_missing_is_named_with_its_range(tmp_path: Path) -> None:
    host = machine_at(tmp_path, is_pi=False)
    install_all(host, but="waitress")
    first, _ = check_packages(patient_with(host))
    assert told([first]) == ["wrong: expected waitress >=3.0, found none"]
    assert "install.sh" in first.mend


def test_a_package_that_is_too_old_is_wrong(tmp_path: Path) -> None:
    host = machine_at(tmp_path, is_pi=False)
    install_all(host, but="numpy")
    install(host, "numpy", "1.24.2")
    first, _ = check_packages(patient_with(host))
    assert told([first]) == ["wrong: expected numpy >=1.26, found 1.24.2"]


def test_the_library_of_the_camera_is_mended_with_apt(tmp_path: Path) -> None:
    host = machine_at(tmp_path)
    install_all(host)
    wrong = [
        finding
        for finding in check_packages(patient_with(host, PI_CAMERA))
        if finding.level.value == "wrong"
    ]
    assert told(wrong) == ["wrong: picamera2 is missing, and the settings need it"]
    assert "sudo apt install python3-picamera2" in wrong[0].mend
    assert "--system-site-packages" in wrong[0].mend


def test_pins_in_the_settings_need_their_libraries(tmp_path: Path) -> None:
    host = machine_at(tmp_path)
    install_all(host)
    install(host, "gpiozero", "2.0.1")
    lines = told(list(check_packages(patient_with(host, "[light]\npin = 18\n"))))
    assert "ok: gpiozero 2.0.1" in lines
    assert "wrong: lgpio is missing, and the settings need it" in lines


def test_what_is_asked_for_is_what_the_project_says() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    for requirement in [*list_requirements(), *list_requirements("pi")]:
        assert f'"{requirement.name}{requirement.span}"' in text


def test_a_package_of_this_python_is_found() -> None:
    assert find_installed(Host(), "Flask").startswith("3.")
    assert find_installed(Host(), "no-such-package") == ""


@pytest.mark.parametrize(
    ("version", "span", "expected"),
    [
        ("3.0", ">=3.0", True),
        ("3.0.0", ">=3", True),
        ("2.10", ">=2.9", True),
        ("2.9", ">=2.10", False),
        ("3.1", ">=3.0,<3.1", False),
        ("3.0.9", ">=3.0, <3.1", True),
        ("2.0.1.post3", ">=2.0", True),
        ("1.2", "!=1.2", False),
        ("9", "", True),
    ],
)
def test_versions_are_compared_number_by_number(version: str, span: str, expected: bool) -> None:
    assert is_within(version, span) is expected


def test_a_range_that_nobody_understands_is_a_slip_of_ours() -> None:
    with pytest.raises(ValueError, match="expected a range"):
        is_within("1", "~=1.0")


def test_an_old_gpiozero_is_found_by_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_old_gpiozero(monkeypatch)
    host = machine_at(tmp_path)
    install_all(host)
    install(host, "gpiozero", "2.0.1")
    install(host, "lgpio", "0.2.2")
    findings = list(check_packages(patient_with(host, '[panel]\ndriver = "gpio"\n')))
    (wrong,) = [finding for finding in findings if finding.level.value == "wrong"]
    assert "does not fit this lgpio, which has no SET_BIAS_DISABLE" in told([wrong])[0]
    assert "pip install 'gpiozero>=2.0'" in wrong.mend
