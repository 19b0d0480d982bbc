# SPDX-License-Identifier: MIT
"""Pips are a number only if all of them lie in that number's pattern."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.nets.pip_maps import Floats, add_pip, map_of, tile_of
from vision.nets.pip_count import PATTERNS, PipCount, count_pips
from vision.tiles import FACE_PX, TILE_PX

_STEP = 0.25
_MIDDLE = np.zeros(2)
_UPRIGHT = np.eye(2) / 2.0
_ALL_WAYS = [(number, way) for number, ways in PATTERNS.items() for way in range(len(ways))]


def _pattern(number: int, way: int = 0, *, step: tuple[float, float] = (_STEP, _STEP)) -> Floats:
    return np.array(PATTERNS[number][way], np.float64) * step


def _counted(places: Floats, *, logit: float = 6.0) -> PipCount:
    return _count(map_of(places, logit=logit), _MIDDLE, _UPRIGHT)


def _count(maps: NDArray[np.float32], center: Floats, half_edges: Floats) -> PipCount:
    """Count on a tile whose pips are all alike."""
    plain = np.full((TILE_PX, TILE_PX, 3), 120, np.uint8)
    return count_pips(maps, center, half_edges, tile=plain)


def _turned(angle_deg: float) -> Floats:
    angle = np.deg2rad(angle_deg)
    return np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])


def test_the_patterns_have_all_ways_that_a_face_may_lie() -> None:
    assert [len(PATTERNS[number]) for number in range(1, 7)] == [1, 4, 4, 1, 1, 2]
    for number, ways in PATTERNS.items():
        turned = {tuple(sorted((-y, x) for x, y in way)) for way in ways}
        assert turned == {tuple(sorted(way)) for way in ways}
        assert all(len(way) == number for way in ways)


class TestNumbers:
    @pytest.mark.parametrize(("number", "way"), _ALL_WAYS)
    def test_every_number_is_counted_in_every_way_it_lies(self, number: int, way: int) -> None:
        count = _counted(_pattern(number, way))
        assert count.number == number
        assert count.shares[number] > 0.95
        assert np.delete(count.shares, number).max() < 0.05
        assert count.places.shape == (number, 2)

    @pytest.mark.parametrize(("number", "way"), _ALL_WAYS)
    def test_a_face_is_counted_in_its_own_frame(self, number: int, way: int) -> None:
        """The face is shifted, turned, smaller than the cut and slanted."""
        center = np.array([0.1, -0.07])
        half_edges = 0.45 * _turned(17.0) @ np.array([(1.0, 0.12), (0.0, 0.85)])
        own = _pattern(number, way)
        count = _count(map_of(center + own @ (2.0 * half_edges).T), center, half_edges)
        assert (count.number, count.shares[number] > 0.9) == (number, True)
        found = count.places[np.lexsort(count.places.T)]
        expected = own[np.lexsort(own.T)]
        np.testing.assert_allclose(np.sort(found, axis=0), np.sort(expected, axis=0), atol=1e-3)

    @pytest.mark.parametrize("step", [0.18, 0.22, 0.28, 0.32, 0.38])
    @pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
    def test_makers_set_pips_nearer_or_farther(self, number: int, step: float) -> None:
        assert _counted(_pattern(number, step=(step, step))).shares[number] > 0.9

    @pytest.mark.parametrize("gap", [0.1, 0.14, 0.2])
    @pytest.mark.parametrize("way", [0, 1])
    def test_a_narrow_six_is_a_six(self, way: int, gap: float) -> None:
        step = (gap, 0.28) if way == 0 else (0.28, gap)
        count = _counted(_pattern(6, way, step=step))
        assert (count.number, count.shares[6] > 0.9) == (6, True)

    @given(
        st.sampled_from(_ALL_WAYS),
        st.lists(st.tuples(*[st.floats(-0.015, 0.015)] * 2), min_size=6, max_size=6),
    )
    def test_small_errors_of_places_change_no_number(
        self, which: tuple[int, int], errors: list[tuple[float, float]]
    ) -> None:
        number, way = which
        count = _counted(_pattern(number, way) + np.array(errors)[:number])
        assert (count.number, count.shares[number] > 0.7) == (number, True)


class TestWrongCounts:
    @pytest.mark.parametrize("glint", [(0.02, 0.31), (-0.3, 0.05), (0.2, -0.1)])
    @pytest.mark.parametrize(("number", "way"), _ALL_WAYS)
    def test_an_extra_glint_is_no_count(
        self, number: int, way: int, glint: tuple[float, float]
    ) -> None:
        places = np.vstack([_pattern(number, way), glint])
        assert _counted(places).shares[1:].max() < 0.1

    @pytest.mark.parametrize(
        ("number", "missing"), [(6, 0), (6, 4), (5, 1), (4, 0), (4, 3), (3, 1), (3, 2), (2, 0)]
    )
    def test_a_missing_pip_is_no_count(self, number: int, missing: int) -> None:
        places = np.delete(_pattern(number), missing, axis=0)
        assert _counted(places).shares[1:].max() < 0.4

    @pytest.mark.parametrize("off", [(0.0, 0.12), (0.12, 0.0), (-0.09, 0.09)])
    @pytest.mark.parametrize("number", [2, 3])
    def test_row_beside_the_middle_is_no_number(
        self, number: int, off: tuple[float, float]
    ) -> None:
        assert _counted(_pattern(number, 2) + np.array(off)).shares[number] < 0.2

    def test_no_pips_are_the_number_0(self) -> None:
        count = _counted(np.empty((0, 2)))
        assert (count.number, count.places.shape) == (0, (0, 2))
        assert count.shares[0] == pytest.approx(1.0)


class TestPeaks:
    @pytest.mark.parametrize("outside", [(0.7, 0.0), (0.0, -0.6), (0.9, 0.9), (-0.56, 0.1)])
    def test_peaks_beyond_the_face_do_not_count(self, outside: tuple[float, float]) -> None:
        count = _counted(np.vstack([_pattern(3), outside]))
        assert (count.number, count.shares[3] > 0.95) == (3, True)

    @pytest.mark.parametrize("number", [1, 2, 4, 6])
    def test_the_farther_a_pattern_is_shifted_the_worse_it_fits(self, number: int) -> None:
        shares = [
            _counted(_pattern(number) + np.array([1.0, 0.5]) * shift).shares[number]
            for shift in (0.0, 0.04, 0.08, 0.12, 0.16)
        ]
        assert shares == sorted(shares, reverse=True)
        assert shares[0] > 0.95
        assert shares[-1] < 0.5

    def test_faint_peaks_divide_the_shares(self) -> None:
        maps = map_of(_pattern(2))
        add_pip(maps, (0.0, 0.0), logit=0.0)
        count = _count(maps, _MIDDLE, _UPRIGHT)
        assert count.shares[2] == pytest.approx(0.5, abs=0.05)
        assert count.shares[3] == pytest.approx(0.5, abs=0.05)

    def test_many_peaks_on_a_print_are_bounded(self) -> None:
        rows = np.linspace(-0.45, 0.45, 7)
        print_px = np.stack(np.meshgrid(rows, rows), axis=2).reshape(-1, 2)
        count = _counted(print_px)
        assert np.isfinite(count.shares).all()
        assert count.shares[1:].max() < 0.1


class TestLamps:
    """A lamp's image on a face is no pip, even in the position of one."""

    def _spotted(self, number: int, *, body: int, pips: int, lamp: int) -> PipCount:
        """A face with a lamp's image in its middle."""
        places = np.vstack([_pattern(number), (0.0, 0.0)])
        tile = tile_of(places, body=body, pips=[*[pips] * number, lamp])
        return count_pips(map_of(places), _MIDDLE, _UPRIGHT, tile=tile)

    @pytest.mark.parametrize("number", [2, 4])
    @pytest.mark.parametrize(("body", "lamp"), [(225, 255), (180, 255), (120, 160), (90, 255)])
    def test_bright_spot_is_no_dark_pip(self, number: int, body: int, lamp: int) -> None:
        count = self._spotted(number, body=body, pips=30, lamp=lamp)
        assert (count.number, count.has_glare, len(count.places)) == (number, True, number)

    @pytest.mark.parametrize("number", [2, 4])
    @pytest.mark.parametrize(("pips", "lamp"), [(140, 255), (200, 255), (110, 180)])
    def test_much_brighter_spot_is_no_light_pip(self, number: int, pips: int, lamp: int) -> None:
        count = self._spotted(number, body=40, pips=pips, lamp=lamp)
        assert (count.number, count.has_glare) == (number, True)

    @pytest.mark.parametrize(
        ("body", "pips", "middle"), [(225, 30, 60), (225, 60, 20), (40, 220, 215), (40, 255, 255)]
    )
    def test_pips_that_are_alike_all_count(self, body: int, pips: int, middle: int) -> None:
        count = self._spotted(4, body=body, pips=pips, lamp=middle)
        assert (count.number, count.has_glare) == (5, False)

    def test_white_pips_on_a_body_in_uneven_light_all_count(self) -> None:
        """Each stands out by another contrast, but none is brighter than the others."""
        places = _pattern(5)
        tile = tile_of(places, body=90, pips=[252] * 5)
        tile[:, TILE_PX // 2 - 4 :] = tile[:, TILE_PX // 2 - 4 :].clip(210)
        count = count_pips(map_of(places), _MIDDLE, _UPRIGHT, tile=tile)
        assert (count.number, count.has_glare) == (5, False)

    @pytest.mark.parametrize(("number", "lit"), [(4, (1, 3)), (5, (0, 3)), (6, (0, 1, 4))])
    def test_pips_in_the_sun_count_beside_those_in_the_shade(
        self, number: int, lit: tuple[int, ...]
    ) -> None:
        """No number is left without them, as one would be without a lamp's image."""
        places = _pattern(number)
        levels = [240 if k in lit else 150 for k in range(number)]
        tile = tile_of(places, body=70, pips=levels)
        count = count_pips(map_of(places), _MIDDLE, _UPRIGHT, tile=tile)
        assert (count.number, count.has_glare) == (number, False)

    @pytest.mark.parametrize(
        ("body", "levels"),
        [
            (90, [30, 240, 255]),
            (90, [30, 30, 250, 250, 250]),
            (70, [150, 240, 240]),
            (70, [150, 240]),
        ],
    )
    def test_lamps_are_no_pips_beside_too_few(self, body: int, levels: list[int]) -> None:
        """One pip, or a dark one, says nothing about the sun."""
        number = len(levels)
        places = _pattern(number)
        tile = tile_of(places, body=body, pips=levels)
        count = count_pips(map_of(places), _MIDDLE, _UPRIGHT, tile=tile)
        assert count.has_glare

    @pytest.mark.parametrize("pips", [120, 170])
    def test_most_spots_of_a_face_may_be_lamps(self, pips: int) -> None:
        """As under a dome, which mirrors a lamp several times."""
        places = np.array([(0.0, 0.0), (0.1, -0.3), (0.3, -0.25)])
        tile = tile_of(places, body=80, pips=[pips, 255, 255])
        count = count_pips(map_of(places), _MIDDLE, _UPRIGHT, tile=tile)
        assert (count.number, count.has_glare) == (1, True)

    def test_single_pip_has_nothing_to_differ_from(self) -> None:
        places = _pattern(1)
        tile = tile_of(places, body=60, pips=[250])
        count = count_pips(map_of(places), _MIDDLE, _UPRIGHT, tile=tile)
        assert (count.number, count.has_glare) == (1, False)


class TestHiddenPips:
    """A lamp's image that is larger than a pip may hide one."""

    def _under_patch(
        self, number: int, middle: tuple[float, float], *, body: int = 60, logit: float = 4.0
    ) -> PipCount:
        pips = 30 if body > 200 else 180
        places = _pattern(number)
        tile = tile_of(places, body=body, pips=[pips] * number)
        column, row = (round(at * FACE_PX + (TILE_PX - 1) / 2) for at in middle)
        cv2.circle(tile, (column, row), round(0.2 * FACE_PX), (255, 255, 255), -1)
        return count_pips(map_of(places, logit=logit), _MIDDLE, _UPRIGHT, tile=tile)

    @pytest.mark.parametrize("number", [2, 4])
    def test_a_hidden_middle_leaves_two_numbers(self, number: int) -> None:
        count = self._under_patch(number, (0.05, 0.05))
        assert (count.number, count.has_glare, len(count.places)) == (0, True, 0)

    def test_a_clear_pattern_beside_it_counts(self) -> None:
        assert self._under_patch(4, (0.0, 0.4)).number == 4
        assert self._under_patch(5, (0.0, 0.45)).number == 5

    def test_a_weak_count_beside_it_does_not(self) -> None:
        assert self._under_patch(5, (0.0, 0.4), logit=1.5).number == 0

    def test_it_cannot_be_told_from_a_white_body(self) -> None:
        assert self._under_patch(4, (0.0, 0.0), body=225).number == 4
