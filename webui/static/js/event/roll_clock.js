// SPDX-License-Identifier: MIT
// The clock of a roll or a round: the time that is left, by the server's time.

import { $, setText, show } from "../dom.js";
import { formatLeft, LONG_S } from "./time_left.js";

const EVERY_MS = 200;
const LAST_S = 10;

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
