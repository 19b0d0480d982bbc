#!/bin/bash
# SPDX-License-Identifier: MIT
# The product on an arm64 Debian 13 whose programs qemu runs: the nearest that a PC gets to a Pi.
# It is installed there, reads the same pictures as this machine with the same results, and plays.
# Both machines verify both journals, and the quick tests run.
#
#   sudo tests/arm64/run.sh ROOT PYTHON     ROOT is kept for the next time; PYTHON has the product
#
# Exit status: 0 all as expected, or skipped with the reason; 1 not; 2 wrong use.
set -euo pipefail

# shellcheck source=tests/appliance/debian_root.sh
source "$(dirname "${BASH_SOURCE[0]}")/../appliance/debian_root.sh"
# shellcheck source=tests/arm64/emulator.sh
source "$(dirname "${BASH_SOURCE[0]}")/emulator.sh"
root=$(realpath -m "$1")
python=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
readonly root python CHECKOUT=/home/pi/dicebell DATA=/var/lib/dicebell
readonly WHEELS=/root/wheels
readonly INCLUDED=ca-certificates,curl,python3-venv
readonly TESTS=(tests/compatibility tests/controller/journal/test_{hashchain,merkle,checkpoint,signing_key}.py
    tests/vision/nets/test_{pip_count,tile_net}.py tests/vision/test_image_files.py
    -k 'not test_the_report_finds_nothing_wrong') # a report values every choice: hours for an emulator
began=$SECONDS

step() { printf '\n#### %4d s  %s\n' $((SECONDS - began)) "$*"; }
skip() {
    echo "arm64: skipped; $1"
    exit 0
}
fail() {
    echo "arm64: $1" >&2
    exit 1
}
product() { (cd "$here" && "$python" -m "$@"); }
dicebell() { product controller.cli.main "$@"; }

make_root() {
    local mirror recipe
    mirror=$(find_debian_mirror)
    recipe="$SUITE $INCLUDED"
    if [ "$(cat "$root/root/recipe" 2>/dev/null)" != "$recipe" ]; then
        [ -n "$mirror" ] || skip 'expected a Debian package source in the settings of apt; set DEBIAN_MIRROR'
        command -v debootstrap >/dev/null || skip 'expected debootstrap; run: apt-get install debootstrap'
        if [ -e "$root" ] && [ ! -e "$root.log" ]; then
            echo "arm64: expected a folder of its own, found $root in use" >&2
            exit 2
        fi
        rm -rf --one-file-system "$root"
        mkdir -p "$root"
        debootstrap --arch=arm64 --variant=minbase --include=$INCLUDED $SUITE "$root" "$mirror" \
            >"$root.log" 2>&1 || fail "debootstrap failed; see $root.log"
        umount "$root/proc" 2>/dev/null || true
        echo "$recipe" >"$root/root/recipe"
    fi
    mount_kernel
    carry_package_settings
    set_environment
    # pip's word for "do not compile": what is imported is compiled anyway, the rest takes minutes.
    environment+=(PIP_NO_COMPILE=no PIP_NO_INDEX=yes "PIP_FIND_LINKS=$WHEELS")
}

# This machine's pip downloads for the root: an emulated one is too slow for some servers.
download_wheels() {
    local platforms=(--platform manylinux2014_aarch64) minor
    for minor in 17 24 26 27 28 31 34 35; do platforms+=(--platform "manylinux_2_${minor}_aarch64"); done
    "$python" -m pip download -q --disable-pip-version-check --only-binary=:all: --implementation cp \
        --python-version "$(inside python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')" \
        "${platforms[@]}" --dest "$root$WHEELS" "$@"
}

# Remove what an earlier run played; what it installed stays if the product is the same.
install_product() {
    local recipe settings=$root/etc/dicebell
    recipe=$(digest_product)
    rm -rf "$root/root/arm64"
    mkdir "$root/root/arm64"
    copy_checkout
    if [ "$(cat "$root/root/product" 2>/dev/null)" = "$recipe" ]; then
        echo "     it is installed already"
        find "$root$DATA" -mindepth 1 -delete
        rm -rf "$settings"
    else
        rm -rf "$root/root/"{product,settings} "$root/opt/dicebell" "$root$DATA" "$settings"
        download_wheels --require-hashes --requirement "$here/hashes.txt"
        inside $CHECKOUT/install.sh --no-kiosk
        mv "$settings" "$root/root/settings"
        echo "$recipe" >"$root/root/product"
    fi
    cp -a "$root/root/settings" "$settings"
    inside dicebell --version
}

compare_readings() {
    product tests.arm64.pictures "$work/pictures"
    (cd "$work" && PYTHONPATH=$here "$python" -m controller.cli.main read --json pictures) >"$work/here.jsonl"
    cp -r "$work/pictures" "$root/root/arm64/"
    inside env -C /root/arm64 dicebell read --json pictures >"$work/there.jsonl"
    product tests.arm64.compare_readings "$work/here.jsonl" "$work/there.jsonl"
}

# Let both machines verify one journal, its pictures read again: both must print the same.
verify_twice() {
    local journal=$1
    rm -rf "$root/root/arm64/data"
    cp -r "$journal" "$root/root/arm64/data"
    (cd "$journal" && PYTHONPATH=$here "$python" -m controller.cli.main verify --json .) >"$work/here.json" ||
        fail "this machine finds $journal broken: $(cat "$work/here.json")"
    inside env -C /root/arm64/data dicebell verify --json . >"$work/there.json" ||
        fail "arm64 finds $journal broken: $(cat "$work/there.json")"
    diff "$work/here.json" "$work/there.json" >&2 || fail "expected the same result for $journal"
    sed -E 's/.*("entries".*), "root".*("reread": [^}]*\}).*/     \1, \2/' "$work/here.json"
}

# The libraries of the tests are installed beside the product, into a folder of their own.
run_tests() {
    local version=/opt/dicebell/current/bin/python
    download_wheels --constraint "$here/constraints.txt" pytest hypothesis
    inside $version -m pip install -q --target /root/arm64/packages -c $CHECKOUT/constraints.txt pytest hypothesis
    inside env -C $CHECKOUT PYTHONPATH=/root/arm64/packages:$CHECKOUT PYTHONDONTWRITEBYTECODE=1 \
        $version -m pytest -q -p no:cacheprovider "${TESTS[@]}"
}

[ "$(id -u)" = 0 ] || skip 'expected root rights, for chroot'
# The mounts end with the script: this machine's /dev must never be in a folder that is removed.
if [ -z "${OWN_MOUNTS:-}" ]; then
    unshare --mount true 2>/dev/null || skip 'this machine does not allow mounts (unshare --mount)'
    OWN_MOUNTS=yes exec unshare --mount --propagation private bash "${BASH_SOURCE[0]}" "$root" "$python"
fi
trap unmount_kernel EXIT
work=$root.work
mkdir -p "$work"

step "arm64 Debian 13 ($SUITE) in $root"
prepare_emulator
make_root
step "install.sh"
install_product
step "the same pictures on both machines"
compare_readings
step "a game on each machine"
rm -rf "$work/played-here" "$work/played-there"
dicebell demo --no-web --autoplay 1 --game black-n-white --option chips_per_player=1 --seed 3 \
    --data "$work/played-here"
inside python3 -B $CHECKOUT/tests/appliance/in_root.py
cp -r "$root$DATA" "$work/played-there"
step "the journal of this machine, verified by both"
verify_twice "$work/played-here"
step "the journal of arm64, verified by both"
verify_twice "$work/played-there"
step "quick tests on arm64: ${TESTS[*]}"
run_tests
step "all as expected"
