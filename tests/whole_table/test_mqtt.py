# SPDX-License-Identifier: MIT
"""A demo that sends to a real broker: throws through the camera, a kill, and a second start."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.broker import BrokerReader, Mosquitto
from tests.support.demo_process import DemoProcess

ROLLED = {"roll", "reading"}


def throw_until_read(demo: DemoProcess, reader: BrokerReader) -> None:
    """Throw; a throw in doubt counts too, as the broker gets it as a reading."""
    read = len(list_read(reader))
    assert demo.post("/simulator", {"do": "throw"}) == 200
    reader.wait_until(lambda reader: len(list_read(reader)) > read)


def lies_still(reader: BrokerReader) -> bool:
    """Return whether the table knows the dice that lie there from the start."""
    state = reader.read_newest("dicebell/state")
    return state is not None and len(state["dice"]) == 5


def list_read(reader: BrokerReader) -> list[str]:
    return [event["id"] for event in reader.events() if event["type"] in ROLLED]


def test_a_killed_table_continues_at_the_broker_where_it_was(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with (
        Mosquitto(tmp_path / "broker") as broker,
        BrokerReader(broker.port, "dicebell/#") as reader,
    ):
        options = ("--mqtt", f"127.0.0.1:{broker.port}", "--seed", "4", "--game", "dice")
        with DemoProcess(data, *options) as demo:
            # What is thrown before the table has seen the tray at rest is no throw to it.
            reader.wait_until(lies_still)
            throw_until_read(demo, reader)
            demo.kill()
        reader.wait_until(lambda reader: reader.messages[-1][1] == b"offline")
        with DemoProcess(data, *options):
            reader.wait_until(
                lambda reader: "started" in {each["type"] for each in reader.events()}
            )
        events = reader.events()
    lines = (data / "journal.jsonl").read_text().splitlines()
    entries = {entry["seq"]: entry for entry in map(json.loads, lines)}
    (begun,) = (seq for seq, entry in entries.items() if entry["kind"] == "game")
    told = list(dict.fromkeys(event["id"] for event in events))
    assert told == sorted(told, key=lambda each: int(each.partition(".")[0]))
    assert told == [f"{seq}.{entries[seq]['link'][:8]}" for seq in sorted(entries) if seq > begun]
