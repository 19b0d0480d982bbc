// SPDX-License-Identifier: MIT
// The last rolls of the game that is played, and everybody's score as a line, where there is space.

import { $, el, fill, setText, show } from "./dom.js";
import { FEW } from "./sheets/dice.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 100, HEIGHT = 40, MARGIN = 2;

export function mountRecent(store) {
  store.watch(["course", "players"], ({ course, players }) => {
    show($("course"), course !== null);
    if (course === null) return;
    drawScores($("course").firstElementChild, course.scores);
    fill($("course").lastElementChild, course.rolls, makeRoll, (item, roll) => {
      item.dataset.seat = roll.seat;
      setText(item.children[0], `${roll.number}`);
      setText(item.children[1], players[roll.seat]?.name ?? "");
      setText(item.children[2], writeFaces(roll.faces));
    });
  });
}

/** The faces of many dice would leave no space for the name: only their sum is shown. */
function writeFaces(faces) {
  return faces.length > FEW ? `Σ ${faces.reduce((sum, face) => sum + face, 0)}` : faces.join(" ");
}

function makeRoll() {
  return el("li", {}, el("small"), el("b"), el("span"));
}

/** One line for each player between the least and the greatest score, and one at zero. */
function drawScores(svg, scores) {
  const all = scores.flat(), least = Math.min(0, ...all), range = Math.max(0, ...all) - least || 1;
  const y = (total) => HEIGHT - MARGIN - ((total - least) / range) * (HEIGHT - 2 * MARGIN);
  const x = (index) => (index / Math.max(1, scores.length - 1)) * WIDTH;
  const lines = (scores[0] ?? []).map((_, seat) => draw(scores.map((totals, index) => `${x(index)},${y(totals[seat])}`), seat));
  svg.replaceChildren(draw([`0,${y(0)}`, `${WIDTH},${y(0)}`]), ...lines);
}

function draw(points, seat) {
  const line = document.createElementNS(SVG, "polyline");
  line.setAttribute("points", points.join(" "));
  if (seat !== undefined) line.dataset.seat = seat;
  return line;
}
