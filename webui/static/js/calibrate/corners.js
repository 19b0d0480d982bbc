// SPDX-License-Identifier: MIT
// The felt's corners set by hand: four handles to drag, and the felt's size in millimetres.

import { $, svg } from "../dom.js";
import { points } from "../dice_panel/die_mark.js";
import { gettext } from "../messages.js";
import { runAction } from "./requests.js";

const INSET = 0.12;
const NUDGE_PX = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HANDLES = svg("g");
let corners = [];

export function mountCorners(store) {
  $("tray-marks").append(HANDLES);
  $("by-hand").addEventListener("click", () => (corners.length ? returnToCards() : startManualCorners(store.view)));
  for (const id of ["felt-wide", "felt-deep"]) $(id).addEventListener("change", sendFelt);
  store.watch(["look"], (view) => follow(view.look));
}

function startManualCorners(view) {
  const look = view?.look;
  if (!look || !look.picture_wh[0]) return;
  const [width, height] = look.picture_wh;
  const inset = [[INSET, INSET], [1 - INSET, INSET], [1 - INSET, 1 - INSET], [INSET, 1 - INSET]];
  corners = look.tray ? look.tray.corners_px : inset.map(([x, y]) => [x * width, y * height]);
  if (look.tray && !look.felt_is_said) fillFelt(look.tray.felt_mm);
  sendFelt();
  draw();
  sendCorners();
}

function returnToCards() {
  corners = [];
  draw();
  runAction({ do: "corners", corners: [] });
  for (const id of ["felt-wide", "felt-deep"]) $(id).value = "";
  runAction({ do: "felt", mm: null });
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

function draw() {
  const { width } = $("tray-picture");
  const outline = svg("polygon", { class: "felt", points: points(corners), "stroke-width": width * 0.004 });
  HANDLES.replaceChildren(...(corners.length ? [outline, ...corners.map((_, index) => handle(index, width))] : []));
}

function handle(index, width) {
  const [x, y] = corners[index];
  const node = svg("circle", {
    class: "handle", cx: x, cy: y, r: width * 0.022, "stroke-width": width * 0.004, tabindex: 0,
    role: "slider", "aria-label": gettext("Corner {number} of the felt", { number: index + 1 }), "data-corner": index,
    "aria-valuenow": Math.round(x), "aria-valuemin": 0, "aria-valuemax": width, "aria-valuetext": `${Math.round(x)}, ${Math.round(y)}`,
  });
  node.addEventListener("pointerdown", (event) => drag(event, index));
  node.addEventListener("keydown", (event) => nudge(event, index));
  return node;
}

function drag(event, index) {
  event.preventDefault();
  const surface = $("tray-marks");
  const move = (at) => {
    corners[index] = pointerPlace(at);
    draw();
  };
  const drop = () => {
    surface.removeEventListener("pointermove", move);
    surface.removeEventListener("pointerup", drop);
    sendCorners();
  };
  surface.setPointerCapture(event.pointerId);
  surface.addEventListener("pointermove", move);
  surface.addEventListener("pointerup", drop);
}

function nudge(event, index) {
  const by = NUDGE_PX[event.key];
  if (!by) return;
  event.preventDefault();
  corners[index] = clampToPicture(corners[index].map((value, axis) => value + by[axis]));
  draw();
  HANDLES.querySelector(`[data-corner="${index}"]`).focus();
  sendCorners();
}

function pointerPlace(event) {
  const box = $("tray-marks").getBoundingClientRect();
  const { width, height } = $("tray-picture");
  return clampToPicture([((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height]);
}

function clampToPicture([x, y]) {
  const { width, height } = $("tray-picture");
  return [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
}

function sendCorners() {
  runAction({ do: "corners", corners });
}
