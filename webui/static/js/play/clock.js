// SPDX-License-Identifier: MIT
// The clock of the open roll or the round, by the time of the server: a ring that empties, and what is
// left.

import { $, setText, show } from "../dom.js";
import { formatLeft, LONG_S } from "../event/time_left.js";
import { gettext } from "../messages.js";

const TICK_MS = 200;
const SOON_S = 15;
const LAST_S = 5;
const ROUND = 100;
/** The ring of a round's clock is full while an hour is left. */
const ROUND_S = 3600;

export function mountClock(event, now) {
  let untilMs = null;
  let wholeS = 1;
  const tick = () => {
    show($("clock"), untilMs !== null);
    if (untilMs === null) return;
    const left = Math.max(0, untilMs - now()) / 1000;
    const seconds = Math.ceil(left);
    setText($("clock").lastElementChild, formatLeft(left));
    $("clock").classList.toggle("long", left > LONG_S);
    $("clock-left").style.strokeDashoffset = ROUND * (1 - Math.min(1, left / wholeS));
    $("clock").dataset.hurry = seconds <= LAST_S ? "last" : seconds <= SOON_S ? "soon" : "";
    $("clock").setAttribute("aria-label", gettext("{seconds} seconds left", { seconds }));
  };
  event.watch(["shared", "own", "seats"], ({ shared, own, seats }) => {
    const isMine = own?.roll?.plays && !own.roll.chosen && !own.roll.awaits_reserve;
    // Who has chosen sees how long the others have.
    untilMs = (isMine ? own.roll.until_ms : shared?.game?.roll?.until_ms) ?? null;
    wholeS = shared?.event?.clock_s ?? 1;
    if (shared?.round?.until_ms && !shared.is_final) [untilMs, wholeS] = [shared.round.until_ms, ROUND_S];
    if (!own?.player && !seats?.length) untilMs = null;
    tick();
  });
  setInterval(tick, TICK_MS);
}
