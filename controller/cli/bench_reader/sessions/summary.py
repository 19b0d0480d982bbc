# SPDX-License-Identifier: MIT
"""
Summarize the results of many sessions, as text and as JSON.

The throws at one table have their light, ground and camera in common, so a bound over throws
alone would promise too much. The share of tables with a wrong reading is bounded too.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence

from controller.cli.bench_reader.binomial import upper_bound
from controller.cli.bench_reader.scene_accuracy import SceneOutcome, SceneResult
from controller.cli.bench_reader.sessions.examine import (
    CLUTTERED,
    TIDY,
    SessionResult,
    ThrowResult,
    needs_review,
)
from controller.cli.bench_reader.summary import OutcomeCounts, count_outcomes, to_row, write_table
from vision.training.scenes.session import Fault

_FAIR = (TIDY, CLUTTERED)


def to_json(results: Sequence[SessionResult]) -> dict[str, object]:
    """Return the summary of the results for JSON."""
    wrong, at_most = _bound_tables(results)
    return {
        "sessions": len(results),
        "kinds": {kind: to_row(counted) for kind, counted in _count_kinds(results).items()},
        "tables_with_wrong": wrong,
        "tables_with_wrong_at_most": round(at_most, 6),
        "review": [_describe(*one) for one in _list_reviews(results)],
        "not_held": {result.seed: result.problem for result in results if result.problem},
        "times_ms": _measure_times(results),
    }


def to_text(results: Sequence[SessionResult]) -> str:
    """Write the results for people: a table, the doubts, and what a person should review."""
    if not results:
        return "no table was examined\n"
    kinds = _count_kinds(results)
    outcomes = (
        *(SceneOutcome.EXACT, SceneOutcome.MISREAD, SceneOutcome.DOUBTED),
        *(SceneOutcome.TOLD, SceneOutcome.ELSEWHERE, SceneOutcome.BELIEVED),
    )
    wrong, at_most = _bound_tables(results)
    lines = [
        *write_table(kinds, outcomes, trials="throws"),
        "",
        "told: a doubt is at the fault; misread and believed are wrong; at most: with 95 %"
        " confidence, if throws were independent",
        f"tables with a wrong reading: {wrong} of {_count_held(results)}, at most {at_most:.1%}",
    ]
    lines += [
        f"doubts, {kind}: {', '.join(f'{name} {count}' for name, count in kinds[kind].doubts)}"
        for kind in ("fair", *_FAIR)
        if kind in kinds and kinds[kind].doubts
    ]
    lines += [f"{name}: {value:,.0f} ms" for name, value in _measure_times(results).items()]
    lines += [f"table {one.seed} was left out: {one.problem}" for one in results if one.problem]
    lines += [_write_review(result, throw) for result, throw in _list_reviews(results)]
    return "\n".join(lines) + "\n"


def is_any_wrong(results: Iterable[SessionResult]) -> bool:
    """Return whether something was believed that is not true."""
    return any(map(_is_wrong, results))


def _is_wrong(result: SessionResult) -> bool:
    return any(throw.graded.outcome.is_silently_wrong for throw in result.throws)


def _bound_tables(results: Sequence[SessionResult]) -> tuple[int, float]:
    """Return how many tables had a wrong reading, and the share that is not exceeded."""
    wrong = sum(map(_is_wrong, results))
    return wrong, upper_bound(wrong, _count_held(results))


def _count_held(results: Iterable[SessionResult]) -> int:
    return sum(not result.problem for result in results)


def _count_kinds(results: Iterable[SessionResult]) -> Mapping[str, OutcomeCounts]:
    """Count the outcomes of all fair throws, of both kinds of them, and of each fault."""
    graded = [throw.graded for result in results for throw in result.throws]
    kinds = {"fair": _FAIR} | {kind: (kind,) for kind in (*_FAIR, *(one.value for one in Fault))}
    chosen: dict[str, list[SceneResult]] = {
        name: [one for one in graded if one.kind in members] for name, members in kinds.items()
    }
    return {name: count_outcomes(found) for name, found in chosen.items() if found}


def _measure_times(results: Iterable[SessionResult]) -> dict[str, float]:
    """Return milliseconds of processor time."""
    held = [result for result in results if result.throws]
    readings = [throw.elapsed_ms for result in held for throw in result.throws]
    if not readings:
        return {}
    return {
        "reading, median": round(statistics.median(readings), 1),
        "reading, longest": round(max(readings), 1),
        "preparing a reader, median": round(statistics.median(one.prepared_ms for one in held), 1),
    }


def _list_reviews(results: Iterable[SessionResult]) -> Iterator[tuple[SessionResult, ThrowResult]]:
    """Yield the throws that a person should see, the wrong readings first."""
    found = [(one, throw) for one in results for throw in one.throws if needs_review(throw)]
    yield from sorted(found, key=lambda pair: not pair[1].graded.outcome.is_silently_wrong)


def _describe(result: SessionResult, throw: ThrowResult) -> dict[str, object]:
    graded = throw.graded
    return {
        "seed": result.seed,
        "throw": throw.number,
        "kind": graded.kind,
        "outcome": graded.outcome.value,
        "dice": _list_faces(graded.dice),
        "read": _list_faces(graded.believed),
        "doubts": list(graded.doubts),
    }


def _write_review(result: SessionResult, throw: ThrowResult) -> str:
    graded = throw.graded
    line = f"table {result.seed}, throw {throw.number}, {graded.kind}: {graded.outcome.value}"
    if not graded.outcome.is_silently_wrong:
        return f"{line} ({', '.join(graded.doubts)})"
    true, read = (
        " ".join(map(str, _list_faces(one))) or "nothing" for one in (graded.dice, graded.believed)
    )
    return f"{line}, {true} read as {read}"


def _list_faces(counts: Sequence[int]) -> list[int]:
    """Return the faces of these counts, sorted."""
    return [face for face, count in enumerate(counts, start=1) for _ in range(count)]
