// SPDX-License-Identifier: MIT
// The head of the page: what to do now, what is wrong, and the three small tools.

import { $, say, show } from "./dom.js";
import { send } from "./send.js";

const PLAYING = ["lobby", "game over", "fault"];

export function mountTop(store) {
  store.watch(["headline", "round", "phase", "game"], showHeadline);
  store.watch(["notice", "phase"], showNotice);
  store.watch(["undo", "phase"], showTools);
  $("undo").addEventListener("click", () => send({ do: "undo" }));
  $("pause").addEventListener("click", () => send({ do: "pause" }));
  $("leave").addEventListener("click", () => $("leave-dialog").showModal());
  $("leave-dialog").addEventListener("close", () => {
    if ($("leave-dialog").returnValue === "leave") send({ do: "close" });
    $("leave-dialog").returnValue = "";
  });
}

function showHeadline(view) {
  say($("headline"), view.headline);
  say($("round"), view.game && view.round > 0 ? `Round ${view.round}` : "");
}

/** A doubt and a fault have a panel of their own, where their text stands large. */
function showNotice({ notice, phase }) {
  const hasPanel = phase === "fault" || phase === "straighten";
  show($("notice"), notice !== null && !hasPanel);
  $("notice").dataset.kind = notice?.kind ?? "";
  say($("notice-text"), notice?.text ?? "");
  say($("notice-mend"), notice?.mend ?? "");
}

function showTools(view) {
  show($("undo"), view.undo !== null);
  say($("undo"), view.undo === null ? "" : `Undo ${view.undo}`);
  show($("pause"), !PLAYING.includes(view.phase) && view.phase !== "paused");
  show($("leave"), view.phase !== "lobby");
}
