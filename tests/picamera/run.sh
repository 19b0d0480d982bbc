#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Hold the contract of all cameras against the real picamera2, in a root that is made first.
#   run.sh ROOT [PYTEST-OPTION...]     (says that it is skipped where no root can be made)
set -euo pipefail
root=$1
shift
cd "$(dirname "$0")/../.."
tests/picamera/make_root.sh "$root" constraints.txt || {
    status=$?
    [ "$status" = 3 ] || exit "$status"
    echo 'picamera: skipped; the contract runs against a stand-in of the library in `make test`'
    exit 0
}
rm -rf "$root/dicebell"
mkdir "$root/dicebell"
tar -c --exclude __pycache__ pyproject.toml hardware vision/__init__.py vision/frame.py \
    vision/decoding vision/image_files.py vision/picture_headers.py \
    tests/__init__.py tests/support tests/hardware tests/picamera | tar -x -C "$root/dicebell"
# Warnings are the library's own here, but no thread of it may die: that would end the table.
exec tests/picamera/in_root.sh "$root" env -C /dicebell \
    LD_PRELOAD=/camera/memory.so LIBCAMERA_LOG_LEVELS='*:ERROR' \
    /camera/venv/bin/python -m pytest -p no:cacheprovider -W default \
    -W error::pytest.PytestUnhandledThreadExceptionWarning tests/picamera "$@"
