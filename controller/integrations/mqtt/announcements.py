# SPDX-License-Identifier: MIT
"""
What Home Assistant reads to add a table by itself: one retained message an entity.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery describes the keys. The form with
a message an entity is understood by older versions, and by other programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from controller.table.state import Phase

Announcement: TypeAlias = dict[str, object]

_TURN = "{{ (value_json.turn | select | join(', ') or 'nobody')[:255] }}"
_GAME_MORE = (
    "{{ {'players': value_json.players, 'progress': value_json.progress,"
    " 'headline': value_json.headline} | tojson }}"
)
_ROLL_MORE = (
    "{% set roll = value_json.last_roll %}{{ {} if not roll else"
    " {'faces': roll.counted, 'by': roll.by, 'entry': roll.entry,"
    " 'corrected': roll.corrected is not none, 'by_hand': roll.by_hand} | tojson }}"
)
_ROLL_EVENT = (
    "{{ {'event_type': 'roll', 'faces': value_json.faces, 'sum': value_json.faces | sum,"
    " 'by': value_json.by, 'entry': value_json.entry} | tojson }}"
)
_RESULT_EVENT = (
    "{{ {'event_type': 'result', 'game': value_json.game.key, 'winners': value_json.winners,"
    " 'players': value_json.players, 'entry': value_json.entry} | tojson }}"
)


@dataclass(frozen=True, slots=True)
class TableTopics:
    """The topics of one table, all below the topic of its settings."""

    root: str  # The prefix of every topic.

    @property
    def availability(self) -> str:
        """Whether the table is connected, retained: `online` or `offline`."""
        return f"{self.root}/availability"

    @property
    def state(self) -> str:
        """The table now, retained."""
        return f"{self.root}/state"

    @property
    def health(self) -> str:
        """What works and what does not, retained."""
        return f"{self.root}/health"

    def event(self, kind: str) -> str:
        """What happened, of one type; never retained."""
        return f"{self.root}/event/{kind}"


def build_announcements(
    topics: TableTopics, discovery_topic: str, table_id: str, version: str
) -> Mapping[str, Announcement]:
    """Return the messages for Home Assistant by their topics."""
    shared = {
        "availability_topic": topics.availability,
        "qos": 1,
        "device": {
            "identifiers": [table_id],
            "name": "dicebell",
            "manufacturer": "dicebell",
            "model": "Table that reads real dice",
            "sw_version": version,
        },
        "origin": {"name": "dicebell", "sw_version": version},
    }
    return {
        f"{discovery_topic}/{kind}/{table_id}/{key}/config": {
            "unique_id": f"{table_id}_{key}",
            **about,
            **shared,
        }
        for (kind, key), about in {**_list_sensors(topics), **_list_events(topics)}.items()
    }


def _list_sensors(topics: TableTopics) -> Mapping[tuple[str, str], Announcement]:
    """Return what shows the table now, by kind and key, without the keys that all have."""
    return {
        ("sensor", "phase"): {
            "name": "Phase",
            "icon": "mdi:state-machine",
            "device_class": "enum",
            "options": [phase.value for phase in Phase],
            "state_topic": topics.state,
            "value_template": "{{ value_json.phase }}",
        },
        ("sensor", "game"): {
            "name": "Game",
            "icon": "mdi:dice-multiple",
            "state_topic": topics.state,
            "value_template": "{{ value_json.title if value_json.game else 'none' }}",
            "json_attributes_topic": topics.state,
            "json_attributes_template": _GAME_MORE,
        },
        ("sensor", "turn"): {
            "name": "Turn",
            "icon": "mdi:account",
            "state_topic": topics.state,
            "value_template": _TURN,
        },
        ("sensor", "last_roll"): {
            "name": "Last roll",
            "icon": "mdi:dice-5",
            "state_topic": topics.state,
            "value_template": "{{ value_json.last_roll.sum if value_json.last_roll else None }}",
            "json_attributes_topic": topics.state,
            "json_attributes_template": _ROLL_MORE,
        },
        ("binary_sensor", "problem"): {
            "name": "Problem",
            "device_class": "problem",
            "entity_category": "diagnostic",
            "state_topic": topics.health,
            "value_template": "{{ 'ON' if value_json.problem else 'OFF' }}",
            "json_attributes_topic": topics.health,
        },
    }


def _list_events(topics: TableTopics) -> Mapping[tuple[str, str], Announcement]:
    """Return what shows that something happened; as `_list_sensors`."""
    return {
        ("event", "roll"): {
            "name": "Roll",
            "icon": "mdi:dice-5",
            "event_types": ["roll"],
            "state_topic": topics.event("roll"),
            "value_template": _ROLL_EVENT,
        },
        ("event", "result"): {
            "name": "Result",
            "icon": "mdi:trophy",
            "event_types": ["result"],
            "state_topic": topics.event("result"),
            "value_template": _RESULT_EVENT,
        },
    }
