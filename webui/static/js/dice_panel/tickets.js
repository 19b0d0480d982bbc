// SPDX-License-Identifier: MIT
// The content of a ticket: totals and dice if they are clearer than words.

import { el } from "../dom.js";
import { dieFace } from "../faces.js";
import { jokerIcon } from "../icons.js";

const PAIRS = /^(?:3:1 )?(\d+)\+(\d+)\/([1-6])$/;
const CORRECTOR = /^corrector ([1-6])>([1-6])$/;
const HOLD = /^hold ?([1-6]*)$/;
const CELL = /^(\w+)\*(\d)$/;
const THROW = /^throw (white|black|both)$/;
const TENS = /^tens (white|black)$/;
const COLOURS = { white: "light", black: "dark" };

const DRAWN = { pairs, three, joker, fill, throw: again, tens };

/** The drawn content of each ticket, so that an unchanged one is not drawn again. */
const tickets = new WeakMap();

/** Draw a choice; one without a drawing is shown as text. */
export function drawTicket(node, choice, view) {
  const drawn = JSON.stringify([choice.action, choice.text, view.dice.map((die) => die.face)]);
  if (tickets.get(node) === drawn) return;
  tickets.set(node, drawn);
  node.replaceChildren(...(DRAWN[choice.kind]?.(choice, view) ?? [words(choice.text)]));
}

function words(text) {
  return el("em", { text });
}

/** Two totals and the remaining die. */
function pairs({ action }) {
  const found = PAIRS.exec(action);
  if (!found) return null;
  const [, first, second, fifth] = found;
  return [el("b", { text: first }), el("i", { text: "+" }), el("b", { text: second }), dieFace(Number(fifth))];
}

function three(choice) {
  const parts = pairs(choice);
  return parts && [jokerIcon("3:1"), ...parts];
}

/** The die to turn and its new face; else the name of the joker. */
function joker({ action, text }, view) {
  const turned = CORRECTOR.exec(action);
  if (turned) {
    return [jokerIcon("corrector"), dieFace(Number(turned[1])), el("i", { text: "→" }), dieFace(Number(turned[2]))];
  }
  const held = chooserOf(view)?.sheet.jokers?.find((one) => one.name === action);
  return [jokerIcon(action), words(held?.title ?? text)];
}

/** The cell's printed name, and its column by its factor. */
function fill({ action }, view) {
  const found = CELL.exec(action);
  const sheet = chooserOf(view)?.sheet;
  const row = sheet?.rows?.find((one) => one.key === found?.[1]);
  if (!found || !row) return null;
  return [words(row.label), el("u", { text: `×${sheet.factors[found[2] - 1]}` })];
}

/** The dice that stay, and a hollow one for each that is thrown again. */
function again({ action, text }, view) {
  const hold = HOLD.exec(action);
  if (hold) {
    const thrown = view.dice_wanted - hold[1].length;
    return [...[...hold[1]].map((face) => dieFace(Number(face))), ...Array.from({ length: thrown }, () => hollow("light"))];
  }
  const colours = THROW.exec(action);
  return colours && [...view.dice.map((die) => colouredDie(die, colours[1])), words(text)];
}

function colouredDie(die, thrown) {
  const isThrown = thrown === "both" || COLOURS[thrown] === die.polarity;
  return isThrown ? hollow(die.polarity) : dieFace(die.face, die.polarity, die.colour);
}

function tens({ action, text }) {
  const said = TENS.exec(action);
  return said && [dieFace(0, COLOURS[said[1]], said[1]), words(text)];
}

function hollow(polarity) {
  const die = dieFace(0, polarity);
  die.classList.add("hollow");
  return die;
}

function chooserOf(view) {
  return view.players.find((player) => player.state === "chooses");
}
