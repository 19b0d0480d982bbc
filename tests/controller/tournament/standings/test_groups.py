# SPDX-License-Identifier: MIT
"""Sections have places of their own, teams add up their members, and officials enter both."""

from __future__ import annotations

import random
from typing import Any

import pytest

from controller.tournament.entries.event_entries import EventResult, PenaltyGiven
from controller.tournament.entries.player_entries import (
    GroupEntry,
    PlayerJoined,
    PlayerWithdrawn,
    SectionNamed,
    TeamNamed,
)
from controller.tournament.results.public_files import build_result_csv, build_standings_view
from controller.tournament.results.result_sheet import (
    build_result_sheet,
    format_score,
    list_decisions,
    list_group_winners,
)
from controller.tournament.standings.groups import rank_teams
from controller.tournament.standings.rows import TeamRow
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event
from tests.controller.tournament.state.test_table_rounds import begin_event, play_round

GROUPS = {1: ("Juniors", "Club A"), 2: ("Ladies", "Club A"), 3: ("Juniors", "Club B")}


def set_groups(event: PlayedEvent, groups: dict[int, tuple[str, str]] = GROUPS) -> None:
    for player, (section, team) in groups.items():
        event.write(SectionNamed(player, section, "Olga"))
        event.write(TeamNamed(player, team, "Olga"))


def score(event: PlayedEvent, **points: int) -> None:
    """Give the players p1, p2, and so on these points by penalties; nobody has played."""
    for player, number in points.items():
        event.write(PenaltyGiven(int(player[1:]), -number, "Olga", "by hand"))


def list_sections(event: PlayedEvent) -> list[tuple[int, int, str, int]]:
    rows = event.state.compute_standings().rows
    return [(row.player, row.place, row.section, row.section_place) for row in rows]


def list_teams(event: PlayedEvent) -> list[tuple[int, str, int, tuple[int, ...], int]]:
    teams = event.state.compute_standings().teams
    return [(each.place, each.team, each.score, each.players, each.counted) for each in teams]


def test_places_in_a_section_follow_the_whole_order() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=5)
    set_groups(event, {**GROUPS, 4: ("Juniors", "Club B")})
    score(event, p1=50, p2=90, p3=50, p4=10, p5=20)
    assert list_sections(event) == [
        (2, 1, "Ladies", 1),
        (1, 2, "Juniors", 1),
        (3, 2, "Juniors", 1),
        (5, 4, "", 0),
        (4, 5, "Juniors", 3),
    ]


def test_who_has_too_few_rolls_has_no_place_in_a_section() -> None:
    event = PlayedEvent(duplicate_event(games=1, absence="worst"), players=2)
    event.open_game()
    event.play_game(random.Random(3))
    event.write(PlayerJoined(3, "Cleo"))
    set_groups(event)
    rows = event.state.compute_standings().rows
    assert [row.has_place for row in rows] == [True, True, False]
    assert build_result_csv(event.state).endswith(b",Juniors,,Club B\r\n")
    sheet: dict[str, Any] = build_result_sheet(event.state)
    assert [row["groups"] for row in sheet["rows"]][2] == ["Juniors", "Club B"]
    assert sheet["firsts"][0]["names"] == ["1. Player 1"]
    event.write(SectionNamed(3, "Late", "Olga"))
    event.write(EventResult(event.state.compute_standings().list_places(), "Olga"))
    winners = [each for each in list_group_winners(event.state) if "Winner" in each]
    assert winners == ["Winner in Juniors: Player 1", "Winner in Ladies: Player 2"]


def test_a_team_has_the_sum_of_its_members() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=5)
    set_groups(event, {**GROUPS, 4: ("Juniors", "Club B")})
    score(event, p1=50, p2=-90, p3=5, p4=10, p5=20)
    assert list_teams(event) == [(1, "Club B", 15, (4, 3), 2), (2, "Club A", -40, (1, 2), 2)]


def test_the_best_members_of_a_team_count() -> None:
    event = PlayedEvent(duplicate_event(games=1, team_best=2), players=6)
    set_groups(event, dict.fromkeys((1, 2, 3), ("Open", "Big")))
    set_groups(event, dict.fromkeys((4, 5), ("Open", "Small")))
    score(event, p1=10, p2=40, p3=30, p4=60, p5=20, p6=99)
    assert list_teams(event) == [
        (1, "Small", 80, (4, 5), 2),
        (2, "Big", 70, (2, 3, 1), 2),
    ]
    sheet: dict[str, Any] = build_result_sheet(event.state)
    assert "The results of the best 2 members of a team are added up." in sheet["rules"]
    assert [each["counts"] for each in sheet["teams"][1]["members"]] == [True, True, False]


def test_equal_teams_are_ordered_by_their_best_member() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=6)
    set_groups(event, {1: ("A", "Even"), 2: ("A", "Even"), 3: ("A", "Odd"), 4: ("A", "Odd")})
    score(event, p1=30, p2=30, p3=20, p4=40)
    assert [each[:3] for each in list_teams(event)] == [(1, "Odd", 60), (2, "Even", 60)]
    score(event, p3=10, p4=-10)
    assert [each[:3] for each in list_teams(event)] == [(1, "Even", 60), (1, "Odd", 60)]
    set_groups(event, {5: ("B", "Last")})
    assert [each[0] for each in list_teams(event)] == [1, 1, 3]


def test_teams_of_an_event_of_tables_add_points_of_tables() -> None:
    event = begin_event(8)
    set_groups(event, {number: ("Open", f"Club {number % 2}") for number in range(1, 9)})
    play_round(event)
    teams = event.state.compute_standings().teams
    assert sum(each.score for each in teams) == 2 * (24 + 16 + 8)
    assert rank_teams((), 0) == ()


def test_a_group_that_nobody_has_is_gone() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=3)
    before = build_standings_view(event.state), build_result_csv(event.state)
    set_groups(event)
    assert build_standings_view(event.state) != before[0]
    set_groups(event, dict.fromkeys(GROUPS, ("", "")))
    assert (build_standings_view(event.state), build_result_csv(event.state)) == before
    assert event.state.data.people.sections.list_names() == []


def test_files_name_sections_and_teams() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=4)
    set_groups(event)
    score(event, p3=5)
    view: dict[str, Any] = build_standings_view(event.state)
    assert {"section": "Juniors", "section_place": 1, "team": "Club B"}.items() <= (
        view["rows"][0].items()
    )
    assert not {"section", "section_place", "team"} & {*view["rows"][3]}
    first = {"place": 1, "team": "Club B", "score": 5, "players": [3], "counted": 1}
    assert view["teams"][0] == first
    head, row, *_, last = build_result_csv(event.state).decode("utf-8-sig").splitlines()
    assert head.endswith(",not played whole,section,place in section,team")
    assert row.endswith(",Juniors,1,Club B")
    assert last.endswith(",,,")


@pytest.mark.parametrize(
    ("entry", "code", "words"),
    [
        (SectionNamed(5, "Juniors", "Olga"), "unknown", "section.player: expected a player from 1"),
        (SectionNamed(1, "Juniors", "Olga"), "twice", "section.section: expected another one than"),
        (TeamNamed(4, "", "Olga"), "twice", "team.team: expected another one than now, found none"),
        (SectionNamed(4, "juniors", "Olga"), "twice", "expected Juniors, as others have it, found"),
        (TeamNamed(4, "Club\u200bA", "Olga"), "unknown", "team.team: expected a text whose"),
    ],
)
def test_a_wrong_group_is_refused(entry: GroupEntry, code: str, words: str) -> None:
    event = PlayedEvent(duplicate_event(games=1), players=4)
    set_groups(event)
    refusal = event.refuse(entry)
    assert (refusal.code, words in refusal.text) == (code, True), refusal.text
    assert event.refuse(SectionNamed(4, "Juniors", "Olga"), seat=4).code == "seat"


def test_a_group_may_be_spelt_anew_by_its_only_player() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=3)
    set_groups(event)
    for number, section in ((2, "ladies"), (1, "ladies"), (1, ""), (2, ""), (3, "Ladies")):
        event.write(SectionNamed(number, section, "Olga"))
    event.write(PlayerWithdrawn(3, "Olga", "ill"))
    event.write(TeamNamed(3, "Club A", "Olga"))
    assert event.state.data.people.teams.list_names() == ["Club A"]


def test_groups_are_final_with_the_result() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=3)
    set_groups(event)
    assert list(list_group_winners(event.state)) == []
    event.open_game()
    event.play_game(random.Random(3))
    event.write(EventResult(event.state.compute_standings().list_places(), "Olga"))
    for entry in (SectionNamed(1, "Seniors", "Olga"), TeamNamed(1, "", "Olga")):
        assert event.refuse(entry).code == "closed"
    names = {row.player: row.name for row in event.state.compute_standings().rows}
    junior = next(row for row in event.state.compute_standings().rows if row.section == "Juniors")
    teams: list[TeamRow] = [*event.state.compute_standings().teams]
    assert list(list_group_winners(event.state)) == [
        f"Winner in Juniors: {junior.name}",
        "Winner in Ladies: Player 2",
        *(
            f"{each.place}. team {each.team} with {format_score(each.score, 'points')}:"
            f" {', '.join(names[player] for player in each.players)}"
            for each in teams
        ),
    ]
    assert build_result_sheet(event.state, "Juniors")["winner"] == (
        f"Winner in Juniors: {junior.name}"
    )


def test_the_sheet_lists_the_first_of_sections_and_all_teams() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=6)
    set_groups(event, dict.fromkeys((1, 2, 4, 5), ("Open", "Club A")))
    set_groups(event, {3: ("Juniors", "Club B")})
    score(event, p3=50, p2=40, p1=30, p4=20, p5=10)
    sheet: dict[str, Any] = build_result_sheet(event.state)
    assert sheet["firsts"] == [
        {"section": "Juniors", "names": ["1. Player 3"]},
        {"section": "Open", "names": ["1. Player 2", "2. Player 1", "3. Player 4"]},
    ]
    assert [(each["place"], each["name"], each["score"]) for each in sheet["teams"]] == [
        ("1.", "Club A", "100"),
        ("2.", "Club B", "50"),
    ]
    assert sheet["team_rule"] == "The results of all members of a team are added up."
    of_section: dict[str, Any] = build_result_sheet(event.state, "Open")
    rows = [(row["place"], row["name"]) for row in of_section["rows"]]
    assert rows[:2] == [("1.", "Player 2"), ("2.", "Player 1")]
    assert (len(rows), of_section["teams"], of_section["firsts"]) == (4, [], [])


def test_groups_that_are_set_during_play_are_told() -> None:
    """Whoever knows the standings could move a good player into a team."""
    event = begin_event(8)
    set_groups(event)
    assert list_decisions(event.state.data) == []
    play_round(event)
    set_groups(event, {2: ("Juniors", "Club B"), 5: ("Juniors", "Club B")})
    event.write(TeamNamed(5, "", "Paul"))
    told = [each for each in list_decisions(event.state.data) if "play began" in each["what"]]
    what = "section or team set after play began: "
    assert told == [
        {"what": f"{what}Player 2, Player 5", "by": "Olga", "reason": ""},
        {"what": f"{what}Player 5", "by": "Paul", "reason": ""},
    ]
