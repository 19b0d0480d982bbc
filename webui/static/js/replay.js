// SPDX-License-Identifier: MIT
// A finished game step by step: its pictures, its choices, and the sheets as they stood.

import { loadAnalysis } from "./analysis/ask.js";
import { mountPanel } from "./analysis/panel.js";
import { mountBoard } from "./board.js";
import { $, setText, show } from "./dom.js";
import { mountFitLabels } from "./fit_labels.js";
import { sendHeartbeats } from "./heartbeat.js";
import { showCurve } from "./history/curve.js";
import { makeFrames } from "./history/frames.js";
import { mountPlot } from "./history/plots.js";
import { mountReturn } from "./history/return.js";
import { mountStage } from "./history/stage.js";
import { mountPapers } from "./history/papers.js";
import { mountTimeline } from "./history/timeline.js";
import { mountLoaded, readJson } from "./loaded.js";
import { gettext } from "./messages.js";
import { Store } from "./store.js";
import { isTyping } from "./typing.js";

const SWIPE_PX = 50;
const { number } = document.body.dataset;
const store = new Store();

start();
mountReturn();
sendHeartbeats();
for (const [button, dialog] of [["scores-open", "scores"], ["analysis-open", "analysis"], ["files-open", "files"]]) {
  $(button).addEventListener("click", () => $(dialog).showModal());
  $(dialog).querySelector(".close").addEventListener("click", () => $(dialog).close());
}

async function start() {
  const steps = await readJson(`/history/${number}/steps.json`);
  if (steps) play(steps);
  else {
    setText($("broken"), gettext("This game cannot be shown. Try again in a moment."));
    show($("broken"), true);
  }
}

function play({ replay, gone }) {
  const frames = makeFrames(replay, gone);
  for (const mount of [mountBoard, mountStage, mountPapers, mountFitLabels]) mount(store);
  const go = (index) => {
    const at = Math.min(Math.max(index, 0), frames.length - 1);
    store.apply(frames[at], true);
    setText($("at-step"), gettext("{number} of {count}", { number: at + 1, count: frames.length }));
    for (const [id, isOff] of [["first", at === 0], ["back", at === 0], ["forward", at === frames.length - 1], ["last", at === frames.length - 1]]) {
      $(id).disabled = isOff;
    }
    document.body.dataset.step = at;
  };
  const step = (by) => go(store.view.index + by);
  mountTimeline(store, frames, go);
  const scored = frames.filter(({ step }) => step.roll > 0);
  showCurve($("curve"), replay.players, scored.map(({ step, players }) => ({ roll: step.roll, totals: players.map(({ total }) => total) })));
  if (scored.length > 1) mountPlot($("curve"));
  followAnalysis(replay.players, (roll) => {
    $("analysis").close();
    go(findRoll(frames, roll));
  });
  $("first").addEventListener("click", () => go(0));
  $("last").addEventListener("click", () => go(frames.length - 1));
  $("back").addEventListener("click", () => step(-1));
  $("forward").addEventListener("click", () => step(1));
  listen({ ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(frames.length - 1) });
  listenToSwipes(step);
  go(findRoll(frames, Number(new URLSearchParams(location.search).get("roll"))));
}

function followAnalysis(names, openRoll) {
  const showPanel = mountPanel(openRoll);
  mountLoaded({
    load: loadAnalysis,
    show(analysis) {
      showPanel(analysis, names, 0);
      show($("analysis-open"), true);
    },
  }).want(`/history/${number}/analysis.json`);
}

/** The frame of a roll, else the first one. */
function findRoll(frames, roll) {
  return Math.max(0, frames.findIndex((frame) => roll > 0 && frame.step.roll === roll));
}

function listen(keys) {
  document.addEventListener("keydown", (event) => {
    if (isTyping(event)) return;
    if (event.key === "Backspace") document.querySelector("[data-back]").click();
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
}

/** A finger that wipes over the picture or the sheets turns the page. */
function listenToSwipes(step) {
  let from = null;
  $("replay").addEventListener("touchstart", ({ touches }) => {
    from = touches.length === 1 ? touches[0] : null;
  }, { passive: true });
  $("replay").addEventListener("touchend", ({ changedTouches: [to] }) => {
    if (from === null) return;
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    from = null;
    if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1);
  }, { passive: true });
}
