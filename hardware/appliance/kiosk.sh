#!/bin/sh
# SPDX-License-Identifier: MIT
# The kiosk's screen: wait for the table, show its page, and watch over it.
#
# The page gives a sign every few seconds that it is drawn and shows a table, and the table tells how
# long ago that was. So a browser that is gone, a page that crashed and one that stayed blank are
# all found out; then this script ends, and the service manager starts it again at once. A machine
# may be too slow for a browser that never gave a sign: each one after it gets twice the time.
#
#   KIOSK_URL       the table's page; without it, where the service says that it is
#   KIOSK_KEY       the file with the key of the box's own screen, which the table writes
#   KIOSK_BROWSER   the browser's command; without it, Chromium by one of its names
#   KIOSK_CHECK_S   seconds between two looks (5)
#   KIOSK_PATIENCE  so many looks in a row without a sign are too many (18), after browsers that
#                   never gave one up to eight times as many
set -u

check_s=${KIOSK_CHECK_S:-5}
patience=${KIOSK_PATIENCE:-18}
longest_patience=$((8 * patience))
oldest_s=20
key_file=${KIOSK_KEY:-/run/dicebell/kiosk.key}
profile=${XDG_RUNTIME_DIR:-/tmp}/dicebell-kiosk
patience_file=$profile.patience
browser=""

say() {
    echo "dicebell kiosk: $*" >&2
}

# Where the table is: its service says so in a line for people.
find_url() {
    told=$(systemctl show --property=StatusText --value dicebell.service 2>/dev/null)
    found=$(echo "$told" | grep -o 'http://[^ ]*')
    echo "${KIOSK_URL:-${found:-http://127.0.0.1:8081/}}"
}

# Any answer will do: a table that is not well says so on its own page.
answers() {
    curl --silent --max-time 5 --output /dev/null "${1}healthz"
}

find_browser() {
    for name in ${KIOSK_BROWSER:-chromium chromium-browser}; do
        command -v "$name" && return
    done
    return 1
}

is_here() {
    case $1 in
        http://127.* | http://localhost[:/]* | "http://[::1]"*) ;;
        *) return 1 ;;
    esac
}

# The page that the browser starts with. With the key of the box's own screen the page may do what
# that screen may. The key is in a file and not among the browser's arguments, which every account
# of this machine can read.
start_page() {
    if is_here "$1" && key=$(cat "$key_file" 2>/dev/null) && [ -n "$key" ]; then
        (umask 077 && printf '<!doctype html>\n<meta http-equiv="refresh" content="0;url=%s">\n' \
            "${1}login#box=$key" >"$profile/start.html") && echo "file://$profile/start.html" && return
    fi
    say "expected the table's key in $key_file, found none that this user may read: the screen may" \
        "do no more than any other browser. Run sudo ./install.sh, then restart the machine"
    echo "$1"
}

# Debian's Chromium knows nothing but English by itself: pages get the language of the desktop.
language() {
    found=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}
    case ${found%%[.@]*} in
        "" | C | POSIX) echo en ;;
        *) echo "${found%%[.@]*}" | tr _ - ;;
    esac
}

# In memory and new every time: nothing is written to the card, and nobody is asked whether
# the pages of a browser that was cut off shall come back.
show() {
    rm -rf "$profile"
    mkdir -m 700 "$profile" || exit 1
    "$1" --kiosk --ozone-platform-hint=auto --user-data-dir="$profile" --disk-cache-size=1 \
        --no-first-run --no-default-browser-check --noerrdialogs --disable-infobars \
        --disable-session-crashed-bubble --hide-crash-restore-bubble --password-store=basic \
        --disable-features=Translate --disable-component-update --disable-pinch \
        --overscroll-history-navigation=0 --autoplay-policy=no-user-gesture-required \
        --accept-lang="$(language)" "$(start_page "$2")" &
    browser=$!
}

close_browser() {
    [ -n "$browser" ] && kill "$browser" 2>/dev/null && wait "$browser" 2>/dev/null
    browser=""
    rm -rf "$profile"
}

# The page's last sign: fresh, old, or no way to know: the table itself does not answer, or it
# listens on one outer address only, where nobody counts as the box itself.
sign() {
    is_here "$1" || { echo unknown; return; }
    age_s=$(curl --silent --fail --max-time 5 "${1}heartbeat") || { echo unknown; return; }
    case $age_s in
        never | "") echo old ;;
        *) if [ "${age_s%%.*}" -le "$oldest_s" ]; then echo fresh; else echo old; fi ;;
    esac
}

# The patience with a browser, longer if the ones before never gave a sign.
find_patience() {
    kept=$(cat "$patience_file" 2>/dev/null)
    case $kept in
        "" | *[!0-9]*) ;;
        *) [ "$kept" -gt "$patience" ] && patience=$kept ;;
    esac
    [ "$patience" -le "$longest_patience" ] || patience=$longest_patience
}

# Look until something is wrong.
watch_over() {
    missed=0 has_lived=no
    while sleep "$check_s"; do
        kill -0 "$browser" 2>/dev/null || { say "the browser ended"; return; }
        case $(sign "$1") in
            old) missed=$((missed + 1)) ;;
            fresh) missed=0 has_lived=yes && rm -f "$patience_file" ;;
            *) missed=0 ;;
        esac
        [ "$missed" -ge "$patience" ] || continue
        say "the page gives no sign of life"
        [ "$has_lived" = yes ] || echo $((2 * patience)) >"$patience_file"
        return
    done
}

trap 'close_browser; exit 0' INT TERM
command=$(find_browser) || { say "expected Chromium, found none: sudo apt install chromium"; exit 1; }
until url=$(find_url) && answers "$url"; do
    sleep 1
done
say "showing $url"
find_patience
show "$command" "$url"
watch_over "$url"
close_browser
exit 1
