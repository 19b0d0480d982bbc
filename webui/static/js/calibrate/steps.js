// SPDX-License-Identifier: MIT
// The steps beside the picture: the state, text and buttons of each.

import { $, el, fill, setText } from "../dom.js";
import { runSimulator, runAction } from "./requests.js";

let justSaved = false;

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
    runAction({ do: "edge", mm: Number.isFinite(mm) ? mm : null });
  });
  for (const button of document.querySelectorAll("[data-hand]")) {
    button.addEventListener("click", () => runSimulator(button.dataset.hand));
  }
}

function state(step, word) {
  $(`step-${step}`).dataset.state = word;
}

function showTray({ tray, problem }) {
  state("tray", tray ? (tray.remark ? "bad" : "good") : "bad");
  const [wide, deep] = tray ? tray.felt_mm.map(Math.round) : [];
  const found = tray && (tray.by === "cards" ? "Found by its four cards" : "By the corners set by hand");
  setText($("tray-says"), tray ? `${found}: ${wide} × ${deep} mm. ${tray.remark}`.trim() : problem);
  setText($("hint"), tray ? "Go through the steps beside the picture, then save." : problem);
  $("save").disabled = !tray;
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
  const lines = tray && !light.length ? [{ kind: "good", text: "The light is bright enough and even." }] : light;
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
  const edge = look.edge_mm ? `${look.edge_mm.toFixed(1)} mm` : "";
  const how = look.edge_is_said ? "as entered" : "measured";
  setText($("dice-says"), edge ? `Edge ${edge}, ${how}.` : "Lay all the dice on the felt, apart.");
  $("edge").placeholder = look.edge_mm || "";
  $("edge").classList.toggle("said", look.edge_is_said);
  if (!reading) return;
  const faces = reading.dice.map((die) => die.face).sort().join(" ");
  const read = reading.dice.length ? `Test reading: ${faces}.` : "Test reading: no dice.";
  setText($("reading-says"), reading.status ? read : "");
  const told = [...new Set([...reading.doubts.map((doubt) => doubt.text), reading.remark])].filter(Boolean);
  fill($("doubt-says"), told, () => el("li"), (node, text) => setText(node, text));
  const isGood = reading.status === "read" && !reading.remark;
  state("dice", isGood ? "good" : told.length ? "bad" : "open");
}

function showSaved({ saved_at: savedAt }) {
  const when = savedAt ? new Date(savedAt).toLocaleString() : "";
  $("saved").dataset.done = justSaved;
  if (justSaved) setText($("saved"), "Saved. The table reads with it from now on.");
  else setText($("saved"), savedAt ? `Last saved ${when}.` : "Nothing is saved yet.");
}

async function save() {
  $("save").disabled = true;
  justSaved = (await runAction({ do: "save" })) === null;
  $("save").disabled = false;
}
