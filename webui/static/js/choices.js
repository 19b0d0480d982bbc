// SPDX-License-Identifier: MIT
// The legal choices and what each would do to the score. A tap only points at one, like
// the keys do; confirming is a press.

import { $, el, fill, say, show, signed } from "./dom.js";
import { dieFace } from "./faces.js";
import { send } from "./send.js";

const PAIRS = /^(\d+)\+(\d+)\/([1-6])$/;

export function mountChoices(store) {
  store.watch(["choices", "cursor", "phase"], showChoices);
}

function showChoices(view) {
  const list = $("choices");
  show(list, view.choices.length > 0 && view.phase === "choosing");
  fill(list, view.choices, makeChoice, (item, choice, index) => {
    const button = item.firstElementChild;
    const isCurrent = index === view.cursor;
    nameChoice(button.children[0], choice);
    const gain = button.children[1];
    say(gain, signed(choice.gain));
    gain.dataset.sign = Math.sign(choice.gain);
    button.dataset.action = choice.action;
    button.setAttribute("aria-label", `${choice.text}, ${signed(choice.gain)}, then ${choice.total}`);
    button.setAttribute("aria-current", isCurrent);
    if (isCurrent) item.scrollIntoView({ block: "nearest" });
  });
}

function makeChoice(index) {
  const choose = () => send({ do: "choose", index });
  const parts = [el("span", { class: "what" }), el("span", { class: "gain" })];
  return el("li", {}, el("button", { type: "button", "data-choice": index, onclick: choose }, ...parts));
}

/** Two totals and the die left out are drawn; any other notation stands as it is. */
function nameChoice(node, choice) {
  if (node.dataset.action === choice.action) return;
  node.dataset.action = choice.action;
  const pairs = PAIRS.exec(choice.action);
  if (!pairs) {
    node.replaceChildren(choice.text);
    return;
  }
  const [, first, second, fifth] = pairs;
  node.replaceChildren(
    el("b", { text: first }), el("i", { text: "+" }), el("b", { text: second }), dieFace(Number(fifth)),
  );
}
