#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs inside a root that its own systemd manages: the table as a service, killed, made to hang,
# repaired, and updated to versions that do not come up.
set -euo pipefail

readonly CHECKOUT=/home/pi/dicebell UNIT=dicebell.service URL=http://127.0.0.1:8081
began=$SECONDS

tell() { printf '     %4d s  %s\n' $((SECONDS - began)) "$*"; }
fail() {
    printf 'booted.sh: %s\n' "$*"
    journalctl -u $UNIT --no-pager -n 40
    exit 1
}
of_unit() { systemctl show --property="$1" --value $UNIT; }
answers() { curl --silent --fail --max-time 5 $URL/healthz >/dev/null; }

# Wait until the table answers by another process than this one.
comes_back() {
    local before=$1 end=$((SECONDS + $2))
    until [ "$(of_unit MainPID)" != "$before" ] && [ "$(of_unit ActiveState)" = active ] && answers; do
        [ $SECONDS -lt $end ] || fail "the table did not come back within $2 s"
        sleep 0.5
    done
}

# A copy of the project in which `dicebell run` fails as it is told, and everything else works.
broken_copy() {
    rm -rf /root/broken
    cp -r $CHECKOUT /root/broken
    sed -i "s/^    lines = set_up_logs()$/    $1/" /root/broken/controller/cli/run.py
    grep -q "^    $1" /root/broken/controller/cli/run.py || fail "no broken copy was made"
}

refuses_update() {
    local before status=0 started=$SECONDS
    before=$(readlink /opt/dicebell/current)
    dicebell update --from /root/broken || status=$?
    [ $status = 1 ] || fail "expected update to end with 1, found $status"
    [ "$(readlink /opt/dicebell/current)" = "$before" ] || fail "the broken version is in use"
    answers || fail "the version before does not answer"
    tell "$1: the version before is in use again, $((SECONDS - started)) s after the start of the update"
}

is_away() {
    local path
    for path in /opt/dicebell /usr/local/bin/dicebell /etc/systemd/system/$UNIT \
        /etc/systemd/system/multi-user.target.wants/$UNIT /etc/systemd/user/dicebell-kiosk.service; do
        if [ -e "$path" ] || [ -L "$path" ]; then fail "$path is still there"; fi
    done
    [ "$(of_unit LoadState)" = not-found ] || fail "the service is still known: $(of_unit LoadState)"
}

# A version in use that is spoilt later, with its commands: the one before has its own.
goes_back() {
    local before process
    before=$(readlink --canonicalize /opt/dicebell/previous)
    rm -r /opt/dicebell/current/lib/python3*/site-packages/controller
    if systemctl restart $UNIT || dicebell --version 2>/dev/null; then fail "the spoilt version starts"; fi
    process=$(of_unit MainPID)
    /opt/dicebell/previous/bin/dicebell update --back || fail "the version before was not taken back"
    [ "$(readlink --canonicalize /opt/dicebell/current)" = "$before" ] || fail "the version before is not in use"
    comes_back "$process" 60
    tell "a version that was spoilt later: the version before is in use again"
}

# A first version that does not come up leaves nothing that is enabled.
refuses_first_install() {
    local status=0
    $CHECKOUT/install.sh --uninstall >/dev/null
    is_away
    /root/broken/install.sh >/root/install.out 2>&1 || status=$?
    [ $status = 1 ] || fail "expected install.sh to end with 1, found $status: $(tail -n 5 /root/install.out)"
    is_away
    tell "a first version that does not start: $(grep install.sh: /root/install.out)"
}

# Whoever is in the group may use a device of the unit's list, and read the key; nobody else may.
check_rights() {
    local key=/run/dicebell/kiosk.key
    [ "$(stat --format '%a %G' $key)" = "640 dicebell" ] || fail "the key is $(stat --format '%a %G' $key)"
    runuser -u nobody -g dicebell -- cat $key >/dev/null || fail "its group cannot read the key"
    if runuser -u nobody -- cat $key >/dev/null 2>&1; then fail "another account can read the key"; fi
    if runuser -u nobody -g dicebell -- ls /var/lib/dicebell >/dev/null 2>&1; then fail "its group reads the games"; fi
    tell "the key is for the group alone, and the games are for the account alone"
    groupadd --force gpio
    usermod --append --groups gpio dicebell
    # Two devices that every kernel has stand for the pins and for a device that is on no list.
    mknod /dev/gpiomem c 10 229
    mknod /dev/other c 10 237
    chgrp gpio /dev/gpiomem /dev/other
    chmod 660 /dev/gpiomem /dev/other
    mkdir -p /run/systemd/system/$UNIT.d
    {
        echo '[Service]'
        echo 'ExecStartPre=/bin/sh -c ": </dev/gpiomem"'
        echo 'ExecStartPre=/bin/sh -c "! (: </dev/other)"'
        echo 'ExecStartPre=/bin/sh -c "! touch /etc/dicebell-was-here /usr/dicebell-was-here"'
    } >/run/systemd/system/$UNIT.d/trial.conf
    systemctl daemon-reload
    systemctl restart $UNIT || fail "a device of its group cannot be used, or another one can"
    rm -r /run/systemd/system/$UNIT.d
    systemctl daemon-reload
    tell "its group's device can be used, another device and the system cannot"
}

answers || systemctl start $UNIT
comes_back 0 60
tell "it came up with the machine: $(of_unit StatusText)"

check_rights

process=$(of_unit MainPID)
kill -KILL "$process"
since=$SECONDS
comes_back "$process" 60
tell "killed: it answers again after $((SECONDS - since)) s"

process=$(of_unit MainPID)
kill -STOP "$process"
since=$SECONDS
comes_back "$process" 120
tell "made to hang: it answers again after $((SECONDS - since)) s"

process=$(of_unit MainPID)
$CHECKOUT/install.sh >/dev/null || fail "the repair did not go well"
comes_back "$process" 60
tell "repaired while it ran"

broken_copy 'raise SystemExit(3)'
refuses_update "a version that does not start"
broken_copy 'lines = set_up_logs(); __import__("threading").Timer(4, __import__("os")._exit, (70,)).start()'
refuses_update "a version that ends after 4 s"
goes_back

since=$SECONDS
systemctl stop $UNIT
[ "$(of_unit Result)" = success ] || fail "expected a stop in good order, found $(of_unit Result)"
[ "$(of_unit ExecMainStatus)" = 0 ] || fail "expected exit status 0, found $(of_unit ExecMainStatus)"
tell "stopped after $((SECONDS - since)) s"

refuses_first_install
