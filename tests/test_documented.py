# SPDX-License-Identifier: MIT
"""What the product can do stands in its documents, and what they name is there."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from controller.cli.main import build_parser
from controller.games import GAMES
from controller.table.state import Phase
from hardware.simulated.camera import SimulatedFault
from webui.simulator import FAULTS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def commands() -> dict[str, argparse.ArgumentParser]:
    (subparsers,) = [
        action
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    return dict(subparsers.choices)


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_command_stands_in_the_readme(command: str) -> None:
    assert f"| `dicebell {command}` |" in README


def test_the_readme_names_no_command_that_is_not_there() -> None:
    assert set(re.findall(r"`dicebell (\w+)", README)) <= set(commands())


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_option_says_what_it_is_for(command: str) -> None:
    for action in commands()[command]._actions:
        assert action.help, f"{command} {action.option_strings or action.dest}"


def test_every_option_the_readme_names_is_there() -> None:
    known = {
        option
        for parser in commands().values()
        for action in parser._actions
        for option in action.option_strings
    }
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README))
    foreign = {"--system-site-packages"}  # of python3 -m venv
    assert named - foreign <= known


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_stands_in_the_readme(game: str) -> None:
    assert game in README.lower()


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_stands_in_the_page_of_the_table(phase: Phase) -> None:
    assert phase.value in (ROOT / "docs" / "table.md").read_text().lower()


@pytest.mark.parametrize("fault", list(SimulatedFault))
def test_the_page_offers_every_fault_of_the_simulated_camera(
    fault: SimulatedFault,
) -> None:
    assert fault.value in FAULTS


def test_every_link_and_every_file_of_the_documents_is_there() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        text = document.read_text()
        for link in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (document.parent / link).exists(), f"{document.name}: {link}"
        for path in re.findall(r"`((?:vision|controller|webui|hardware|tests)/[\w/.]+)`", text):
            assert (ROOT / path).exists(), f"{document.name}: {path}"


def test_every_heading_that_a_link_names_is_there() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    anchors = {path: anchors_of(path.read_text()) for path in documents}
    for path in documents:
        for link, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text()):
            linked = (path.parent / link).resolve() if link else path
            assert anchor in anchors[linked], f"{path.name}: {link}#{anchor}"


def anchors_of(text: str) -> set[str]:
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", without_code, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def test_the_make_targets_the_readme_names_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make (demo|test|lint|bench)\b", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
