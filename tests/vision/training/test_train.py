# SPDX-License-Identifier: MIT
"""Nets learn a handful of samples in a few steps, and a rebuild goes on where it stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from tests.vision.training.drawn_dice import dice, owner_of, picture_of
from vision.nets.finder import Finder
from vision.nets.heatmaps import Channel
from vision.nets.tile_net import HEAD, HEAT_CELLS, LearnedOpinion, TileNet
from vision.tiles import TILE_PX
from vision.training.__main__ import Size, rebuild
from vision.training.dataset import SHOTS_A_FILE, Job, Kind, render
from vision.training.finder_samples import Shown, draw_sample
from vision.training.nets import FinderNet
from vision.training.nets import TileNet as TileNetModule
from vision.training.patches import Patches, draw_patches
from vision.training.tile_samples import TileBatch, draw_batch
from vision.training.train import finder_losses, stack_crops, tile_losses, train_opinion

_PARTS = ("class", "pips", "offsets", "box", "foot", "odd", "light")


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    """Threads that wait for each other cost more than nets as small as these save."""
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def patches() -> Patches:
    centers = [(100 + 200 * (i % 3), 90 + 170 * (i // 3)) for i in range(6)]
    truth = dice(*centers, half_edges=np.array([(21.0, -7.0), (5.0, 17.0)]))
    return draw_patches(picture_of(truth), truth, owner_of(truth), np.random.default_rng(1))


@pytest.fixture(scope="module")
def batch(patches: Patches) -> TileBatch:
    which = np.arange(14) % len(patches.numbers)
    return draw_batch(patches, which, np.random.default_rng(3))


def _perfect(batch: TileBatch) -> tuple[Any, Any]:
    """Outputs of a net that has learnt this batch by heart."""
    count = len(batch.numbers)
    head = torch.zeros(count, int(HEAD.END))
    known = batch.numbers >= 0
    head[known, batch.numbers[known]] = 6.0
    head[:, HEAD.CENTER : HEAD.FOOT] = batch.box
    head[:, HEAD.FOOT : HEAD.FOOT_ERROR] = batch.feet
    head[:, HEAD.FOOT_ERROR] = -4.0
    head[:, HEAD.ODD] = torch.where(batch.odd > 0.5, 9.0, -9.0)
    head[:, HEAD.LIGHT] = torch.where(batch.light > 0.5, 9.0, -9.0)
    maps = torch.zeros(count, 3, HEAT_CELLS, HEAT_CELLS)
    maps[:, 0] = torch.where(batch.heat == 1.0, 9.0, -9.0)
    maps[:, 1:] = batch.offsets
    return head, maps


class TestTileLosses:
    def test_perfect_outputs_lose_hardly_anything(self, batch: TileBatch) -> None:
        head, maps = _perfect(batch)
        losses = dict(zip(_PARTS, tile_losses(head, maps, batch), strict=True))
        for part in ("pips", "offsets", "box", "odd", "light"):
            assert float(losses[part]) < 0.01, part
        assert float(losses["class"]) < 0.5
        assert float(losses["foot"]) < -1.0

    @pytest.mark.parametrize(
        ("begin", "end", "part"),
        [
            (HEAD.CLASS, HEAD.CENTER, "class"),
            (HEAD.CENTER, HEAD.SHAPE, "box"),
            (HEAD.SHAPE, HEAD.FOOT, "box"),
            (HEAD.FOOT, HEAD.FOOT_ERROR, "foot"),
            (HEAD.ODD, HEAD.LIGHT, "odd"),
            (HEAD.LIGHT, HEAD.END, "light"),
        ],
    )
    def test_each_part_of_the_head_has_its_loss(
        self, batch: TileBatch, begin: HEAD, end: HEAD, part: str
    ) -> None:
        head, maps = _perfect(batch)
        before = tile_losses(head, maps, batch)
        head[:, begin:end] = head[:, begin:end].roll(1, dims=0) * -0.7 + 0.1
        after = tile_losses(head, maps, batch)
        changed = [
            name
            for name, one, other in zip(_PARTS, before, after, strict=True)
            if abs(float(one - other)) > 1e-3
        ]
        assert changed == [part]

    def test_a_foot_is_best_claimed_as_wrong_as_it_is(self, batch: TileBatch) -> None:
        """Twice the claimed error is the mean distance, so neither boasting nor fear pays."""
        head, maps = _perfect(batch)
        head[:, HEAD.FOOT] += 0.2
        losses = {}
        for claimed in (0.02, 0.05, 0.1, 0.2, 0.4):
            head[:, HEAD.FOOT_ERROR] = float(np.log(claimed))
            losses[claimed] = float(tile_losses(head, maps, batch)[4])
        assert min(losses, key=lambda claimed: losses[claimed]) == 0.1

    def test_what_is_not_taught_does_not_count(self, batch: TileBatch) -> None:
        head, maps = _perfect(batch)
        before = [float(loss) for loss in tile_losses(head, maps, batch)]
        head[batch.box_counts == 0, HEAD.CENTER : HEAD.ODD] += 3.0
        head[batch.odd.isnan(), HEAD.ODD :] += 5.0
        head[batch.numbers < 0, : HEAD.CENTER] -= 4.0
        maps[batch.heat_counts == 0, 0] = 9.0
        after = [float(loss) for loss in tile_losses(head, maps, batch)]
        np.testing.assert_allclose(after, before, atol=1e-5)


class TestSteps:
    def test_a_tile_net_learns_a_few_tiles(self, batch: TileBatch) -> None:
        torch.manual_seed(1)
        net = TileNetModule().train()
        optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
        history = []
        for _ in range(25):
            head, maps = net.parts(batch.tiles)
            losses = torch.stack(tile_losses(head, maps, batch))
            optimizer.zero_grad()
            losses.sum().backward()
            optimizer.step()
            history.append(losses.detach().numpy())
        first, last = history[0], np.mean(history[-3:], axis=0)
        for part, before, after in zip(_PARTS, first, last, strict=True):
            if part in ("class", "pips", "box", "foot"):
                assert after < before, part
        assert last.sum() < 0.8 * first.sum()

    def test_a_finder_learns_a_few_crops(self) -> None:
        torch.manual_seed(1)
        truth = dice((200, 100), (300, 220), (420, 140), half_px=22.0)
        image, owner = picture_of(truth), owner_of(truth).clip(0, 1).astype(np.uint8)
        rng = np.random.default_rng(2)
        crops = [draw_sample(image, owner, truth, rng) for _ in range(2)]
        pictures, *target = stack_crops(crops)
        net = FinderNet().train()
        optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
        history = []
        for _ in range(10):
            loss = torch.stack(finder_losses(net(pictures), tuple(target))).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history.append(float(loss.detach()))
        assert np.mean(history[-3:]) < 0.75 * history[0]

    def test_training_reports_and_comes_out_the_same_from_one_seed(self, patches: Patches) -> None:
        lines: list[str] = []
        first, second = (
            train_opinion(patches, steps=4, batch=7, seed=9, report=lines.append) for _ in range(2)
        )
        assert len(lines) == 2
        assert lines[0].startswith("  step 4/4, loss ")
        assert not first.training
        for one, other in zip(first.parameters(), second.parameters(), strict=True):
            np.testing.assert_allclose(one.detach(), other.detach(), atol=1e-6)

    def test_unknown_cells_do_not_count(self) -> None:
        """A finder may say of them what it likes."""
        owner = np.full((360, 640), Shown.NO_DIE, np.uint8)
        owner[:, :320] = Shown.UNKNOWN
        image, rng = np.full((360, 640, 3), 90, np.uint8), np.random.default_rng(3)
        crops = [draw_sample(image, owner, dice(), rng) for _ in range(6)]
        _, *target = stack_crops(crops)
        unknown = target[1] == 0
        assert 0 < int(unknown.sum()) < unknown.numel()
        maps = torch.randn(6, int(Channel.END), *unknown.shape[1:])
        before = [float(loss) for loss in finder_losses(maps, tuple(target))]
        changed = maps + 5.0 * unknown[:, None]
        changed[:, Channel.THING] += 3.0 * (target[5][:, 1] == 0)
        after = [float(loss) for loss in finder_losses(changed, tuple(target))]
        np.testing.assert_allclose(after, before, rtol=1e-5)
        assert float(finder_losses(maps + 5.0 * ~unknown[:, None], tuple(target))[2]) != before[2]

    def test_photographs_join_the_scenes_of_a_batch(self, patches: Patches) -> None:
        """Scenes without a number and photographs with one: only the latter teach the number."""
        scenes = replace(patches, numbers=np.full_like(patches.numbers, -1))
        nets = [
            train_opinion(
                scenes, steps=2, batch=7, seed=9, report=lambda line: None, photographs=photographs
            )
            for photographs in (scenes, patches)
        ]
        one, other = (torch.cat([w.detach().ravel() for w in net.parameters()]) for net in nets)
        assert not torch.allclose(one, other)


@pytest.mark.filterwarnings("default")
def test_a_rebuild_goes_on_with_what_was_rendered(tmp_path: Path) -> None:
    """Two scenes are too few for weights and limits; the nets are written all the same."""
    work, out = tmp_path / "work", tmp_path / "weights"
    work.mkdir()
    files = [
        render(Job(work / f"small-{seed}.npz", seed, 1, Kind.SMALL))
        for seed in (300_000, 300_000 + SHOTS_A_FILE)
    ]
    written = [path.stat().st_mtime_ns for path in files]
    size = Size(
        small=2 * SHOTS_A_FILE,
        leans=1,
        large=0,
        flatness_steps=2,
        finder_steps=2,
        tile_steps=2,
        opinion_steps=2,
        later_steps=2,
        weighed=1,
        tested=1,
    )
    with pytest.raises(ValueError, match=r"expected at least 10000 samples|Singular matrix"):
        rebuild(out, work, seed=3, size=size, cores=1)
    assert [path.stat().st_mtime_ns for path in files] == written
    added = {path.name for path in work.iterdir()} - {path.name for path in files}
    seeds = 300_000, 300_000 + SHOTS_A_FILE
    beside = {f"{kind}-{seed}.npz" for kind in ("errors", "strays") for seed in seeds}
    assert added == {*beside, "leans-370000.npz"}
    tiles = np.zeros((1, TILE_PX, TILE_PX, 3), np.uint8)
    assert TileNet(out / "tile.onnx").estimate(tiles).shares.shape == (1, 7)
    assert LearnedOpinion(out / "opinion.onnx").judge(tiles).shape == (1, 7)
    Finder(out / "finder.onnx").find(np.zeros((90, 160, 3), np.uint8))
    assert not (out / "weighing.json").exists()
