// SPDX-License-Identifier: MIT
// The header of the page: what to do now, what is wrong, and the small tools.

import { $, measureLater, setText, show } from "./dom.js";
import { send } from "./send.js";

const HAS_PANEL = ["fault", "paused", "straighten"];
/** Steps of smaller type for longer texts, as `data-fit` in the style sheet. */
const FITS = [0, 1, 2, 3, 4];
const NO_PAUSE = ["lobby", "game over", "fault", "paused", "review"];

export function mountHeader(store) {
  store.watch(["headline", "hint", "progress", "title", "game"], showHeadline);
  store.watch(["notice", "phase"], showNotice);
  store.watch(["undo", "phase", "may_count"], showTools);
  store.watch(["headline", "hint", "notice", "phase", "undo"], () => measureLater(fitMessage));
  // A screen that is turned gets its layout after this event.
  addEventListener("resize", () => measureLater(fitMessage));
  $("undo").addEventListener("click", () => send({ do: "undo" }));
  $("pause").addEventListener("click", () => send({ do: "pause" }));
  $("leave").addEventListener("click", () => leave(store.view?.phase));
  $("leave-dialog").addEventListener("keydown", onDialogKey);
  $("leave-dialog").addEventListener("close", () => {
    const answer = $("leave-dialog").returnValue;
    if (answer === "leave" || answer === "count") send({ do: answer });
    $("leave-dialog").returnValue = "";
  });
}

/** Leaving a finished game needs no confirmation. */
function leave(phase) {
  if (phase === "game over") send({ do: "leave" });
  else $("leave-dialog").showModal();
}

/** The panel's keys work here too: left and right switch the answer, back cancels. */
function onDialogKey(event) {
  const answers = [...$("leave-dialog").querySelectorAll("button:not([hidden])")];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) answers.at((answers.indexOf(document.activeElement) + step) % answers.length).focus();
  else if (event.key === "Backspace") $("leave-dialog").close();
  else return;
  event.preventDefault();
  // Once the dialog is closed the same key would press the panel's own button.
  event.stopPropagation();
}

function showHeadline(view) {
  setText($("headline"), view.headline);
  $("headline").style.setProperty("--letters", view.headline.length);
  setText($("hint"), view.hint);
  setText($("title"), view.game ? view.title : "");
  setText($("progress"), view.game ? view.progress : "");
}

/**
 * A notice replaces the hint, so that nothing moves under a finger. A phase with its own
 * panel shows the notice there, large, and not here.
 */
function showNotice({ notice, phase }) {
  const isHere = notice !== null && !HAS_PANEL.includes(phase);
  show($("notice"), isHere);
  show($("hint"), !isHere);
  $("notice").dataset.kind = notice?.kind ?? "";
  setText($("notice-text"), notice?.text ?? "");
  setText($("notice-fix"), notice?.mend ?? "");
}

/** The header keeps its height; the type shrinks until the texts fit into it, and each into its lines. */
function fitMessage() {
  const message = $("message");
  for (const fit of FITS) {
    message.dataset.fit = fit;
    if (message.scrollHeight <= $("header").clientHeight && ![...message.children].some(isCut)) return;
  }
}

/** Letters may be taller than their line; a line that is missing is more than half a letter. */
function isCut(text) {
  return text.scrollHeight > text.clientHeight + 0.5 * parseFloat(getComputedStyle(text).fontSize);
}

function showTools(view) {
  show($("undo"), view.undo !== null);
  setText($("undo-what"), view.undo ?? "");
  show($("pause"), !NO_PAUSE.includes(view.phase));
  show($("leave"), view.phase !== "lobby");
  show($("count"), view.may_count);
}
