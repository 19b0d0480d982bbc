# SPDX-License-Identifier: MIT
"""
Training values positions exactly as the coach does that plays, and learns from a step.

Needs the extra `training`; without it the tests are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra training installs it")

from controller.coach.choice.roll_values import RollValues  # noqa: E402
from controller.coach.choice.sheet_net import SheetKey as ChoiceKey  # noqa: E402
from controller.coach.choice.sheet_net import SheetNet as PlayedChoiceNet  # noqa: E402
from controller.coach.net_weights import load_weights  # noqa: E402
from controller.coach.training.choice import ChoiceGames, train_choice  # noqa: E402
from controller.coach.training.choice_jokers import (  # noqa: E402
    JokerGames,
    train_choice_jokers,
)
from controller.coach.training.sheet_nets import (  # noqa: E402
    ChoiceNet,
    SheetNet,
    WuerfelspielNet,
    save_net,
)
from controller.coach.training.wuerfelspiel import (  # noqa: E402
    WuerfelspielGames,
    train_wuerfelspiel,
)
from controller.coach.wuerfelspiel.sheet_key import SheetKey  # noqa: E402
from controller.coach.wuerfelspiel.sheet_net import SheetNet as PlayedNet  # noqa: E402
from controller.coach.wuerfelspiel.sheet_values import SheetValues  # noqa: E402
from controller.games.choice.sheet import FIFTH_BOXES, FIFTH_ROWS  # noqa: E402


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Sums of several threads differ in their last digits from run to run."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def load_net(net: SheetNet, name: str) -> SheetNet:
    """Give a net in training the weights of the coach."""
    arrays = load_weights(name).arrays
    shapes = {"w2.weight": "w2", "w2.bias": "b2", "w3.weight": "w3", "w3.bias": "b3"}
    state = {key: torch.tensor(arrays[shapes.get(key, key)]) for key in net.state_dict()}
    net.load_state_dict(state)
    return net


def make_choice_net(name: str) -> ChoiceNet:
    width = load_weights(name).arrays["jokers"].shape[1] - 1
    net = load_net(ChoiceNet(width, load_weights(name).arrays["b2"].shape[0]), name)
    assert isinstance(net, ChoiceNet)
    return net


def test_turns_of_wuerfelspiel_are_valued_as_in_play() -> None:
    torch.manual_seed(5)
    arrays = load_weights("wuerfelspiel").arrays
    width, middle = arrays["bias"].shape[0] - 1, arrays["b2"].shape[0]
    net, games = load_net(WuerfelspielNet(width, middle), "wuerfelspiel"), WuerfelspielGames(39)
    played = SheetValues(PlayedNet(load_weights("wuerfelspiel")))
    assert isinstance(net, WuerfelspielNet)
    for _ in range(2):
        with torch.no_grad():
            (filled, upper), values = games.evaluate(net)
            games.play_on(greedy=True)
        for cells, totals, value in zip(filled.tolist(), upper.tolist(), values, strict=True):
            key = SheetKey(tuple(bool(cell) for row in cells for cell in row), tuple(totals))
            # Nearer to the end the coach counts out what may follow.
            if not played.is_exact(key):
                assert float(value) == pytest.approx(played.expect(key), abs=0.01)


@pytest.mark.parametrize("name", ["choice", "choice_jokers"])
def test_rolls_of_choice_are_valued_as_in_play(name: str) -> None:
    torch.manual_seed(6)
    plain = make_choice_net("choice")
    games = ChoiceGames(5) if name == "choice" else JokerGames(plain, 5)
    net, weights = make_choice_net(name), ("choice", "choice_jokers")
    played = RollValues(*(PlayedChoiceNet(load_weights(each)) for each in weights))
    compared = 0
    for _ in range(9):
        with torch.no_grad():
            (marks, fifth, jokers), values = games.evaluate(net)
            games.play_on(greedy=False)
        for *sheet, value in zip(
            marks.tolist(), fifth.tolist(), jokers.tolist(), values.tolist(), strict=True
        ):
            key = ChoiceKey(tuple(sheet[0]), tuple(sheet[1]), sheet[2])
            # Only of the last rolls does play know more.
            if sum(key.fifth) < FIFTH_ROWS * (FIFTH_BOXES - 1) - 3:
                assert value == pytest.approx(played.expect(key), abs=0.02)
                compared += 1
    assert compared > 30


def test_training_learns_and_writes_what_play_reads(tmp_path: Path) -> None:
    lines: list[str] = []
    plain = train_choice(steps=1, seed=1, report=lines.append)
    again = train_choice(steps=1, seed=1, report=lines.append)
    jokers = train_choice_jokers(plain, steps=1, seed=1, report=lines.append)
    columns = train_wuerfelspiel(steps=1, seed=1, report=lines.append)
    for one, other in zip(plain.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)
    for net, name in ((plain, "choice"), (jokers, "choice_jokers"), (columns, "wuerfelspiel")):
        save_net(net, tmp_path / f"{name}.npz")
        with np.load(tmp_path / f"{name}.npz") as written:
            assert set(written.files) == set(load_weights(name).arrays)
            for key in written.files:
                assert written[key].ndim == load_weights(name).arrays[key].ndim
