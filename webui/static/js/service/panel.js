// SPDX-License-Identifier: MIT
// Show the state of every button and lamp, and test both.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext, ngettext } from "../messages.js";
import { pollWhileOpen, runAction } from "./requests.js";

const AGAIN_MS = 120;
const APART_AGAIN_MS = 1000;
const FLASH_MS = 450;
const BUTTONS = { left: gettext("Left"), right: gettext("Right"), confirm: gettext("Confirm"), back: gettext("Back") };

export function mountPanel() {
  pollWhileOpen("panel", "board", AGAIN_MS, showBoard);
  $("try-light").addEventListener("click", () => runAction({ do: "light" }));
  for (const button of document.querySelectorAll("[data-sound]")) {
    button.addEventListener("click", () => runAction({ do: "sound", sound: button.dataset.sound }));
  }
  $("apart").addEventListener("change", enterTestMode);
  setInterval(enterTestMode, APART_AGAIN_MS);
}

/** Repeated, so that presses work again soon after this page is closed. */
function enterTestMode() {
  const isOpen = document.body.dataset.tab === "panel" && !document.hidden;
  if ($("apart").checked && isOpen) runAction({ do: "stay apart" });
}

function showBoard({ panels, light, buzzer, lost }) {
  fill($("out-of-order"), lost, () => el("p"), (line, reason) => setText(line, gettext("Out of order: {devices}.", { devices: reason })));
  fill($("panels"), panels, () => el("section", { class: "panel" }, el("h2"), el("div")), showPanel);
  if (!panels.length) $("panels").replaceChildren(el("p", { text: gettext("There is no panel. Choose its kind in the settings.") }));
  show($("try-light"), light);
  for (const button of document.querySelectorAll("[data-sound]")) show(button, buzzer);
  show($("no-fittings"), !light && !buzzer);
}

function showPanel(node, { seat, simulated, buttons }) {
  setText(node.firstElementChild, panelName(seat, simulated));
  fill(node.lastElementChild, buttons, () => makeButton(), (part, state) => showButton(part, seat, simulated, state));
}

function panelName(seat, simulated) {
  if (simulated) return seat ? gettext("Player {seat}, simulated", { seat }) : gettext("For everybody, simulated");
  return seat ? gettext("Player {seat}", { seat }) : gettext("For everybody");
}

function makeButton() {
  const part = el("div", { class: "push" },
    el("button", { type: "button", class: "cap" }), el("button", { type: "button", class: "lamp", text: gettext("Lamp") }), el("p"));
  const command = (name) => ({ do: name, seat: Number(part.dataset.seat), button: part.dataset.button });
  part.children[0].addEventListener("click", () => runAction(command("press")));
  part.children[1].addEventListener("click", () => runAction(command("lamp")));
  return part;
}

/** A press may be shorter than the polling, so its count is compared and it is shown for a while. */
function showButton(part, seat, simulated, { button, down, stuck, presses, lamp }) {
  const [cap, light, text] = part.children;
  if (part.dataset.presses !== undefined && Number(part.dataset.presses) < presses) flash(part);
  Object.assign(part.dataset, { seat, button, presses });
  setText(cap, BUTTONS[button]);
  cap.disabled = !simulated;
  show(cap, down !== null);
  part.classList.toggle("down", down === true);
  part.classList.toggle("stuck", stuck);
  show(light, lamp !== null);
  light.classList.toggle("lit", lamp === true);
  setText(text, stuck ? gettext("Stuck: free the button, or look for a pinched cable.") : ngettext("pressed once", "pressed {count} times", presses));
}

function flash(part) {
  part.classList.add("pressed");
  clearTimeout(part.flashing);
  part.flashing = setTimeout(() => part.classList.remove("pressed"), FLASH_MS);
}
