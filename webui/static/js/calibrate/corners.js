// SPDX-License-Identifier: MIT
// The felt's corners set by hand: four handles to drag, and the felt's size in millimetres.

import { $, svg } from "../dom.js";
import { points } from "../dice_panel/die_mark.js";
import { gettext } from "../messages.js";
import { mountHandles } from "./handles.js";
import { runAction } from "./requests.js";

const INSET = 0.12;
/** Two outlines this near, in widths of the picture, are the same one. */
const SAME = 0.02;

/** While `mayPropose`, the corners that the table finds are set by themselves, until a card lies there or a person sets them. */
export function mountCorners(store, mayPropose = () => false) {
  let isByPerson = false, sending = 0, entered = [], seen = [];
  const handles = mountHandles({
    name: (index) => gettext("Corner {number} of the felt", { number: index + 1 }),
    outline: (corners) => svg("polygon", { class: "felt", points: points(corners), "stroke-width": $("tray-picture").width * 0.004 }),
    send: (corners) => {
      isByPerson = true;
      send({ do: "corners", corners });
    },
  });
  $("by-hand").addEventListener("click", () => {
    // What a press before this one asks for is not shown yet.
    if (sending) return;
    isByPerson = true;
    if (handles.isSet()) returnToCards();
    else startManualCorners(store.view);
  });
  for (const id of ["felt-wide", "felt-deep"]) $(id).addEventListener("change", sendFelt);
  store.watch(["look"], ({ look }) => {
    follow(look);
    followCorners(look.corners_px);
    if (mayPropose() && !isByPerson) propose(look);
  });

  async function send(body) {
    sending += 1;
    // What was refused is not what the table has.
    if (await runAction(body)) entered = null;
    sending -= 1;
  }

  /** Another page may have set others; a handle that somebody moves here is left alone. */
  function followCorners(corners) {
    if (sending || handles.isHeld() || areEqual(corners, entered)) return;
    entered = corners;
    if (!areEqual(corners, handles.places())) handles.set([...corners]);
  }

  function startManualCorners(view) {
    const look = view?.look;
    if (!look || !look.picture_wh[0]) return;
    const [width, height] = look.picture_wh;
    const inset = [[INSET, INSET], [1 - INSET, INSET], [1 - INSET, 1 - INSET], [INSET, 1 - INSET]];
    const found = look.tray?.corners_px ?? look.outline_px;
    const corners = found.length === 4 ? found : inset.map(([x, y]) => [x * width, y * height]);
    if (look.tray && !look.felt_is_said) fillFelt(look.tray.felt_mm);
    sendFelt();
    handles.set(corners);
    send({ do: "corners", corners });
  }

  /** It names the corners of this page: the table keeps others, which somebody set meanwhile. */
  function returnToCards() {
    send({ do: "cards", seen: handles.places() });
    handles.set([]);
    for (const id of ["felt-wide", "felt-deep"]) $(id).value = "";
  }

  /** Corners without a size follow the outline: dice or a hand may have hidden a part of the felt. */
  function propose(look) {
    const hasCards = look.markers.length > 0, before = seen, mayMove = look.corners_are_proposed || !look.corners_are_said;
    seen = look.outline_px;
    if (hasCards && look.corners_are_proposed) returnToCards();
    else if (!hasCards && !look.tray && mayMove && seen.length === 4 && isSame(seen, before, look) && !isSame(seen, handles.places(), look)) {
      handles.set(seen);
      send({ do: "propose", corners: seen });
    }
  }
}

function isSame(corners, others, { picture_wh: [width] }) {
  return others.length === corners.length && corners.every(([x, y], index) => Math.hypot(x - others[index][0], y - others[index][1]) <= SAME * width);
}

function areEqual(corners, others) {
  return JSON.stringify(corners) === JSON.stringify(others);
}

function fillFelt([wide, deep]) {
  $("felt-wide").value = Math.round(wide);
  $("felt-deep").value = Math.round(deep);
}

function sendFelt() {
  const mm = [$("felt-wide").valueAsNumber, $("felt-deep").valueAsNumber];
  if (mm.every(Number.isFinite)) runAction({ do: "felt", mm });
  else if (mm.every(Number.isNaN)) runAction({ do: "felt", mm: null });
}

/** Show the table's state, which another page may have changed. */
function follow(look) {
  $("by-hand").setAttribute("aria-pressed", look.corners_are_said);
  for (const [id, index] of [["felt-wide", 0], ["felt-deep", 1]]) {
    const input = $(id);
    input.classList.toggle("said", look.felt_is_said);
    input.placeholder = look.tray ? Math.round(look.tray.felt_mm[index]) : "";
  }
}
