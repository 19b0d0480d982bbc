// SPDX-License-Identifier: MIT
// The head of the page: what to do now, what is wrong, and the three small tools.

import { $, say, show } from "./dom.js";
import { send } from "./send.js";

const HAS_PANEL = ["fault", "paused", "straighten"];
const NO_PAUSE = ["lobby", "game over", "fault", "paused"];

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

/** What has a panel of its own stands there, large, and not here again. */
function showNotice({ notice, phase }) {
  show($("notice"), notice !== null && !HAS_PANEL.includes(phase));
  $("notice").dataset.kind = notice?.kind ?? "";
  say($("notice-text"), notice?.text ?? "");
  say($("notice-mend"), notice?.mend ?? "");
}

function showTools(view) {
  show($("undo"), view.undo !== null);
  say($("undo-what"), view.undo ?? "");
  show($("pause"), !NO_PAUSE.includes(view.phase));
  show($("leave"), view.phase !== "lobby");
}
