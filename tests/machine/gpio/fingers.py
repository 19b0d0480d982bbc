# SPDX-License-Identifier: MIT
"""
Press buttons with the bounce of real contacts, at exact times whatever else the machine does.

    python -m tests.machine.gpio.fingers COUNT SEED FOLDER...     FOLDER: a line of the chip

Prints the index of each pressed line, the time of its first contact, and the longest time between
two bounces, which is too long if another program stopped the whole machine meanwhile.
"""

from __future__ import annotations

import os
import random
import sys
import time

HOLDS_S = (0.045, 0.06, 0.08, 0.12, 0.3)
PAUSE_S = 0.06
BOUNCES = 4
BOUNCE_S = 0.0025
# Below the 50 of the kernel's own threads, which read the level of each edge.
PRIORITY = 40
PULLS = {True: b"pull-down", False: b"pull-up"}


def press(line: int, rng: random.Random) -> tuple[float, float]:
    """Press and release a button; return the first contact and the longest time between bounces."""
    first_s, longest_s = time.monotonic(), 0.0
    for is_down, seconds in ((True, rng.choice(HOLDS_S)), (False, PAUSE_S)):
        os.pwrite(line, PULLS[is_down], 0)
        before_s = time.monotonic()
        for _ in range(rng.randint(0, BOUNCES)):
            for bounced in (not is_down, is_down):
                wait(rng.uniform(0.0001, BOUNCE_S))
                os.pwrite(line, PULLS[bounced], 0)
                at_s = time.monotonic()
                before_s, longest_s = at_s, max(longest_s, at_s - before_s)
        wait(seconds)
    return first_s, longest_s


def wait(seconds: float) -> None:
    """Wait; the last milliseconds busily, because a timer may be late."""
    until_s = time.monotonic() + seconds
    if seconds > 0.02:
        time.sleep(seconds - 0.01)
    while time.monotonic() < until_s:
        pass


def main() -> None:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    count, seed, *folders = sys.argv[1:]
    rng = random.Random(int(seed))
    lines = [os.open(f"{folder}/pull", os.O_WRONLY) for folder in folders]
    pressed = []
    for _ in range(int(count)):
        which = rng.randrange(len(lines))
        pressed.append((which, press(lines[which], rng)))
    for which, (first_s, longest_s) in pressed:
        sys.stdout.write(f"{which} {first_s:.6f} {longest_s:.6f}\n")


if __name__ == "__main__":
    main()
