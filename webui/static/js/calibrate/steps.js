// SPDX-License-Identifier: MIT
// The steps beside the picture: the state, text and buttons of each.

import { $, el, fill, setText } from "../dom.js";
import { formatDecimal, gettext } from "../messages.js";
import { runSimulator, runAction } from "./requests.js";

let justSaved = false;
/** The edge that was entered last; what is stored waits for it. */
let entered = Promise.resolve();

export function mountSteps(store) {
  store.watch(["look"], ({ look }) => {
    showTray(look);
    showFocus(look);
    showLight(look);
    showSaved(look);
  });
  store.watch(["look", "reading"], ({ look, reading }) => showDice(look, reading));
  $("fix-light").addEventListener("click", () => runAction({ do: "fix_light" }));
  $("save").addEventListener("click", save);
  $("edge").addEventListener("change", () => {
    const mm = $("edge").valueAsNumber;
    entered = runAction({ do: "edge", mm: Number.isFinite(mm) ? mm : null });
  });
  for (const button of document.querySelectorAll("[data-hand]")) {
    button.addEventListener("click", () => runSimulator(button.dataset.hand));
  }
}

function state(step, word) {
  $(`step-${step}`).dataset.state = word;
}

function showTray({ tray, problem, felt_is_said: isEntered, under_dome: isDome, dome }) {
  state("tray", tray ? (tray.remark ? "bad" : "good") : "bad");
  const [wide, deep] = tray ? tray.felt_mm.map(Math.round) : [];
  const found = tray && (tray.by === "cards"
    ? gettext("Found by its four cards: {wide} × {deep} mm.", { wide, deep })
    : isEntered ? gettext("By its four corners: {wide} × {deep} mm.", { wide, deep })
      : gettext("By its four corners, measured by the dice: {wide} × {deep} mm.", { wide, deep }));
  setText($("tray-says"), tray ? `${found} ${tray.remark}`.trim() : problem);
  setText($("hint"), tray ? gettext("Go through the steps, then save.") : problem);
  $("save").disabled = !tray || (isDome && !dome);
}

function showFocus({ sharpness, best }) {
  setText($("sharp"), sharpness.toFixed(0));
  setText($("best"), best.toFixed(0));
  $("bar").setAttribute("aria-valuenow", sharpness);
  $("bar-now").style.width = `${sharpness}%`;
  $("bar-best").style.left = `${Math.min(best, 99)}%`;
  state("focus", sharpness >= 0.93 * best && best > 0 ? "good" : "open");
}

function showLight({ tray, light, exposure }) {
  const lines = tray && !light.length ? [{ kind: "good", text: gettext("The light is bright enough and even.") }] : light;
  fill($("light-says"), lines, () => el("li"), (node, { kind, text }) => {
    node.dataset.kind = kind;
    setText(node, text);
  });
  setText($("exposure-says"), exposure.text);
  $("fix-light").disabled = exposure.state === "running";
  const isGood = tray && !light.length && exposure.state === "fixed";
  state("light", light.length || exposure.state === "odd" ? "bad" : isGood ? "good" : "open");
}

function showDice(look, reading) {
  if (!look) return;
  setText($("dice-says"), describeEdge(look));
  $("edge").placeholder = look.edge_mm || "";
  $("edge").classList.toggle("said", look.edge_is_said);
  if (!reading) return;
  const faces = reading.dice.map((die) => die.face).sort().join(" ");
  const read = reading.dice.length ? gettext("Test reading: {faces}.", { faces }) : gettext("Test reading: no dice.");
  setText($("reading-says"), reading.status ? read : "");
  const told = [...new Set([...reading.doubts.map((doubt) => doubt.text), reading.remark])].filter(Boolean);
  fill($("doubt-says"), told, () => el("li"), (node, text) => setText(node, text));
  const isGood = reading.status === "read" && !reading.remark;
  state("dice", isGood ? "good" : told.length ? "bad" : "open");
}

function describeEdge({ edge_mm: edge, edge_is_said: isEntered }) {
  if (!edge) return gettext("Put all the dice on the felt, apart from each other.");
  const mm = formatDecimal(edge, 1);
  return isEntered ? gettext("Edge {mm} mm, as entered.", { mm }) : gettext("Edge {mm} mm, as measured.", { mm });
}

function showSaved({ saved_at: savedAt }) {
  const when = savedAt ? new Date(savedAt).toLocaleString(document.documentElement.lang) : "";
  $("saved").dataset.done = justSaved;
  if (justSaved) setText($("saved"), gettext("Saved. The table uses it from now on."));
  else setText($("saved"), savedAt ? gettext("Last saved {when}.", { when }) : gettext("Nothing is saved yet."));
}

async function save() {
  $("save").disabled = true;
  await entered;
  justSaved = (await runAction({ do: "save" })) === null;
  $("save").disabled = false;
}
