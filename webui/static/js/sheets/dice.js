// SPDX-License-Identifier: MIT
// The card of a player of Just dice: equal dice of the last roll, how often each face fell, and the
// rolls before.

import { el, fill, setText, show } from "../dom.js";
import { dieFace, showFace } from "../faces.js";
import { gettext, ngettext } from "../messages.js";

const FACES = [1, 2, 3, 4, 5, 6];
/** So many faces fit into a line of the narrowest card, each for itself. */
export const FEW = 6;

/** Nobody has to choose anything. */
const states = { chooses: gettext("throws next"), waits: "" };

export const dice = { make, update, isPending: () => false, states };

function make() {
  const bars = FACES.map((face) => el("li", {}, el("b"), dieFace(face), el("i")));
  return el("div", { class: "free-dice" },
    el("ul", { class: "equal", "aria-label": gettext("Equal dice") }),
    el("ol", { class: "fallen", "aria-label": gettext("How often each face fell") }, ...bars),
    el("ol", { class: "past", "aria-label": gettext("The last rolls") }));
}

function update(node, { sheet }) {
  const [equal, fallen, past] = node.children;
  fill(equal, sheet.sets, makeSet, showSet);
  show(equal, sheet.sets.length > 0);
  showCounts(fallen, sheet.counts);
  fill(past, sheet.recent, makeRoll, showRoll);
}

function makeSet() {
  return el("li", {}, el("b"), el("span"));
}

function showSet(item, { face, count }) {
  setText(item.firstElementChild, `${count} ×`);
  showFace(item.lastElementChild, { face, polarity: "light", colour: "" });
  item.setAttribute("aria-label", `${count} × ${face}`);
}

/** A bar is as long as its share of the most frequent face. */
function showCounts(list, counts) {
  const most = Math.max(...counts, 1);
  counts.forEach((count, index) => {
    const bar = list.children[index];
    setText(bar.firstElementChild, `${count}`);
    bar.lastElementChild.style.setProperty("--share", count / most);
    bar.setAttribute("aria-label", ngettext("{face}: {count} time", "{face}: {count} times", count, { face: FACES[index] }));
  });
}

function makeRoll() {
  return el("li", {}, el("small"), el("span"), el("b"));
}

function showRoll(item, roll) {
  const [number, faces, sum] = item.children;
  setText(number, `${roll.number}`);
  setText(faces, writeFaces(roll.faces));
  item.toggleAttribute("data-many", roll.faces.length > FEW);
  setText(sum, `${roll.sum}`);
  item.classList.toggle("again", roll.again);
  item.title = roll.again ? gettext("Some dice stayed as they lay.") : "";
}

/** Many dice are read at a glance in groups of the same face: 111 22 4 6666. */
function writeFaces(faces) {
  if (faces.length <= FEW) return faces.join(" ");
  return FACES.map((face) => `${face}`.repeat(faces.filter((each) => each === face).length)).filter(Boolean).join(" ");
}
