# SPDX-License-Identifier: MIT
"""Summarize the results of many scenes, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from controller.cli.bench_reader.binomial import upper_bound
from controller.cli.bench_reader.face_shift import FaceShift, measure_face_shift
from controller.cli.bench_reader.scene_accuracy import SceneOutcome, SceneResult, needs_review


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """How often each outcome occurred."""

    scenes: int
    # How many of each outcome, in the order of `SceneOutcome`; those that are.
    outcomes: tuple[tuple[SceneOutcome, int], ...]
    doubts: tuple[tuple[str, int], ...]  # Scenes by kind of doubt, most frequent first.

    @property
    def silently_wrong(self) -> int:
        """How many readings were believed and are not true."""
        return sum(count for outcome, count in self.outcomes if outcome.is_silently_wrong)

    @property
    def most_wrong(self) -> float:
        """The rate of silently wrong readings that is not exceeded with 95 % confidence."""
        return upper_bound(self.silently_wrong, self.scenes)


def count_outcomes(results: Iterable[SceneResult]) -> OutcomeCounts:
    results = tuple(results)
    outcomes = Counter(result.outcome for result in results)
    doubts = Counter(doubt for result in results for doubt in result.doubts)
    counted = tuple((outcome, outcomes[outcome]) for outcome in SceneOutcome if outcomes[outcome])
    return OutcomeCounts(len(results), counted, tuple(doubts.most_common()))


def to_row(counted: OutcomeCounts) -> dict[str, object]:
    return {
        "scenes": counted.scenes,
        "outcomes": {outcome.value: count for outcome, count in counted.outcomes},
        "silently_wrong": counted.silently_wrong,
        "silently_wrong_at_most": round(counted.most_wrong, 6),
        "doubts": dict(counted.doubts),
    }


def write_table(
    kinds: Mapping[str, OutcomeCounts], outcomes: Sequence[SceneOutcome], *, trials: str
) -> Iterator[str]:
    """Yield the lines of a table: a row for each kind, a column for each outcome."""
    yield _columns(["", trials, *(outcome.value for outcome in outcomes), "wrong at most"])
    for kind, counted in kinds.items():
        yield _columns(_cells(kind, counted, outcomes))


def to_json(results: Sequence[SceneResult]) -> dict[str, object]:
    """Return the summary of the results for JSON."""
    dice, right = count_polarities(results)
    return {
        "all": to_row(count_outcomes(results)),
        "kinds": {kind: to_row(counted) for kind, counted in _by_kind(results).items()},
        "polarity": {"dice": dice, "right": right},
        "faces": asdict(measure_face_shift(results)),
        "seeds": list_review_seeds(results),
    }


def to_text(results: Sequence[SceneResult]) -> str:
    """Write the results for people: a table, what was doubted, and what to look at."""
    if not results:
        return "no scene was examined\n"
    kinds = {"all": count_outcomes(results), **_by_kind(results)}
    dice, right = count_polarities(results)
    outcomes = [outcome for outcome in SceneOutcome if outcome is not SceneOutcome.ELSEWHERE]
    lines = [*write_table(kinds, outcomes, trials="scenes")]
    lines += ["", "misread and believed are wrong; at most: with 95 % confidence"]
    lines.append(f"polarity right on {right:,} of {dice:,} dice that were read")
    lines += _list_shifts(measure_face_shift(results))
    for kind, counted in kinds.items():
        if counted.doubts:
            told = ", ".join(f"{doubt} {count}" for doubt, count in counted.doubts)
            lines.append(f"doubts told, {kind}: {told}")
    for what, seeds in list_review_seeds(results).items():
        lines.append(f"seeds, {what}: {' '.join(map(str, seeds))}")
    return "\n".join(lines) + "\n"


def count_polarities(results: Iterable[SceneResult]) -> tuple[int, int]:
    """Return how many dice were read on exact scenes, and of how many the polarity is right."""
    told = [result.polarities for result in results]
    return sum(dice for dice, _ in told), sum(right for _, right in told)


def list_review_seeds(results: Iterable[SceneResult]) -> dict[str, list[int]]:
    """Return the seeds of scenes that a person should see, by what came of them."""
    seeds: dict[str, list[int]] = {}
    for result in sorted(results, key=lambda result: (result.kind, result.seed)):
        if needs_review(result):
            seeds.setdefault(f"{result.kind} {result.outcome.value}", []).append(result.seed)
    return seeds


def _list_shifts(found: FaceShift) -> Iterator[str]:
    """Yield how far doubts and misreadings shift the share of each face."""
    if not found.believed:
        return
    yield f"faces on clean trays: {found.believed:,} of {found.dice:,} dice in believed scenes"
    for face, row in enumerate(
        zip(found.true, found.read, found.shifts, found.errors, strict=True), start=1
    ):
        true, read, shift, error = row
        yield f"  {face}: {true:.4f} of all, {read:.4f} as read, {shift:+.4f} +- {error:.4f}"


def _by_kind(results: Sequence[SceneResult]) -> dict[str, OutcomeCounts]:
    kinds = sorted({result.kind for result in results})
    return {
        kind: count_outcomes(result for result in results if result.kind == kind) for kind in kinds
    }


def _cells(kind: str, counted: OutcomeCounts, outcomes: Sequence[SceneOutcome]) -> list[str]:
    """Return a row of the table; a dash where an outcome did not come up."""
    found = dict(counted.outcomes)
    cells = (
        f"{found[one]:,} {found[one] / counted.scenes:6.1%}" if one in found else "-"
        for one in outcomes
    )
    return [kind, f"{counted.scenes:,}", *cells, f"{counted.most_wrong:.2%}"]


def _columns(cells: Sequence[str]) -> str:
    first, *others = cells
    return f"{first:16}" + "".join(f"{cell:>15}" for cell in others)
