# SPDX-License-Identifier: MIT
"""Witnesses are weighed into two probabilities; weights come from a file that is checked."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.faces import make_proposal
from vision.nets.onnx_net import WeightsError
from vision.nets.weighing import (
    DIE_FEATURES,
    NUMBER_FEATURES,
    RIGHT_FEATURES,
    Evidence,
    Weighing,
    logit,
)

_WEIGHING = Weighing(
    die_weights=(-2.0, 0.5, 0.6, 0.4, 0.3, 0.7, 0.2, -0.2),
    right_weights=(-2.0, 0.6, 0.5, 0.4, -0.2, 0.3, 0.8, 0.2, -0.2),
    number_weights=(-1.0, 0.6, 0.5, 0.4, -0.2, 0.8),
    least_right=0.98,
    least_right_told=0.98,
    least_number=0.99,
    least_die=0.1,
    least_die_missing=0.2,
    least_die_met=0.5,
    most_odd=0.9,
)
_SHARES = st.lists(st.floats(0.0, 1.0), min_size=7, max_size=7)


def _shares(number: int, share: float) -> NDArray[np.float64]:
    """Probabilities of which one is this and the others are equal."""
    shares = np.full(7, (1.0 - share) / 6.0)
    shares[number] = share
    return shares


def _evidence(
    number: int = 4,
    *,
    likeness: float = 0.9,
    tile: float = 0.95,
    opinion: float = 0.9,
    pips: float = 0.8,
    edge_px: float = 40.0,
) -> Evidence:
    """All witnesses for one number."""
    counts = np.zeros(7)
    counts[number] = pips
    proposal = make_proposal(half_edges=np.eye(2) * edge_px / 2.0, likeness=likeness)
    return Evidence(proposal, _shares(number, tile), _shares(number, opinion), counts)


def _normed(shares: list[float]) -> NDArray[np.float64]:
    values = np.array(shares) + 1e-3
    return np.asarray(values / values.sum())


class TestNumber:
    @pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
    def test_what_all_say_is_the_number(self, number: int) -> None:
        assert _WEIGHING.weigh(_evidence(number)).number == number

    def test_no_upper_face_is_no_number(self) -> None:
        evidence = replace(_evidence(3, tile=0.1), tile=_shares(0, 0.9), opinion=_shares(0, 0.9))
        assert evidence.number == 3

    def test_two_sure_witnesses_outweigh_an_unsure_one(self) -> None:
        evidence = replace(_evidence(6, tile=0.99, pips=0.9), opinion=_shares(5, 0.6))
        assert evidence.number == 6

    def test_a_witness_that_excludes_a_number_is_no_veto(self) -> None:
        evidence = replace(_evidence(2, tile=0.99, opinion=0.99), pips=np.zeros(7))
        assert evidence.number == 2


class TestFeatures:
    def test_there_is_one_feature_for_each_name(self) -> None:
        assert _evidence().die_features().shape == (len(DIE_FEATURES),)
        assert _evidence().right_features().shape == (len(RIGHT_FEATURES),)
        assert _evidence().number_features().shape == (len(NUMBER_FEATURES),)

    def test_certainties_stay_finite(self) -> None:
        proposal = make_proposal(half_edges=np.eye(2) * 2.5, likeness=1.0)
        certain = Evidence(proposal, _shares(1, 1.0), _shares(1, 1.0), np.zeros(7))
        assert np.isfinite(certain.die_features()).all()
        assert np.isfinite(certain.right_features()).all()
        assert logit(0.0) == pytest.approx(-logit(1.0))
        assert logit(0.5) == pytest.approx(0.0)

    def test_size_counts_for_small_faces_only(self) -> None:
        small, usual, large = (
            _evidence(edge_px=px).die_features()[DIE_FEATURES.index("size")] for px in (12, 24, 200)
        )
        assert small == pytest.approx(np.log(0.5))
        assert usual == large == 0.0


class TestWeigh:
    def test_agreement_is_right_and_contradiction_is_not(self) -> None:
        agreed = _WEIGHING.weigh(_evidence(4, tile=0.99, opinion=0.99))
        differs = _WEIGHING.weigh(replace(_evidence(4), opinion=_shares(5, 0.95)))
        assert agreed.right > 0.98
        assert differs.right < 0.9

    def test_weak_pips_are_no_veto_against_two_sure_nets(self) -> None:
        two, sure = 0.2 * np.eye(7)[2], replace(_evidence(4, tile=0.99, opinion=0.99))
        assert replace(sure, pips=two).agree
        assert not replace(sure, pips=2.0 * two).agree
        assert not replace(_evidence(4, tile=0.6, opinion=0.99), pips=two).agree

    @pytest.mark.parametrize("share", [0.02, 0.1])
    def test_spots_that_explain_no_number_need_surer_nets(self, share: float) -> None:
        spots = share * np.eye(7)[4]
        assert replace(_evidence(4, tile=0.8, opinion=0.99), pips=spots).agree is (share > 0.05)
        assert replace(_evidence(4, tile=0.95, opinion=0.99), pips=spots).agree

    @pytest.mark.parametrize("pips", [np.eye(7)[4], np.eye(7)[0], 0.2 * np.eye(7)[4], np.zeros(7)])
    def test_beside_glare_the_pips_must_give_the_number(self, pips: NDArray[np.float64]) -> None:
        five = replace(_evidence(5, tile=0.99, opinion=0.99), pips=pips)
        assert not replace(five, has_glare=True).agree
        assert replace(_evidence(5), has_glare=True).agree

    def test_a_die_may_be_there_though_its_number_is_open(self) -> None:
        even = np.array([0.001, *[0.1665] * 6])
        verdict = _WEIGHING.weigh(
            Evidence(make_proposal(likeness=0.98), even, even, np.full(7, 0.1))
        )
        assert verdict.die > 0.9
        assert verdict.right < 0.2

    def test_the_number_of_a_known_die_does_not_rest_on_the_finder(self) -> None:
        likely, unlikely = (
            _WEIGHING.weigh_number(_evidence(4, tile=0.99, opinion=0.99, likeness=likeness))
            for likeness in (0.95, 0.02)
        )
        assert likely == unlikely > 0.9

    def test_the_number_of_a_known_die_needs_the_counted_pips(self) -> None:
        """Weak pips of another number are no veto elsewhere, but both nets may see a bad cut."""
        sure = replace(_evidence(6, tile=0.99, opinion=0.99), pips=0.2 * np.eye(7)[3])
        assert sure.agree
        assert _WEIGHING.weigh_number(sure) == 0.0
        assert _WEIGHING.weigh_number(replace(sure, pips=np.zeros(7))) == 0.0

    @given(_SHARES, _SHARES, _SHARES, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
    def test_more_agreement_never_lowers_right(
        self, tile: list[float], opinion: list[float], pips: list[float], more: float, like: float
    ) -> None:
        before = Evidence(
            make_proposal(likeness=like), _normed(tile), _normed(opinion), np.array(pips)
        )
        number = before.number
        sure = np.eye(7)[number]
        right = _WEIGHING.weigh(before).right
        for after in (
            replace(before, tile=(1.0 - more) * before.tile + more * sure),
            replace(before, opinion=(1.0 - more) * before.opinion + more * sure),
            replace(before, pips=np.maximum(before.pips, more * sure)),
            replace(before, pips=np.where(sure > 0, before.pips, before.pips * (1.0 - more))),
            replace(before, proposal=make_proposal(likeness=max(like, more))),
        ):
            verdict = _WEIGHING.weigh(after)
            assert verdict.number == number
            assert verdict.right >= right - 1e-12

    @given(_SHARES, _SHARES, _SHARES, st.floats(0.0, 1.0), st.floats(1.0, 500.0))
    def test_probabilities_stay_between_0_and_1(
        self, tile: list[float], opinion: list[float], pips: list[float], like: float, px: float
    ) -> None:
        proposal = make_proposal(half_edges=np.eye(2) * px / 2.0, likeness=like)
        verdict = _WEIGHING.weigh(
            Evidence(proposal, _normed(tile), _normed(opinion), np.array(pips))
        )
        assert 0.0 <= verdict.die <= 1.0
        assert 0.0 <= verdict.right <= 1.0
        assert 1 <= verdict.number <= 6


class TestFile:
    def write(self, folder: Path, **changes: object) -> Path:
        path = folder / "weighing.json"
        path.write_text(json.dumps({**asdict(_WEIGHING), **changes}))
        return path

    def test_what_is_written_is_loaded(self, tmp_path: Path) -> None:
        assert Weighing.load(self.write(tmp_path)) == _WEIGHING

    def test_the_project_s_own_weights_believe_what_all_say(self) -> None:
        weighing = Weighing.load()
        certain = _evidence(5, likeness=0.999, tile=0.999, opinion=0.999, pips=0.99)
        assert weighing.weigh(certain).right >= weighing.least_right
        differs = replace(certain, opinion=_shares(4, 0.999), pips=np.full(7, 1e-4))
        assert weighing.weigh(differs).right < weighing.least_right
        limits = weighing.least_die, weighing.least_die_missing, weighing.least_die_met
        assert list(limits) == sorted(limits)

    def test_a_missing_file_says_how_to_get_one(self, tmp_path: Path) -> None:
        with pytest.raises(WeightsError, match=r"found no such file; .*make train"):
            Weighing.load(tmp_path / "weighing.json")

    @pytest.mark.parametrize(
        "content", [b"", b"{", b"[1, 2]", b"null", b"{}", b'{"die_weights": "x"}', b"\xff\xfe\x00"]
    )
    def test_a_torn_file_is_refused(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "weighing.json"
        path.write_bytes(content)
        with pytest.raises(WeightsError, match=r"weighing\.json: expected the weights"):
            Weighing.load(path)

    @pytest.mark.parametrize(
        "changes", [{"die_weights": [1.0, "two"]}, {"die_weights": 3.0}, {"least_right": [0.9]}]
    )
    def test_other_values_are_refused(self, tmp_path: Path, changes: dict[str, object]) -> None:
        with pytest.raises(WeightsError, match="holds no weights"):
            Weighing.load(self.write(tmp_path, **changes))

    @pytest.mark.parametrize("name", ["right_weights", "least_die_met", "most_odd"])
    def test_a_missing_value_is_refused(self, tmp_path: Path, name: str) -> None:
        path = self.write(tmp_path)
        values = json.loads(path.read_text())
        del values[name]
        path.write_text(json.dumps(values))
        with pytest.raises(WeightsError, match="holds no weights"):
            Weighing.load(path)

    @pytest.mark.parametrize("name", ["die_weights", "right_weights"])
    def test_weights_of_other_features_are_refused(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(WeightsError, match="another number of weights"):
            Weighing.load(self.write(tmp_path, **{name: [1.0, 2.0]}))
