// SPDX-License-Identifier: MIT
// The picture that the last roll was read from, with marks on its dice.

import { el, setText, show, svg } from "./dom.js";
import { gettext } from "./messages.js";
import { dieMark } from "./dice_panel/die_mark.js";

const NONE = gettext("There is no picture of this roll.");

/**
 * Build the evidence of a roll inside `figure`; return the function that shows a roll. A roll of an
 * earlier game has its own `address`, and says what is `missing`.
 */
export function createEvidence(figure) {
  const picture = el("img", { alt: gettext("The picture that was read") });
  const marks = svg("svg", { "aria-hidden": true });
  const none = el("p", { text: NONE, hidden: true });
  let shown = null;
  figure.append(el("div", { class: "evidence-frame" }, picture, marks, none));
  picture.addEventListener("load", () => draw());
  picture.addEventListener("error", () => showNone());
  return (roll) => {
    const isNew = roll.picture !== shown?.picture;
    shown = roll;
    setText(none, roll.missing ?? NONE);
    if (roll.picture === "") showNone();
    else if (isNew) picture.src = roll.address ?? `/evidence/${roll.picture}.jpg`;
    else if (picture.naturalWidth) draw();
  };

  /** Positions are in pixels of the camera's frame; the picture may be a part of it. */
  function draw() {
    const [x, y, width, height] = shown.crop_px[2] > 0 ? shown.crop_px
      : [0, 0, picture.naturalWidth, picture.naturalHeight];
    marks.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    marks.replaceChildren(...shown.dice.filter((die) => die.edge_px > 0).map(evidenceMark));
    figure.style.setProperty("--aspect", width / height);
    showPicture(true);
  }

  /** A corrected face is not drawn on the picture, where it would contradict the die. */
  function evidenceMark(die) {
    const mark = dieMark(die);
    if (shown.was !== "") for (const part of mark.querySelectorAll("circle, text")) part.remove();
    return mark;
  }

  function showNone() {
    picture.removeAttribute("src");
    marks.replaceChildren();
    showPicture(false);
  }

  function showPicture(hasPicture) {
    show(picture, hasPicture);
    show(marks, hasPicture);
    show(none, !hasPicture);
  }
}
