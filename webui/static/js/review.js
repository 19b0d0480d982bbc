// SPDX-License-Identifier: MIT
// The review of the last roll: its picture and its reading, large, side by side.

import { $, el, fill, setText, show } from "./dom.js";
import { createEvidence } from "./evidence.js";
import { nameDie, orderDice, showFace } from "./faces.js";
import { isTyping } from "./typing.js";
import { gettext } from "./messages.js";
import { describeCorrection } from "./dialogs/reasons.js";
import { isWatcher } from "./roles.js";
import { send } from "./send.js";

const REVIEW_KEY = "r";

export function mountReview(store) {
  const isPlayer = !isWatcher();
  const showEvidence = createEvidence($("review-evidence"));
  store.watch(["last_roll"], ({ last_roll: roll }) => {
    show($("review-open"), isPlayer && (roll?.may_review ?? false));
    show($("correct-open"), isPlayer && (roll?.may_correct ?? false));
  });
  store.watch(["last_roll", "review", "buttons", "phase"], (view) => {
    if (view.review && view.last_roll) showReview(view, showEvidence);
  });
  $("review-open").addEventListener("click", ask);
  $("review-stands").addEventListener("click", () => send({ do: "press", key: "confirm" }));
  show($("review-correct"), isPlayer);
  document.addEventListener("keydown", (event) => {
    const isReviewKey = event.key.toLowerCase() === REVIEW_KEY && !event.repeat && !isTyping(event);
    if (isReviewKey && isPlayer && store.view?.last_roll?.may_review) ask();
  });
}

function ask() {
  send({ do: "review" });
}

function showReview(view, showEvidence) {
  const roll = view.last_roll;
  showEvidence(roll);
  setText($("review-whose"), gettext("{player} threw this", { player: roll.by }));
  $("review-dice").style.setProperty("--places", Math.max(roll.dice.length, 4));
  fill($("review-dice"), orderDice(roll.dice, view.board), () => el("span", { role: "img" }), (node, { die }) => {
    showFace(node, die);
    node.dataset.face = die.face;
    node.setAttribute("aria-label", nameDie(die));
  });
  setText($("review-mark"), roll.was ? gettext("corrected by hand") : gettext("entered by hand"));
  show($("review-mark"), roll.entered_by !== "");
  setText($("review-why"), describeCorrection(roll));
  setText($("review-since"), roll.since.length ? gettext("Done since then: {choices}.", { choices: roll.since.join(", ") }) : "");
  setText($("review-stands"), view.buttons.confirm ?? "");
}
