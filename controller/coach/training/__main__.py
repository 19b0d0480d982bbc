# SPDX-License-Identifier: MIT
"""
Rebuild what the coach knows: `make train-coach`, or `python -m controller.coach.training`.

The nets learn by self-play from a seed; Black'n'White is solved. Needs the project's extra
`training`. One core is enough, and more do not help.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import torch

from controller.coach.training.black_n_white import solve_black_n_white
from controller.coach.training.choice import train_choice
from controller.coach.training.choice_jokers import train_choice_jokers
from controller.coach.training.sheet_nets import save_net
from controller.coach.training.wuerfelspiel import train_wuerfelspiel

CHOICE_STEPS, JOKER_STEPS, WUERFELSPIEL_STEPS = 12_000, 6_000, 45_000


def rebuild_weights(out: Path, *, seed: int, share: float = 1.0) -> None:
    """Write the weights of all coaches into a folder; `share` of the usual steps, to try it out."""
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    began_s = time.monotonic()

    def report(line: str) -> None:
        sys.stdout.write(f"{line} ({time.monotonic() - began_s:.0f} s)\n")
        sys.stdout.flush()

    plain = train_choice(steps=_count(CHOICE_STEPS, share), seed=seed, report=report)
    save_net(plain, out / "choice.npz")
    report("choice.npz written")
    jokers = train_choice_jokers(plain, steps=_count(JOKER_STEPS, share), seed=seed, report=report)
    save_net(jokers, out / "choice_jokers.npz")
    report("choice_jokers.npz written")
    columns = train_wuerfelspiel(steps=_count(WUERFELSPIEL_STEPS, share), seed=seed, report=report)
    save_net(columns, out / "wuerfelspiel.npz")
    report("wuerfelspiel.npz written")
    solve_black_n_white(out, report)
    report("black_n_white.npz written")


def _count(steps: int, share: float) -> int:
    return max(1, round(steps * share))


def main() -> None:
    parser = argparse.ArgumentParser(description="Rebuild what the coaches know, from a seed.")
    parser.add_argument("--out", type=Path, default=Path("coach-weights"), help="%(default)s")
    parser.add_argument("--seed", type=int, default=1, help="%(default)s")
    parser.add_argument("--share", type=float, default=1.0, help="of the steps (%(default)s)")
    args = parser.parse_args()
    rebuild_weights(args.out, seed=args.seed, share=args.share)


if __name__ == "__main__":
    main()
