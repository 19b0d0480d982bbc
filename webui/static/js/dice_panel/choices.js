// SPDX-License-Identifier: MIT
// The legal choices and the effect of each on the score. A tap only selects one, like
// the keys; a press confirms it.

import { $, el, fill, measureLater, setText, show, formatDifference } from "../dom.js";
import { gettext } from "../messages.js";
import { send } from "../send.js";
import { drawTicket } from "./tickets.js";

const FEW = 6;

export function mountChoices(store) {
  store.watch(["choices", "cursor", "phase", "dice", "players", "joker"], showChoices);
}

function showChoices(view) {
  const list = $("choices");
  const choices = listFitting(view);
  show($("offers"), choices.length > 0);
  list.dataset.columns = columnsFor(choices);
  fill(list, choices, makeChoice, (item, choice) => {
    const button = item.firstElementChild, index = view.choices.indexOf(choice);
    const [what, gain] = button.children;
    drawTicket(what, choice, view);
    setText(gain, choice.gain === null ? "" : formatDifference(choice.gain));
    gain.dataset.sign = Math.sign(choice.gain ?? 0);
    button.dataset.choice = index;
    button.dataset.action = choice.action;
    button.dataset.kind = choice.kind;
    button.setAttribute("aria-label", label(choice));
    button.setAttribute("aria-current", index === view.cursor);
  });
  measureLater(() => list.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" }));
}

/** While a joker is tapped, only what it can do; the corrector only with the tapped die. `count.js` has numbers of dice. */
function listFitting({ choices, dice, joker }) {
  const turned = joker === "corrector" ? dice.find((die) => die.taken) : undefined;
  const start = turned ? `${joker} ${turned.face}>` : joker;
  return choices.filter(({ action, kind }) => action.startsWith(start) && kind !== "dice");
}

/** Pairs are short; longer texts get whole lines. */
function columnsFor(choices) {
  if (choices.every((choice) => choice.kind === "pairs")) return 3;
  if (choices.some((choice) => choice.kind === "end")) return "end";
  return choices.length <= FEW && choices.every((choice) => choice.gain === null) ? 1 : 2;
}

function label({ text, gain, total }) {
  return gain === null ? text : gettext("{choice}, {points}, then {total}", { choice: text, points: formatDifference(gain), total });
}

function makeChoice() {
  const choose = ({ currentTarget }) => send({ do: "choose", index: Number(currentTarget.dataset.choice) });
  const parts = [el("span", { class: "what" }), el("span", { class: "gain" })];
  return el("li", {}, el("button", { type: "button", onclick: choose }, ...parts));
}
