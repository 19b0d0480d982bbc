// SPDX-License-Identifier: MIT
// The dome: its state, and its middle and rim set by hand.

import { $, setText, show, svg } from "../dom.js";
import { points } from "../dice_panel/die_mark.js";
import { formatDecimal, gettext } from "../messages.js";
import { mountHandles } from "./handles.js";
import { runAction } from "./requests.js";

/** Radius of a first circle, in heights of the picture. */
const START_SHARE = 0.25;
const CORNERS = 96;
let outline = [];

export function mountDome(store) {
  const handles = mountHandles({
    name: (index) => (index ? gettext("Rim of the dome") : gettext("Middle of the dome")),
    outline: () => svg("polygon", { class: "felt dome", points: points(outline), "stroke-width": $("tray-picture").width * 0.004 }),
    send: (places) => runAction({ do: "dome", places }),
    move: moveOutline,
  });
  $("dome-by-hand").addEventListener("click", () => (handles.isSet() ? findAgain(handles) : startManualDome(handles, store.view)));
  store.watch(["look"], ({ look }) => {
    showDome(look);
  });
}

/** The middle takes the rim along, so that the size stays; the rim changes the size. */
function moveOutline(places, index, before) {
  const [middle, rim] = places;
  const from = index ? middle : before;
  if (!index) places[1] = rim.map((value, axis) => value + middle[axis] - before[axis]);
  const scale = index ? distance(middle, rim) / Math.max(distance(middle, before), 1) : 1;
  outline = outline.map((place) => place.map((value, axis) => middle[axis] + (value - from[axis]) * scale));
}

function distance([ax, ay], [bx, by]) {
  return Math.hypot(ax - bx, ay - by);
}

function startManualDome(handles, view) {
  const look = view?.look;
  if (!look || !look.picture_wh[0]) return;
  const [width, height] = look.picture_wh;
  const middle = look.dome?.middle_px ?? [width / 2, height / 2];
  outline = look.dome?.outline_px ?? startCircle(middle, START_SHARE * height);
  const places = [middle, outline[0]];
  handles.set(places);
  runAction({ do: "dome", places });
}

function startCircle([x, y], radius) {
  const turns = Array.from({ length: CORNERS }, (_, step) => (2 * Math.PI * step) / CORNERS);
  return turns.map((turn) => [x + radius * Math.cos(turn), y + radius * Math.sin(turn)]);
}

function findAgain(handles) {
  handles.set([]);
  runAction({ do: "dome", places: [] });
}

function showDome({ under_dome: isDome, tray, dome, problem }) {
  show($("step-dome"), isDome);
  if (!isDome) return;
  $("step-dome").dataset.state = dome ? "good" : "bad";
  $("dome-by-hand").setAttribute("aria-pressed", dome?.by === "hand");
  const mm = dome ? formatDecimal(dome.diameter_mm, 0) : "";
  const found = dome && (dome.by === "hand"
    ? gettext("Marked by hand: {mm} mm inside.", { mm })
    : gettext("Found: {mm} mm inside.", { mm }));
  setText($("dome-says"), found || (tray ? problem : gettext("The cards give the size of the dome. Lay them around it first.")));
}
