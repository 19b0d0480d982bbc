// SPDX-License-Identifier: MIT
// The worked example of the help: one step at a time, with the dice and sheets that the table
// itself would show there.

import { $, el, fill, setText, show } from "../dom.js";
import { TAGS } from "../dice_panel/dice.js";
import { nameDie, orderDice, showFace } from "../faces.js";
import { makeCard, showPaper, showTotals } from "../sheets/card.js";

/** What a sheet needs of a view, beside its dice: no choice is open here. */
const NO_CHOICE = { choices: [], joker: "", outcome: null };

export function makeExample() {
  return [
    el("div", { class: "story" }, el("h3"), el("div", { class: "thrown" }), el("ul")),
    el("div", { class: "papers" }),
  ];
}

export function showStep(page, step) {
  const [story, papers] = page.children;
  const [heading, dice, lines] = story.children;
  setText(heading, step.heading);
  show(dice, step.dice.length > 0);
  fill(dice, orderDice(step.dice, step.board), () => el("span", { role: "img" }), (node, { die }) => {
    showFace(node, die);
    node.dataset.group = die.group ?? "none";
    node.dataset.tag = TAGS[die.group] ?? "";
    node.setAttribute("aria-label", nameDie(die));
  });
  fill(lines, step.lines, () => el("li"), setText);
  papers.dataset.count = step.players.length;
  const players = step.players.map((player) => ({ ...player, opponent: "", state: "idle", winner: false }));
  fill(papers, players, makeCard, showTotals);
  players.forEach((player, index) => showPaper(papers.children[index], player, { ...NO_CHOICE, ...step }));
}
