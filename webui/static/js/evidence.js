// SPDX-License-Identifier: MIT
// The picture that the last roll was read from, with its dice marked where they lay in it.

import { el, show, svg } from "./dom.js";
import { dieMark } from "./dice_panel/tray.js";

/** Make the drawing of a roll's evidence inside `figure`; the result shows a roll in it. */
export function createEvidence(figure) {
  const picture = el("img", { alt: "The picture that was read" });
  const marks = svg("svg", { "aria-hidden": true });
  const none = el("p", { text: "No picture is kept of this roll.", hidden: true });
  let shown = null;
  figure.append(el("div", { class: "evidence-frame" }, picture, marks, none));
  picture.addEventListener("load", () => draw());
  picture.addEventListener("error", () => clear());
  return (roll) => {
    const isNew = roll.picture !== shown?.picture;
    shown = roll;
    if (roll.picture === "") clear();
    else if (isNew) picture.src = `/evidence/${roll.picture}.jpg`;
    else if (picture.naturalWidth) draw();
  };

  /** Places are in pixels of the camera's frame, of which the picture may hold only a part. */
  function draw() {
    const [x, y, width, height] = shown.crop_px[2] > 0 ? shown.crop_px
      : [0, 0, picture.naturalWidth, picture.naturalHeight];
    marks.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    marks.replaceChildren(...shown.dice.filter((die) => die.edge_px > 0).map(evidenceMark));
    figure.style.setProperty("--aspect", width / height);
    tell(true);
  }

  /** A corrected face stands beside the picture; on it, it would contradict what is seen there. */
  function evidenceMark(die) {
    const mark = dieMark(die);
    if (shown.was !== "") for (const part of mark.querySelectorAll("circle, text")) part.remove();
    return mark;
  }

  function clear() {
    picture.removeAttribute("src");
    marks.replaceChildren();
    tell(false);
  }

  function tell(hasPicture) {
    show(picture, hasPicture);
    show(marks, hasPicture);
    show(none, !hasPicture);
  }
}
