# SPDX-License-Identifier: MIT
"""A table and a real broker: what is sent, and that nothing is lost while either is away."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.base.settings import MqttSettings
from controller.integrations.api.entry_queries import MOST_AT_ONCE
from controller.integrations.mqtt import broker_link, publisher
from controller.integrations.mqtt.sent_marker import FILE_NAME
from controller.table import events as on
from controller.table.events import Event
from controller.table.state import require_game
from tests.controller.integrations.mqtt.published_table import PublishingTable
from tests.support.broker import BrokerReader, Mosquitto
from tests.support.table import throw_of

STATE, HEALTH, AVAILABILITY = "dicebell/state", "dicebell/health", "dicebell/availability"
GAME = on.GameStarted("choice", ("Ada", "Ben"))


@pytest.fixture(autouse=True)
def retry_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "RETRY_S", (0.05,))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


def settings_for(broker: Mosquitto, **others: Any) -> MqttSettings:
    return MqttSettings(enabled=True, host="127.0.0.1", port=broker.port, **others)


def has_events(count: int) -> Callable[[BrokerReader], bool]:
    """Return whether a reader has so many different events."""
    return lambda reader: len({event["id"] for event in reader.events()}) >= count


def list_retained(reader: BrokerReader) -> dict[str, bytes]:
    """Return what the broker had kept for a new reader, by topic."""
    return {topic: payload for topic, payload, is_retained in reader.messages if is_retained}


def without_repeats(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events without those that came again, in their order."""
    return list({event["id"]: event for event in events}.values())


def choose_best(table: PublishingTable, player: str) -> Event:
    return on.ActionRequested(
        player, require_game(table.runtime.loop.state).legal_actions(player)[0]
    )


def test_a_game_with_an_opponent_says_who_it_is(tmp_path: Path, broker: Mosquitto) -> None:
    begun = on.GameStarted("choice", ("Ada", "Pascal"), {}, {"Pascal": "strong"})
    with (
        BrokerReader(broker.port, "dicebell/#") as reader,
        PublishingTable(tmp_path / "data", settings_for(broker)) as table,
    ):
        reader.wait_until(lambda reader: reader.read_newest(HEALTH) is not None)
        table.happen(begun)
        reader.wait_until(has_events(1))
        reader.wait_until(lambda reader: reader.read_newest(STATE)["game"] == "choice")
        (event,) = reader.events()
        assert event["opponents"] == [{"name": "Pascal", "grade": "strong"}]
        assert event["training"] is False
        seats = reader.read_newest(STATE)["players"]
        assert [seat["opponent"] for seat in seats] == [None, "Strong"]


def test_a_game_is_sent_as_the_interface_for_programs_sends_it(
    tmp_path: Path, broker: Mosquitto
) -> None:
    with (
        BrokerReader(broker.port, "dicebell/#") as reader,
        PublishingTable(tmp_path / "data", settings_for(broker)) as table,
    ):
        reader.wait_until(lambda reader: reader.read_newest(HEALTH) is not None)
        table.happen(GAME, *throw_of("13446"), on.RollCorrected("13456", "Eva", "It was a five."))
        table.happen(choose_best(table, "Ada"), on.UndoRequested(by="Ada"))
        table.happen(choose_best(table, "Ada"), choose_best(table, "Ben"))
        table.happen(on.DeviceLost("camera", "The camera is gone.", "Look for it.", kind="gone"))
        wanted = table.list_events(after=1)
        reader.wait_until(has_events(len(wanted)))
        reader.wait_until(lambda reader: reader.read_newest(STATE)["phase"] == "fault")
        reader.wait_until(lambda reader: reader.read_newest(HEALTH)["problem"])
        events, state = reader.events(), reader.read_newest(STATE)
        assert events == wanted
        kinds = [event["type"] for event in events]
        assert kinds[:4] == ["game", "roll", "correction", "action"]
        assert {"undo", "fault"} <= set(kinds)
        assert [player["name"] for player in state["players"]] == ["Ada", "Ben"]
        assert state["last_roll"]["counted"] == [1, 3, 4, 5, 6]
        assert state["last_roll"]["sum"] == 19
        assert state["last_event"] == events[-1]["id"]
        assert reader.read_newest(HEALTH)["fault"] == {"device": "camera", "kind": "gone"}
        table.happen(on.DeviceBack("camera"))
        reader.wait_until(lambda reader: not reader.read_newest(HEALTH)["fault"])
        reader.wait_until(has_events(len(wanted) + 1))
        assert "mqtt_connected 1.0" in table.runtime.monitor.metrics.text()
    assert f"mqtt_events_total {len(wanted) + 1}.0" in table.runtime.monitor.metrics.text()
    with BrokerReader(broker.port, "dicebell/#") as late:
        late.wait_until(lambda reader: len(list_retained(reader)) == 3)
        retained = list_retained(late)
    assert set(retained) == {STATE, HEALTH, AVAILABILITY}
    assert retained[AVAILABILITY] == b"offline", "the broker says that the table is gone"


def test_the_result_of_a_game_is_an_event(tmp_path: Path, broker: Mosquitto) -> None:
    with (
        BrokerReader(broker.port, "dicebell/event/result") as reader,
        PublishingTable(tmp_path / "data", settings_for(broker)) as table,
    ):
        table.names = {"Ben": ""}
        table.happen(on.GameStarted("choice", ("Ada", "Ben")))
        spot = 0
        while require_game(table.runtime.loop.state).outcome() is None:
            spot += 1
            table.happen(*throw_of("11111", spot=spot))
            for player in ("Ada", "Ben"):
                table.happen(choose_best(table, player))
        reader.wait_until(has_events(1))
        (result,) = reader.events()
    outcome = require_game(table.runtime.loop.state).outcome()
    assert outcome is not None
    shown = {"Ada": "Ada", "Ben": None}
    assert result["game"] == {"entry": 2, "key": "choice"}
    assert [each["name"] for each in result["players"]] == ["Ada", None]
    assert result["winners"] == [shown[name] for name in outcome.winners]


def test_nothing_is_lost_while_the_broker_is_away(tmp_path: Path, broker: Mosquitto) -> None:
    with (
        BrokerReader(broker.port, "dicebell/#") as reader,
        PublishingTable(tmp_path / "data", settings_for(broker)) as table,
    ):
        table.happen(GAME, *throw_of("13446"))
        reader.wait_until(has_events(2))
        broker.kill()
        table.wait_for_status("cannot be reached: Connection refused")
        assert "mqtt_connected 0.0" in table.runtime.monitor.metrics.text()
        assert table.runtime.monitor.health().wrong == ()
        for spot in range(1, 41):
            table.happen(on.GameClosed(), GAME, *throw_of("13446", spot=spot))
        wanted = table.list_events(after=1)
        assert len(wanted) > MOST_AT_ONCE
        broker.start()
        reader.wait_until(has_events(len(wanted)))
        reader.wait_until(
            lambda reader: reader.read_newest(STATE)["last_event"] == wanted[-1]["id"]
        )
        assert without_repeats(reader.events()) == wanted
    newest = json.loads((tmp_path / "data" / FILE_NAME).read_text())
    assert newest == {"format": 1, "acknowledged": wanted[-1]["id"]}


def test_a_broker_that_falls_silent_is_noticed(
    tmp_path: Path, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behind a broken cable: the connection stands, and nothing comes."""
    monkeypatch.setattr(broker_link, "KEEPALIVE_S", 1)
    monkeypatch.setattr(broker_link, "CONNECT_TIMEOUT_S", 0.2)
    with (
        BrokerReader(broker.port, "dicebell/#") as reader,
        PublishingTable(tmp_path / "data", settings_for(broker)) as table,
    ):
        table.wait_for_status("live")
        broker.freeze()
        table.happen(GAME, *throw_of("13446"))
        table.wait_for_status("does not answer")
        table.happen(on.GameClosed())
        wanted = table.list_events(after=1)
        broker.thaw()
        reader.wait_until(has_events(len(wanted)))
        assert without_repeats(reader.events()) == wanted


def test_a_table_that_was_away_continues_where_the_broker_is(
    tmp_path: Path, broker: Mosquitto
) -> None:
    settings = settings_for(broker)
    broker.kill()
    with PublishingTable(tmp_path / "data", settings) as table:
        table.wait_for_status("refused")
        table.happen(GAME, *throw_of("13446"))
    broker.start()
    with BrokerReader(broker.port, "dicebell/event/#") as reader:
        with PublishingTable(tmp_path / "data", settings) as table:
            table.happen(on.GameClosed())
            wanted = table.list_events(after=1)
            reader.wait_until(has_events(len(wanted)))
        with PublishingTable(tmp_path / "data", settings) as table:
            table.happen(GAME)
            wanted += table.list_events(after=wanted[-1]["entry"])
            reader.wait_until(has_events(len(wanted)))
        assert reader.events() == wanted, "a closed table repeats nothing"
    assert [event["type"] for event in wanted].count("started") == 2


def test_forgotten_people_and_secret_choices_are_not_sent(
    tmp_path: Path, broker: Mosquitto
) -> None:
    with (
        BrokerReader(broker.port, "dicebell/#") as reader,
        PublishingTable(tmp_path / "data", settings_for(broker)) as table,
    ):
        table.names = {"Ada": "", "Ben": "Benno"}
        table.happen(on.GameStarted("choice", ("Ada", "Ben"), {"secret": True}), *throw_of("13446"))
        table.happen(choose_best(table, "Ada"))
        reader.wait_until(has_events(3))
        reader.wait_until(lambda reader: bool((reader.read_newest(STATE) or {}).get("last_roll")))
        (action,) = (event for event in reader.events() if event["type"] == "action")
        assert action["action"] is None
        state = reader.read_newest(STATE)
        assert [player["name"] for player in state["players"]] == [None, "Benno"]
        assert state["headline"] == ""
        everything = b"".join(payload for _, payload, _ in reader.messages)
        assert b"Ada" not in everything
        table.names = {"Ben": ""}
        reader.wait_until(lambda reader: reader.read_newest(STATE)["players"][1]["name"] is None)


def test_what_the_broker_forbids_is_told_and_the_rest_is_sent(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    rules.write_text("topic readwrite dicebell/#\n")
    lines = (f"acl_file {rules}", "allow_anonymous true")
    with (
        Mosquitto(tmp_path / "strict", *lines) as strict,
        BrokerReader(strict.port, "dicebell/event/#") as reader,
    ):
        with PublishingTable(tmp_path / "data", settings_for(strict)) as table:
            table.wait_for_status("refuses the topic homeassistant/")
            table.happen(GAME)
            reader.wait_until(has_events(1))
            assert "mqtt_connected 1.0" in table.runtime.monitor.metrics.text()
        rules.write_text("topic read #\ntopic readwrite dicebell/state\n")
        strict.reload()
        with PublishingTable(tmp_path / "data", settings_for(strict)) as table:
            table.wait_for_status("refuses the topic dicebell/event/")
            rules.write_text("topic readwrite #\n")
            strict.reload()
            reader.wait_until(has_events(2))
            assert reader.events()[1]["type"] == "started"
            table.wait_for_status("live")
