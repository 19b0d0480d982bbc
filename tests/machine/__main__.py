# SPDX-License-Identifier: MIT
"""
Play scenarios at the whole appliance in a virtual machine, and print how long each took.

    python -m tests.machine BUILD --kernel FILE --processor OPTIONS [--quick] [--cuts N]
                            [--seed N] [WORD...]

BUILD is what `run.sh` has built. Words pick the scenarios whose names contain one of them. A table
of what was played is printed at the end, and kept as `summary.txt` in BUILD.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

from tests.machine.machine import Build
from tests.machine.scenarios import container, faults, play, power, versions
from tests.machine.stage import Scenario, Stage, make_share

SCENARIOS: tuple[Scenario, ...] = (
    *(*container.SCENARIOS, *play.SCENARIOS),
    *(*faults.SCENARIOS, *versions.SCENARIOS, *power.SCENARIOS),
)


def main() -> int:
    parser = argparse.ArgumentParser(description="Play scenarios at a table in a virtual machine.")
    parser.add_argument("build", type=Path)
    parser.add_argument("words", nargs="*", help="play the scenarios with one of these words alone")
    parser.add_argument("--kernel", type=Path, required=True)
    parser.add_argument("--processor", required=True, help="the options of QEMU for it")
    parser.add_argument("--quick", action="store_true", help="only the most important")
    parser.add_argument("--seed", type=int, help="what chance decides (another one each time)")
    parser.add_argument("--cuts", type=int, help="how often the power is cut (20; quick: 5)")
    options = parser.parse_intermixed_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    cuts = options.cuts or (5 if options.quick else 20)
    chosen = [
        scenario
        for scenario in SCENARIOS
        if (scenario.is_quick or not options.quick)
        and (not options.words or any(word in scenario.name for word in options.words))
    ]
    folder = options.build.resolve()
    make_share(folder)
    build = Build(folder, options.kernel, tuple(options.processor.split()))
    speed = "on KVM" if build.has_kvm else "emulated, 10 to 30 times slower than on KVM"
    say(f"machine-test: {len(chosen)} scenarios, {speed}, seed {seed}")
    played = []
    for scenario in chosen:
        stage = Stage(build, random.Random(f"{seed} {scenario.name}"), cuts)
        played.append(play_scenario(scenario, stage))
        say(str(played[-1]))
    summary = "\n".join([f"machine-test with seed {seed}", *map(str, played)])
    (folder / "summary.txt").write_text(f"{summary}\n")
    say(summary)
    return 0 if all(one.found for one in played) else 1


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a scenario; `found` is empty if it failed."""

    name: str
    minutes: float
    found: str

    def __str__(self) -> str:
        result = "ok    " if self.found else "FAILED"
        return f"{self.minutes:5.1f} min  {result}  {self.name}: {self.found}"


def play_scenario(scenario: Scenario, stage: Stage) -> Played:
    begun_s = time.monotonic()
    try:
        found = scenario.play(stage)
    except AssertionError:
        traceback.print_exc()
        found = ""
    return Played(scenario.name, (time.monotonic() - begun_s) / 60, found)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
