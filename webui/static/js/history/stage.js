// SPDX-License-Identifier: MIT
// One step of a replay: whose roll, its dice and its picture, and what followed.

import { $, el, fill, setText, show } from "../dom.js";
import { createEvidence } from "../evidence.js";
import { nameDie, showFace } from "../faces.js";
import { gettext } from "../messages.js";

const MARKS = { doubt: gettext("in doubt"), hand: gettext("entered by hand"), corrected: gettext("corrected") };

export function mountStage(store) {
  const showPicture = createEvidence($("picture"));
  store.watch([], (view) => {
    showStep(view);
    showPicture(asRoll(view));
  });
}

function showStep({ step, outcome, stopped }) {
  setText($("whose"), titleOf(step));
  fill($("marks"), step.marks, () => el("b"), (node, mark) => {
    node.dataset.mark = mark;
    setText(node, MARKS[mark]);
  });
  const dice = [...step.faces, ...step.was.map((die) => ({ ...die, isOld: true }))];
  fill($("faces"), dice, () => el("i"), (node, die) => {
    showFace(node, die);
    node.classList.toggle("old", die.isOld ?? false);
  });
  const faces = step.faces.map(nameDie).join(" ");
  $("faces").setAttribute("aria-label", faces || gettext("no dice"));
  const held = step.held ? [gettext("{player}: {choice}", { player: step.by, choice: step.held })] : [];
  fill($("notes"), [...held, ...step.notes, ...step.doubts, ...(stopped ? [stopped] : [])], () => el("li"), setText);
  const end = outcome ? [{ at: "", by: "", text: outcome.text, gain: "", tone: "end" }] : [];
  fill($("step-events"), [...step.events, ...end], makeEvent, showEvent);
  show($("step-events"), step.events.length + end.length > 0);
  $("step-events").scrollTop = 0;
  setText($("announced"), `${titleOf(step)} ${faces}`);
}

function titleOf({ roll, by }) {
  if (roll > 0) return gettext("Roll {number}: {player}", { number: roll, player: by });
  return by ? gettext("Shown, not accepted: {player}", { player: by }) : gettext("Before the first roll");
}

function makeEvent() {
  return el("li", {}, el("b"), el("span"), el("output"));
}

function showEvent(node, { by, text, gain, tone }) {
  node.dataset.tone = tone;
  [by, text, gain].forEach((part, index) => setText(node.children[index], part));
}

/** The picture as the review of a roll shows one; positions are in pixels of the stored part. */
function asRoll({ step, gone }) {
  const { digest, size_px: [width, height], dice } = step.picture;
  const isThere = digest !== "" && gone === "";
  return {
    picture: isThere ? digest : "",
    address: `/history/${document.body.dataset.number}/pictures/${digest}.jpg`,
    missing: gone || gettext("No picture was stored for this step."),
    crop_px: [0, 0, width, height], dice, was: step.was.length > 0 ? "corrected" : "",
  };
}
