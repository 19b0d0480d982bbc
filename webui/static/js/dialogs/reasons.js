// SPDX-License-Identifier: MIT
// Who enters a roll by hand, and why, as the dialog offers it. The journal keeps the English text,
// which each screen shows in its own language.

import { nameDie } from "../faces.js";
import { gettext } from "../messages.js";

export const OFFICIAL = "Official";

/** The offered reasons by task; the first one may be empty. */
export const REASONS = {
  enter: ["", "A die leans or lies on another", "The picture is not clear"],
  correct: ["A die was misread", "The picture is not clear", "A die was touched while it was read"],
};

const TEXTS = {
  "": gettext("no reason"),
  "A die leans or lies on another": gettext("A die leans or lies on another"),
  "A die was misread": gettext("A die was misread"),
  "A die was touched while it was read": gettext("A die was touched while it was read"),
  "The picture is not clear": gettext("The picture is not clear"),
};

export function nameOfficial(name) {
  return name === OFFICIAL ? gettext("Official") : name;
}

/** A reason in other words stands as it was typed. */
export function translateReason(reason) {
  return TEXTS[reason] ?? reason;
}

/** A roll of the record, such as `13344` or `w4 b6`, as the dice are named elsewhere. */
export function writeRoll(text) {
  const colours = { w: "white", b: "black" };
  const dice = text.match(/[wb]?[1-6]/g).map((die) => nameDie({ colour: colours[die[0]], face: Number(die.at(-1)) }));
  return dice.join(text.includes(" ") ? ", " : " ");
}

/** Who entered or corrected a roll, and why; empty if the camera read it. */
export function describeCorrection(roll) {
  if (!roll.entered_by) return "";
  const who = nameOfficial(roll.entered_by);
  const was = roll.was ? gettext("{official}, read as {roll}", { official: who, roll: writeRoll(roll.was) }) : who;
  return roll.reason ? `${was}: ${translateReason(roll.reason)}` : was;
}
