// SPDX-License-Identifier: MIT
// Places in the live picture that a person sets: handles to drag, or to move with the arrow keys.

import { $, svg } from "../dom.js";

/** A finger that is lifted, or taken away by the browser, has set its place. */
const ENDS = ["pointerup", "pointercancel"];
const NUDGE_PX = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Mounts a layer of handles.
 *
 * `name` names each handle, `outline` draws what they mark, `send` reports them once they are let
 * go, and `move`, if given, changes other places along with the moved one.
 */
export function mountHandles({ name, outline, send, move = () => {} }) {
  const layer = svg("g");
  let places = [], isHeld = false;
  $("tray-marks").append(layer);

  function set(next) {
    places = next;
    draw();
  }

  function draw() {
    layer.replaceChildren(...(places.length ? [outline(places), ...places.map((_, index) => handle(index))] : []));
  }

  function handle(index) {
    const { width } = $("tray-picture");
    const [x, y] = places[index];
    const node = svg("circle", {
      class: "handle", cx: x, cy: y, r: width * 0.022, "stroke-width": width * 0.004, tabindex: 0,
      role: "slider", "aria-label": name(index), "data-handle": index,
      "aria-valuenow": Math.round(x), "aria-valuemin": 0, "aria-valuemax": width, "aria-valuetext": `${Math.round(x)}, ${Math.round(y)}`,
    });
    node.addEventListener("pointerdown", (event) => drag(event, index));
    node.addEventListener("keydown", (event) => nudge(event, index));
    return node;
  }

  function change(index, place) {
    const before = places[index];
    places[index] = clampToPicture(place);
    move(places, index, before);
    draw();
  }

  function drag(event, index) {
    event.preventDefault();
    const surface = $("tray-marks");
    const follow = (at) => change(index, pointerPlace(at));
    const drop = () => {
      isHeld = false;
      surface.removeEventListener("pointermove", follow);
      for (const end of ENDS) surface.removeEventListener(end, drop);
      send(places);
    };
    isHeld = true;
    surface.setPointerCapture(event.pointerId);
    surface.addEventListener("pointermove", follow);
    for (const end of ENDS) surface.addEventListener(end, drop);
  }

  function nudge(event, index) {
    const by = NUDGE_PX[event.key];
    if (!by) return;
    event.preventDefault();
    change(index, places[index].map((value, axis) => value + by[axis]));
    layer.querySelector(`[data-handle="${index}"]`).focus();
    send(places);
  }

  return { set, places: () => places, isSet: () => places.length > 0, isHeld: () => isHeld };
}

function pointerPlace(event) {
  const box = $("tray-marks").getBoundingClientRect();
  const { width, height } = $("tray-picture");
  return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
}

function clampToPicture([x, y]) {
  const { width, height } = $("tray-picture");
  return [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
}
