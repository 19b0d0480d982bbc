# SPDX-License-Identifier: MIT
"""The numbers, as a monitor reads them."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from controller.runtime.monitoring.metrics import METRIC_SPECS, PREFIX, Metrics

DOCUMENT = Path(__file__).parents[4] / "docs" / "operations.md"


def samples(metrics: Metrics) -> dict[str, float]:
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(metrics.text())
        for sample in family.samples
    }


def told_names(metrics: Metrics) -> set[str]:
    lines = metrics.text().splitlines()
    names = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    # When a number was first counted is told beside it under the same name.
    return {name for name in names if not name.endswith("_created")}


def test_what_was_counted_is_told_by_kind() -> None:
    metrics = Metrics()
    metrics.count("frames", by=3)
    metrics.count("frames")
    metrics.count("doubts", "cocked")
    metrics.count("doubts", "cocked")
    metrics.count("doubts", "glare")
    told = samples(metrics)
    assert told["dicebell_frames_total"] == 4
    assert told["dicebell_doubts_total cocked"] == 2
    assert told["dicebell_doubts_total glare"] == 1


def test_how_long_things_took_is_told_in_milliseconds() -> None:
    metrics = Metrics()
    for ms in (3.0, 40.0, 400.0):
        metrics.observe_ms("journal", ms)
    told = samples(metrics)
    assert told["dicebell_journal_milliseconds_bucket 50.0"] == 2
    assert told["dicebell_journal_milliseconds_count"] == 3
    assert told["dicebell_journal_milliseconds_sum"] == pytest.approx(443.0)


def test_a_gauge_is_what_it_was_set_to_last() -> None:
    metrics = Metrics()
    metrics.set("followers", 5)
    metrics.set("followers", 2)
    assert samples(metrics)["dicebell_followers"] == 2


def test_memory_files_and_threads_of_the_process_are_told() -> None:
    told = samples(Metrics())
    assert told["process_resident_memory_bytes"] > 1e6
    assert told["process_open_fds"] > 2
    assert told["dicebell_threads"] >= threading.active_count()


def test_two_tables_in_one_process_count_for_themselves() -> None:
    first, second = Metrics(), Metrics()
    first.count("rolls")
    assert samples(second)["dicebell_rolls_total"] == 0


@pytest.mark.parametrize("name", ["throws", "reading", "followers"])
def test_nothing_is_counted_that_is_no_counter(name: str) -> None:
    with pytest.raises(KeyError):
        Metrics().count(name)


def test_counts_of_many_threads_are_all_there() -> None:
    metrics = Metrics()

    def count_many() -> None:
        for _ in range(500):
            metrics.count("frames")

    threads = [threading.Thread(target=count_many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert samples(metrics)["dicebell_frames_total"] == 2000


def test_exactly_the_published_metrics_are_documented() -> None:
    (section,) = re.findall(
        r"^## Metrics$(.*?)^## ", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE
    )
    documented = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    assert documented == told_names(Metrics())


def test_every_metric_has_its_own_name_and_a_help_text() -> None:
    assert len({each.name for each in METRIC_SPECS.values()}) == len(METRIC_SPECS)
    for each in METRIC_SPECS.values():
        assert each.about.endswith(".")
        assert f"# HELP {PREFIX}{each.name}" in Metrics().text()
