// SPDX-License-Identifier: MIT
// The picture that the last roll was read from, with marks on its dice.

import { drawDie, placeDice } from "./dice_panel/die_mark.js";
import { el, setText, show, svg } from "./dom.js";
import { showImage } from "./loaded.js";
import { gettext } from "./messages.js";

const NONE = gettext("There is no picture of this roll.");

/**
 * Build the evidence of a roll inside `figure`; return the function that shows a roll. A roll of an
 * earlier game has its own `address`, and says what is `missing`.
 */
export function createEvidence(figure) {
  const picture = el("img", { alt: gettext("The picture that was read") });
  const marks = svg("svg", { "aria-hidden": true });
  const none = el("p", { text: NONE, hidden: true });
  let shown = null, address = "";
  figure.append(el("div", { class: "evidence-frame" }, picture, marks, none));
  return async (roll) => {
    shown = roll;
    setText(none, roll.missing ?? NONE);
    const wanted = roll.picture === "" ? null : roll.address ?? `/evidence/${roll.picture}.jpg`;
    if (wanted === address) {
      if (!picture.hasAttribute("data-waits")) draw();
      return;
    }
    address = wanted;
    for (const part of [marks, none]) show(part, false);
    const isThere = await showImage(picture, wanted);
    if (address !== wanted) return;
    if (isThere) draw();
    else show(none, true);
  };

  /** Positions are in pixels of the camera's frame; the picture may be a part of it. */
  function draw() {
    const [x, y, width, height] = shown.crop_px[2] > 0 ? shown.crop_px
      : [0, 0, picture.naturalWidth, picture.naturalHeight];
    marks.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    const lying = shown.dice.filter((die) => die.edge_px > 0);
    marks.replaceChildren(...placeDice(lying, { left: x, top: y, right: x + width, bottom: y + height }).map(drawRead));
    figure.style.setProperty("--aspect", width / height);
    show(marks, true);
  }

  /** A corrected face is not drawn on the picture, where it would contradict the die. */
  function drawRead(die) {
    const mark = drawDie(die);
    if (shown.was !== "") for (const part of mark.querySelectorAll("circle, line, text")) part.remove();
    return mark;
  }
}
