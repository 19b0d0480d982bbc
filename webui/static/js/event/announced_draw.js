// SPDX-License-Identifier: MIT
// The announced draw of a round: which table throws for it, and the rolls that have fallen.

import { $, el, fill, setText, show } from "../dom.js";
import { showFace } from "../faces.js";
import { gettext, ngettext } from "../messages.js";

export function showAnnounced(announced) {
  show($("announced"), announced !== null);
  if (announced === null) return;
  const [title, what, rolls] = $("announced").children;
  show(what, announced.missing > 0);
  setText(title, gettext("Draw of round {number}", { number: announced.round }));
  setText(what, ngettext(
    "The next roll at table {table} decides who sits where.", "The next {count} rolls at table {table} decide who sits where.",
    announced.missing, { table: announced.table },
  ));
  fill(rolls, announced.rolls, () => el("li"), (item, faces) => {
    item.setAttribute("aria-label", [...faces].join(", "));
    fill(item, [...faces], () => el("div"), (node, face) => showFace(node, { face: Number(face), polarity: "light", colour: "" }));
  });
}
