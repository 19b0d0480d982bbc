// SPDX-License-Identifier: MIT
// The corrector by touch: after a tap on the joker and on a die, six faces offer the new value of
// that die. A tap on a face only selects the choice, like every tap.

import { $, el, fill, show } from "../dom.js";
import { dieFace } from "../faces.js";
import { gettext } from "../messages.js";
import { send } from "../send.js";

const FACES = [1, 2, 3, 4, 5, 6];

export function mountCorrector(store) {
  store.watch(["joker", "dice", "choices", "cursor"], showCorrector);
}

function showCorrector(view) {
  const die = view.joker === "corrector" ? tappedDie(view.dice) : undefined;
  show($("turn-to"), die !== undefined && view.choices.length > 0);
  if (die === undefined) return;
  fill($("turn-to"), FACES, makeFace, (button, face) => {
    const action = `corrector ${die.face}>${face}`;
    const index = view.choices.findIndex((choice) => choice.action === action);
    button.disabled = index < 0;
    button.onclick = () => send({ do: "choose", index });
    button.setAttribute("aria-current", index >= 0 && index === view.cursor);
  });
}

function tappedDie(dice) {
  return dice.find((die) => die.taken) ?? dice.find((die) => die.group === "turn");
}

function makeFace(index) {
  const face = FACES[index];
  return el("button", { type: "button", "data-turn-to": face, "aria-label": gettext("turn it to {face}", { face }) }, dieFace(face));
}
