# SPDX-License-Identifier: MIT
"""Records replayed by the rules: golden games, every prefix of any game, and broken lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.games import GAMES
from controller.journal.records.record import RecordHeader, record_text
from controller.journal.records.replay import build_result, replay
from tests.controller.games.playing import NAMES, random_game

GOLDEN = Path(__file__).parents[3] / "records"

HEADER = b'{"record": 1, "game": "choice", "players": ["Ada", "Ben"], "options": {}}\n'
ROLL = b'{"by": "Ada", "roll": "13446"}\n'
CHOICE = b'{"by": "Ada", "do": "4+10/4"}\n'


def golden(name: str) -> list[bytes]:
    """Return the lines of a game whose result was worked out apart from the rules."""
    return (GOLDEN / f"{name}.jsonl").read_bytes().splitlines(keepends=True)


def refusal(*lines: bytes) -> str:
    with pytest.raises(InputError) as refused:
        replay(lines)
    return str(refused.value)


class TestGoldenRecords:
    @pytest.mark.parametrize(
        ("name", "totals", "winners"),
        [
            ("choice-alone", {"Ada": -550}, ()),
            ("choice-three-players", {"Ada": 520, "Ben": -1270, "Cleo": 260}, ("Ada",)),
            ("choice-jokers-three-players", {"Ada": -380, "Ben": -660, "Cleo": -130}, ("Cleo",)),
            ("black-n-white-three-players", {"Ada": 0, "Ben": 1, "Cleo": 0}, ("Ada", "Cleo")),
            ("black-n-white-over-at-phase-two", {"Ada": 0, "Ben": 2}, ("Ada",)),
            ("wuerfelspiel-two-players", {"Ada": 1513, "Ben": 1589}, ("Ben",)),
        ],
    )
    def test_a_whole_game_has_the_result_worked_out_by_hand(
        self, name: str, totals: dict[str, int], winners: tuple[str, ...]
    ) -> None:
        found = build_result(name, replay(golden(name)))
        assert (found["finished"], found["expects"]) == (True, None)
        assert (found["totals"], found["winners"]) == (totals, winners)
        assert found["losers"] == tuple(player for player in totals if player not in winners)

    def test_a_game_that_is_over_says_in_which_phase(self) -> None:
        found = build_result("two", replay(golden("black-n-white-over-at-phase-two")))
        assert found["sheets"] == {"Ada": {"chips": 0, "phase": 2}, "Ben": {"chips": 2, "phase": 2}}

    def test_the_booklets_opening_has_the_booklets_sheet(self) -> None:
        found = build_result("booklet", replay(golden("choice-booklet-opening")))
        sums = dict.fromkeys(map(str, range(2, 13)), 0) | {"4": 3, "5": 1, "9": 2, "10": 2}
        sheet = {"sums": sums, "fifth": {"4": 1, "2": 1, "5": 1}, "jokers": []}
        assert json.loads(json.dumps(found)) == {
            "file": "booklet",
            "game": "choice",
            "finished": False,
            "totals": {"Ada": -800},
            "winners": [],
            "losers": [],
            "expects": {"roll": ["Ada"], "do": {}},
            "sheets": {"Ada": sheet},
        }


@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=30)
@given(players=st.integers(2, 4), seed=st.integers(0, 2**32), part=st.floats(0.0, 1.0))
def test_any_prefix_of_a_game_leads_to_the_games_own_position(
    key: str, players: int, seed: int, part: float
) -> None:
    start = GAMES[key].start(NAMES[:players], {})
    header = RecordHeader(key, start.players, start.options)
    game = list(random_game(GAMES[key], players, seed))
    count = round(part * (len(game) - 1))
    state = game[count][0]
    text = record_text(header, [event for _, event, _ in game[:count]])
    replayed = replay(text.encode().splitlines(keepends=True))
    assert replayed.state == state
    expects = state.expects()
    assert build_result("a", replayed)["expects"] == {"roll": expects.roll, "do": expects.do}


def test_while_players_choose_all_of_their_actions_are_expected() -> None:
    found = build_result("a", replay([HEADER, b'{"by": "Ada", "roll": "33333"}']))
    assert found["expects"] == {"roll": (), "do": {"Ada": ("6+6/3",), "Ben": ("6+6/3",)}}


def test_an_illegal_action_is_reported_with_its_line() -> None:
    assert refusal(HEADER, ROLL, CHOICE.replace(b"4+10/4", b"10+4/4")) == (
        "line 3: expected 4+8/6, 4+10/4, 5+7/6, 5+9/4, 5+10/3, 7+7/4, 7+8/3, 7+10/1, 8+9/1,"
        " found '10+4/4' by 'Ada', in choice, roll 13446"
    )


def test_a_roll_out_of_turn_is_told() -> None:
    assert refusal(HEADER, ROLL.replace(b"Ada", b"Ben")) == (
        "line 2: expected a roll by Ada, found 'roll 13446' by 'Ben', in choice, before a roll"
    )


def test_a_player_who_is_not_at_the_table_is_told() -> None:
    assert "expected an action by Ada, an action by Ben, found '4+10/4' by 'Zoe'" in refusal(
        HEADER, ROLL, CHOICE.replace(b"Ada", b"Zoe")
    )


def test_an_event_after_the_end_is_told() -> None:
    lines = golden("choice-alone")
    message = refusal(*lines, ROLL)
    assert message.startswith(f"line {len(lines) + 1}: expected nothing more, found 'roll 13446'")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "line 1: expected the header of a record, found an empty file"),
        ([ROLL], "line 1: expected the keys record, game, players"),
        ([HEADER, HEADER], "line 2: expected the keys by, do, found"),
        ([HEADER, ROLL[:-9]], "line 2: expected a JSON object (the file is torn here), found"),
        ([HEADER, b"\n", ROLL], "line 2: expected a JSON object, found '\\n'"),
        ([HEADER.replace(b"choice", b"halma")],
         "line 1, game: expected one of choice, black-n-white, wuerfelspiel, dice, found 'halma'"),
        ([HEADER.replace(b"Ben", b"Ada")],
         "line 1, players: expected every name once, found 'Ada' again"),
        ([HEADER.replace(b"Ben", b"")], "line 1, players: expected a name that is not empty"),
        ([HEADER.replace(b"{}", b'{"jokers": 1}')],
         "line 1, jokers: expected true or false, found 1"),
        ([HEADER.replace(b"{}", b'{"chips_per_player": 2}')],
         "line 1, options: expected no option but jokers or secret, found 'chips_per_player'"),
    ],
)  # fmt: skip
def test_a_broken_record_is_told_with_its_line(lines: list[bytes], message: str) -> None:
    assert refusal(*lines).startswith(message)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
fields = st.dictionaries(
    st.sampled_from(["record", "game", "players", "options", "by", "roll", "do", "x"]),
    st.sampled_from([1, "choice", ["Ada"], {"jokers": False}, "Ada", "13446", "4+10/4"]) | junk,
    max_size=5,
)
any_line = st.binary(max_size=40) | (fields | junk).map(lambda value: json.dumps(value).encode())


@settings(max_examples=300)
@given(st.lists(any_line, max_size=3), st.lists(any_line, max_size=3))
def test_any_lines_are_a_record_or_wrong_input(first: list[bytes], rest: list[bytes]) -> None:
    for lines in (first, [HEADER, ROLL, *rest], [HEADER, *rest]):
        try:
            json.dumps(build_result("a", replay([line + b"\n" for line in lines])))
        except InputError as error:
            message = str(error)
            assert message.startswith("line ")
            assert "\n" not in message


def test_a_record_torn_anywhere_but_between_two_lines_is_told() -> None:
    data = (GOLDEN / "choice-booklet-opening.jsonl").read_bytes()
    for cut in range(1, len(data)):
        lines = data[:cut].splitlines(keepends=True)
        if b"\n" in data[cut - 1 : cut + 1]:
            replay(lines)
            continue
        message = refusal(*lines)
        assert message.startswith(f"line {len(lines)}: expected a JSON object (the file is torn")
