# SPDX-License-Identifier: MIT
"""
Write hashes.txt and hashes-opencv4.txt: `make hashes`, after a change of the pinned versions.

An installed table takes only wheels with these digests. pip resolves the table's libraries for
every processor and Python that a table may have, without installing them, and reports the
digest of each wheel. What comes from apt on a Pi is not among them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[2]
MACHINES = ("x86_64", "aarch64")
PYTHONS = ("3.11", "3.12", "3.13")
OLDEST_PYTHONS = ("3.11",)
"""Only Debian 12 has the oldest NumPy; its Python is this one."""

GLIBC = ("manylinux2014", *(f"manylinux_2_{minor}" for minor in (17, 26, 27, 28, 31, 34)))
HEAD = "# Written by `make hashes`. An installed table takes exactly these wheels.\n"

Digests: TypeAlias = dict[str, set[str]]


def resolve(wanted: list[str], pins: Path, machine: str, python: str) -> Digests:
    """Return the digests of the wheels that pip would install, by pinned requirement."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        words = ["install", "--dry-run", "--ignore-installed", "--only-binary=:all:", "--quiet"]
        words += [word for tag in GLIBC for word in ("--platform", f"{tag}_{machine}")]
        words += ["--python-version", python, "--target", folder, "--report", str(report)]
        words += ["--constraint", str(pins), *wanted]
        subprocess.run([sys.executable, "-m", "pip", *words], check=True)
        found: Digests = defaultdict(set)
        for item in json.loads(report.read_text())["install"]:
            about = item["metadata"]
            digest = item["download_info"]["archive_info"]["hashes"]["sha256"]
            found[f"{about['name']}=={about['version']}"].add(digest)
    return found


def write(path: Path, wanted: list[str], pins: Path, pythons: tuple[str, ...]) -> None:
    digests: Digests = defaultdict(set)
    for machine in MACHINES:
        for python in pythons:
            for pinned, found in resolve(wanted, pins, machine, python).items():
                digests[pinned] |= found
    lines = []
    for pinned in sorted(digests, key=str.lower):
        hashes = " ".join(f"--hash=sha256:{digest}" for digest in sorted(digests[pinned]))
        lines.append(f"{pinned} {hashes}\n")
    path.write_text(HEAD + "".join(lines))


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    write(ROOT / "hashes.txt", wanted, ROOT / "constraints.txt", PYTHONS)
    oldest = ROOT / "constraints-opencv4.txt"
    names = [line for line in oldest.read_text().splitlines() if "==" in line]
    write(ROOT / "hashes-opencv4.txt", names, oldest, OLDEST_PYTHONS)


if __name__ == "__main__":
    main()
