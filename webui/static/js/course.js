// SPDX-License-Identifier: MIT
// How a game went: everybody's score after each roll, and the roll that decided it.

import { $, setText, show } from "./dom.js";
import { createEvidence } from "./evidence.js";
import { showCurve } from "./history/curve.js";
import { mountPlot } from "./history/plots.js";
import { gettext } from "./messages.js";

/** Return what shows the course of a game that is over, from its outcome and its players. */
export function mountCourse() {
  const showEvidence = createEvidence($("decisive")), drawScores = mountPlot($("scores"));
  return (outcome, players) => {
    showCurve($("scores"), players.map(({ name }) => name), outcome.scores.map((totals, index) => ({ roll: index + 1, totals })));
    show($("scores"), outcome.scores.length > 1);
    drawScores();
    show($("decisive"), outcome.decisive !== null);
    if (outcome.decisive) showDecisive(outcome.decisive, showEvidence);
  };
}

function showDecisive(roll, showEvidence) {
  const faces = roll.dice.map((die) => die.face).join(" ");
  const text = gettext("Roll {number} decided it: {player} threw {faces}.", { number: roll.number, player: roll.by, faces });
  setText($("decisive").querySelector("figcaption"), text);
  showEvidence({ ...roll, was: "" });
}
