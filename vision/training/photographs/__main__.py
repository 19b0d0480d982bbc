# SPDX-License-Identifier: MIT
"""
Learn from a folder of photographs, or measure on one.

`--write OUT FOLDER` cuts the photographs into files for the training, and prints how many upper
faces were found. `--score FOLDER --source NAME` reads the pictures of one source as a table would.
The folder has a `manifest.jsonl` with one picture a line, and the pictures beside it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from vision.decoding.errors import PictureError
from vision.nets.onnx_net import WEIGHTS, WeightsError
from vision.training.photographs.lessons import Tally, write_photo_files
from vision.training.photographs.manifest import (
    ManifestError,
    leave_out,
    load_photographs,
    of_source,
)
from vision.training.photographs.score import report, score


def report_tally(total: Tally) -> str:
    """Return how many faces were found, by source and by body colour."""
    lines = []
    for source in sorted({source for source, _, _ in total}):
        counts = {key[1:]: count for key, count in total.items() if key[0] == source}
        colours = sorted({colour for colour, _ in counts})
        rows = [(c, counts.get((c, True), 0), counts.get((c, False), 0)) for c in colours]
        rows.insert(0, ("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
        lines.append(f"{source}: " + ", ".join(f"{c} {a} of {a + b}" for c, a, b in rows))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.photographs", description=__doc__
    )
    parser.add_argument("folder", type=Path, help="folder of the photographs")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", type=Path, metavar="OUT", help="cut them into files in OUT")
    action.add_argument("--score", action="store_true", help="read them and print what was right")
    parser.add_argument("--source", help="measure on this source")
    parser.add_argument(
        "--leave-out", action="append", default=[], metavar="SOURCE", help="not to be written"
    )
    parser.add_argument("--most", type=int, default=1_000_000, help="read so many pictures")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="folder of the nets")
    parser.add_argument("--cores", type=int, default=2, help="processes to use")
    given = parser.parse_args()
    if given.most < 1 or given.cores < 1:
        parser.error("--most and --cores: expected at least 1")
    try:
        photographs = load_photographs(given.folder)
        if given.score:
            some = photographs if given.source is None else of_source(photographs, given.source)
            total = score(some, weights=given.weights, most=given.most, cores=given.cores)
            text = report(total)
        else:
            some = leave_out(photographs, given.leave_out)
            _, found = write_photo_files(
                some, given.write, weights=given.weights, cores=given.cores
            )
            text = report_tally(found)
    except (ManifestError, PictureError, WeightsError, ValueError) as error:
        parser.error(str(error))
    print(text)  # noqa: T201


if __name__ == "__main__":
    main()
