# SPDX-License-Identifier: MIT
"""
The rules and their twin say the same, at every step of random games.

Two programs written apart from the same text seldom make the same mistake. `--twin-games`
lets them play more games against each other than a test run has time for.
"""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest

from controller.base.errors import IllegalActionError
from controller.games import GAMES, require_game
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet, FifthDieRow
from controller.games.contract import GameState
from controller.games.wuerfelspiel.sheet import ROWS, score_row
from controller.journal.records.record import parse_event, parse_header
from controller.journal.records.replay import ReplayResult, build_result
from tests.support.twin import TWINS, Record, Refused, Twin, Written, twin_of
from tests.support.twin.choice import ChoiceTwin
from tests.support.twin.play import FALLS, LIKINGS, some_event, some_header, some_mischief
from tests.support.twin.wuerfelspiel import UPPER, points

# A game, its options and the most players.
TABLES: dict[str, tuple[str, Record, int]] = {
    "choice": ("choice", {"jokers": False}, 6),
    "choice with jokers": ("choice", {"jokers": True}, 6),
    "black-n-white": ("black-n-white", {"chips_per_player": 2}, 5),
    "black-n-white, one chip each": ("black-n-white", {"chips_per_player": 1}, 5),
    "black-n-white, four chips each": ("black-n-white", {"chips_per_player": 4}, 5),
    "wuerfelspiel of one or two": ("wuerfelspiel", {}, 2),
    "wuerfelspiel": ("wuerfelspiel", {}, 6),
    "dice": ("dice", {"dice": 6}, 6),
    "dice, one of them": ("dice", {"dice": 1}, 3),
}
# Six players take more than a thousand events.
LONG = {"wuerfelspiel"}
MANY_EVENTS = 20_000

GOLDEN = Path(__file__).parents[2] / "records"

every_table = pytest.mark.parametrize("table", TABLES)


@pytest.fixture
def twin_games(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.getoption("--twin-games"))


def line(fields: Record) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def started(header: Record) -> GameState:
    head = parse_header(line(header))
    return require_game(head.game).start(head.players, head.options)


def in_no_order(written: Written) -> Written:
    """Sort what a replay prints in an order that means nothing."""
    expects = written["expects"]
    if expects is not None:
        actions = {name: sorted(texts) for name, texts in expects["do"].items()}
        expects = {"roll": sorted(expects["roll"]), "do": actions}
    return {**written, "expects": expects}


def printed(game: str, state: GameState) -> Written:
    """Return what `dicebell replay --json` prints, but for the name of the file."""
    written: Written = json.loads(json.dumps(build_result("", ReplayResult(game, state))))
    del written["file"]
    return written


def agree(twin: Twin, state: GameState, played: list[Record]) -> None:
    """Fail where they say different things; the record says how it came to that."""
    record = "\n".join(json.dumps(fields) for fields in played)
    assert in_no_order(printed(twin.game, state)) == in_no_order(twin.written()), record


def agree_after(event: Record, twin: Twin, state: GameState, played: list[Record]) -> bool:
    """Offer both the same event; return whether they both take it, and fail where one does."""
    other, story = copy.deepcopy(twin), "\n".join(json.dumps(fields) for fields in [*played, event])
    try:
        other.take(event)
    except Refused:
        assert is_refused(state, event), f"taken by the product alone:\n{story}"
        return False
    assert not is_refused(state, event), f"taken by the twin alone:\n{story}"
    agree(other, state.apply(parse_event(line(event))), [*played, event])
    return True


def is_refused(state: GameState, event: Record) -> bool:
    try:
        state.apply(parse_event(line(event)))
    except IllegalActionError:
        return True
    return False


def play(header: Record, seed: int) -> None:
    """Play a whole game on both, with an eye on every position and some mischief in between."""
    chance = random.Random(seed)
    liking = chance.choice(LIKINGS)
    twin, state, played = twin_of(header), started(header), [header]
    twin.faces = chance.choice(FALLS)
    while not twin.is_over():
        assert len(played) < MANY_EVENTS, f"no end of {header} (seed {seed})"
        agree(twin, state, played)
        if chance.random() < 0.3:
            agree_after(some_mischief(twin, chance, played[1:]), twin, state, played)
        event = some_event(twin, liking, chance)
        twin.take(event)
        played.append(event)
        state = state.apply(parse_event(line(event)))
    agree(twin, state, played)
    last = played[-1]
    assert not agree_after(last, twin, state, played)


@every_table
def test_the_twin_agrees_at_every_step_of_random_games(table: str, twin_games: int) -> None:
    game, options, most = TABLES[table]
    for seed in range(twin_games if table not in LONG else -(-twin_games // 8)):
        play(some_header(game, random.Random(seed), options, most), seed)


# Ends that random dice seldom come to, as pairs of a roll and what is done with it.
EDGES: dict[str, tuple[Record, list[tuple[str, str]], int]] = {
    "alone with nothing at all": (
        {"record": 1, "game": "choice", "players": ["Ada"]},
        [("44551", "9+9/1"), *[("34451", "7+9/1")] * 5, *[("44451", "8+9/1")] * 2],
        0,
    ),
    "a bonus at 63": (
        {"record": 1, "game": "wuerfelspiel", "players": ["Ada"]},
        [(f"{f}{f}{f}{f % 6 + 1}{f % 6 + 1}", f"{UPPER[f - 1]}*1") for f in range(1, 7)],
        63 + 35,
    ),
    "no bonus at 62": (
        {"record": 1, "game": "wuerfelspiel", "players": ["Ada"]},
        [("11222", "ones*3"), *((f"{f}{f}{f}11", f"{UPPER[f - 1]}*3") for f in range(2, 7))],
        3 * 62,
    ),
}


@pytest.mark.parametrize("edge", EDGES)
def test_the_twin_agrees_at_the_edges(edge: str) -> None:
    header, turns, total = EDGES[edge]
    twin, state, played = twin_of(header), started(header), [header]
    for roll, action in turns:
        for event in ({"by": "Ada", "roll": roll}, {"by": "Ada", "do": action}):
            played.append(event)
            assert agree_after(event, twin, state, played)
            twin.take(event)
            state = state.apply(parse_event(line(event)))
    assert state.totals() == {"Ada": total}


def test_the_twin_agrees_on_what_every_roll_counts_in_every_row() -> None:
    for faces in combinations_with_replacement(range(1, 7), 5):
        for row in ROWS:
            assert score_row(row, faces) == points(row, list(faces)), (row, faces)


def test_the_twin_agrees_on_every_fifth_die_table() -> None:
    header = {"record": 1, "game": "choice", "players": ["Ada"], "options": {"jokers": True}}
    start, twin = started(header), ChoiceTwin(header)
    assert isinstance(start, ChoiceState)
    for faces in combinations_with_replacement(range(1, 7), 5):
        twin.dice["Ada"] = "".join(map(str, faces))
        for count in range(4):
            for listed in combinations(range(1, 7), count):
                twin.fifth["Ada"] = dict.fromkeys(listed, 1)
                sheet = ChoiceSheet(fifth=tuple(FifthDieRow(face, 1) for face in listed))
                state = replace(start, sheets=(sheet,), faces=faces)
                assert sorted(state.legal_actions("Ada")) == sorted(twin.may_do("Ada"))


@pytest.mark.parametrize("record", sorted(GOLDEN.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_twin_agrees_on_every_golden_record(record: Path) -> None:
    header, *events = [json.loads(text) for text in record.read_bytes().splitlines()]
    twin, state, played = twin_of(header), started(header), [header]
    for event in events:
        twin.take(event)
        played.append(event)
        state = state.apply(parse_event(line(event)))
        agree(twin, state, played)


def test_every_game_has_a_twin() -> None:
    assert set(TWINS) == set(GAMES) == {game for game, _, _ in TABLES.values()}
