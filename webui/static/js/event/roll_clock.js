// SPDX-License-Identifier: MIT
// The clock of a roll or a round: the time that is left, by the server's time.

import { $, setText, show } from "../dom.js";

const EVERY_MS = 200;
const LAST_S = 10;
/** From here on it is minutes. */
export const LONG_S = 100;

/** "57" seconds, or "12:07" minutes; 0 at the least. */
export function formatLeft(leftS) {
  const seconds = Math.ceil(Math.max(0, leftS));
  if (seconds < LONG_S) return `${seconds}`;
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

/** `now()` is the server's time; the result sets which clock runs, null for none. */
export function mountClock(now) {
  let clock = null;
  const draw = () => {
    show($("clock"), clock !== null);
    if (clock === null) return;
    const leftS = Math.max(0, (clock.untilMs - now()) / 1000);
    setText($("seconds"), formatLeft(leftS));
    $("clock").classList.toggle("long", leftS > LONG_S);
    $("clock").style.setProperty("--left", Math.min(1, leftS / clock.lengthS));
    $("clock").classList.toggle("last", leftS <= LAST_S);
  };
  setInterval(draw, EVERY_MS);
  return (next) => {
    clock = next;
    draw();
  };
}
