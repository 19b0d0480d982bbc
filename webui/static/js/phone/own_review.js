// SPDX-License-Identifier: MIT
// The review of the last roll on a phone: the button that requests it, and the picture while it is open.

import { $, setText, show } from "../dom.js";
import { createEvidence } from "../evidence.js";
import { describeCorrection } from "../dialogs/reasons.js";
import { send } from "../send.js";

export function mountOwnReview(store) {
  const showEvidence = createEvidence($("own-evidence"));
  $("review").addEventListener("click", () => send({ do: "review" }));
  store.watch(["last_roll", "review", "phase"], ({ last_roll: roll, review, phase }) => {
    // A phone gets one review of a roll; the table's own screen gets any.
    show($("review"), roll !== null && roll.may_review && !roll.reviewed);
    const isOpen = phase === "review" && review !== null && roll !== null;
    show($("own-review"), isOpen);
    if (!isOpen) return;
    showEvidence(roll);
    setText($("own-review-why"), describeCorrection(roll));
  });
}
