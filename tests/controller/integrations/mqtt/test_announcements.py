# SPDX-License-Identifier: MIT
"""Home Assistant finds a table, and its templates read what the table sends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from jinja2.sandbox import ImmutableSandboxedEnvironment

from controller.base.settings import MqttSettings
from controller.table.events import GameStarted, RollCorrected
from tests.controller.integrations.mqtt.published_table import PublishingTable
from tests.support.broker import BrokerReader, Mosquitto
from tests.support.table import throw_of

ENTITIES = {
    *("sensor/phase", "sensor/game", "sensor/turn", "sensor/last_roll"),
    *("binary_sensor/problem", "event/roll", "event/result"),
}
TEMPLATES = ImmutableSandboxedEnvironment()
"""Home Assistant renders templates in an environment of this kind."""


def render(template: str, content: Any) -> str:
    return TEMPLATES.from_string(template).render(value_json=content)


def name_entity(topic: str) -> str:
    """Return kind and key of the entity that a topic announces."""
    return f"{topic.split('/')[1]}/{topic.split('/')[3]}"


def list_removed(reader: BrokerReader) -> set[str]:
    """Return the entities that were removed again, which an empty message does."""
    return {
        name_entity(topic)
        for topic, payload, _ in reader.messages
        if topic.startswith("homeassistant/") and not payload
    }


def read_announcements(reader: BrokerReader) -> dict[str, dict[str, Any]]:
    """Return what is announced, by kind and key."""
    return {
        name_entity(topic): json.loads(payload)
        for topic, payload, _ in reader.messages
        if topic.startswith("homeassistant/") and payload
    }


def test_home_assistant_learns_everything_that_it_needs(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker, BrokerReader(broker.port) as reader:
        settings = MqttSettings(enabled=True, host="127.0.0.1", port=broker.port, topic="home/dice")
        with PublishingTable(tmp_path / "data", settings) as table:
            reader.wait_until(lambda reader: reader.read_newest("home/dice/health") is not None)
            lobby = reader.read_newest("home/dice/state")
            table.happen(GameStarted("choice", ("Ada", "Ben")), *throw_of("13446"))
            table.happen(RollCorrected("13456", "Eva", "It was a five."))
            reader.wait_until(is_corrected)
            announced = read_announcements(reader)
            state, health, roll = (
                reader.read_newest(f"home/dice/{topic}")
                for topic in ("state", "health", "event/roll")
            )
        check_announcements(announced, table.runtime.public_key)
        check_values(announced, lobby, state, health)
        assert json.loads(render(announced["event/roll"]["value_template"], roll)) == {
            "event_type": "roll",
            "faces": [1, 3, 4, 4, 6],
            "sum": 18,
            "by": "Ada",
            "entry": roll["entry"],
        }
        with PublishingTable(tmp_path / "data", replace(settings, discovery=False)):
            reader.wait_until(lambda reader: list_removed(reader) == set(announced))


def is_corrected(reader: BrokerReader) -> bool:
    roll = reader.read_newest("home/dice/state")["last_roll"]
    return roll is not None and roll["corrected"] is not None


def check_announcements(announced: dict[str, dict[str, Any]], public_key: str) -> None:
    """Check the keys that Home Assistant requires, and that its entities belong together."""
    assert set(announced) == ENTITIES
    table_id = f"dicebell_{public_key[:12]}"
    for name, about in announced.items():
        kind, _, key = name.partition("/")
        assert about["unique_id"] == f"{table_id}_{key}"
        assert about["availability_topic"] == "home/dice/availability"
        assert about["state_topic"].startswith("home/dice/")
        assert about["device"]["identifiers"] == [table_id]
        assert about["device"]["sw_version"] == about["origin"]["sw_version"]
        assert about["name"]
        if kind == "event":
            assert about["event_types"] == [key]


def check_values(announced: dict[str, dict[str, Any]], lobby: Any, state: Any, health: Any) -> None:
    """Check what the templates make of a table in the lobby, and of one with a corrected roll."""
    values = [
        {
            key: render(announced[f"sensor/{key}"]["value_template"], content)
            for key in ("phase", "game", "turn", "last_roll")
        }
        for content in (lobby, state)
    ]
    assert values == [
        {"phase": "lobby", "game": "none", "turn": "nobody", "last_roll": "None"},
        {"phase": "choosing", "game": "Choice", "turn": "Ada", "last_roll": "19"},
    ]
    assert all(each["phase"] in announced["sensor/phase"]["options"] for each in values)
    roll = announced["sensor/last_roll"]["json_attributes_template"]
    assert json.loads(render(roll, lobby)) == {}
    more = json.loads(render(roll, state))
    assert (more["faces"], more["by"], more["corrected"]) == ([1, 3, 4, 5, 6], "Ada", True)
    game = json.loads(render(announced["sensor/game"]["json_attributes_template"], state))
    assert [each["name"] for each in game["players"]] == ["Ada", "Ben"]
    assert render(announced["binary_sensor/problem"]["value_template"], health) == "OFF"
    ill = {**health, "problem": True}
    assert render(announced["binary_sensor/problem"]["value_template"], ill) == "ON"
