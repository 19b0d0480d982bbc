// SPDX-License-Identifier: MIT
// Panels that replace the game: lobby, doubts, fault, pause, result.

import { $, el, formatNumber, fill, setName, setText, show } from "./dom.js";
import { groupDoubts } from "./dice_panel/doubts.js";
import { findPlace, rankPlayers } from "./ranking.js";
import { send } from "./send.js";

const LAYOUTS = {
  lobby: "lobby", straighten: "straighten", fault: "panel", paused: "panel", "game over": "over", review: "review",
};

const FEW_DOUBTS = 3;
/** A result of more letters, such as of a shared win, would push the ranks off the screen. */
const LONG_RESULT = 40;

export function mountPanels(store) {
  store.watch(["phase", "players", "game", "fault"], showLayout);
  store.watch(["notice", "doubts", "phase", "headline", "buttons", "fault"], showTrouble);
  store.watch(["outcome", "players", "phase", "headline"], showRanking);
  for (const name of ["go-on", "confirm-here"]) {
    $(name).addEventListener("click", () => send({ do: "press", key: "confirm" }));
  }
}

/** Show the parts of the page that the phase needs. */
export function showLayout(view) {
  const layout = LAYOUTS[view.phase] ?? "play";
  document.body.dataset.layout = layout;
  document.body.dataset.phase = view.phase;
  document.body.dataset.players = view.players.length;
  document.body.dataset.game = view.game ?? "";
  const needsPicture = layout === "panel" && showsTrouble(view.fault);
  document.body.toggleAttribute("data-picture", needsPicture);
  show($("tray-panel"), needsPicture || ["play", "straighten", "over"].includes(layout));
  show($("tray"), layout !== "over");
  show($("result"), layout === "over");
  show($("players"), layout === "play" || layout === "over");
  show($("straighten"), layout === "straighten");
  show($("review"), layout === "review");
  show($("lobby"), layout === "lobby");
  show($("panel"), layout === "panel");
}

/** Whether the live picture shows what is wrong with the camera. */
function showsTrouble(fault) {
  return fault?.device === "camera" && fault.kind !== "gone";
}

function showTrouble(view) {
  setText($("panel-text"), view.notice?.text ?? view.headline);
  setText($("panel-fix"), view.notice?.mend ?? "");
  $("panel").dataset.kind = view.notice?.kind ?? "info";
  for (const name of ["go-on", "confirm-here"]) {
    show($(name), view.buttons.confirm !== null);
    setText($(name), view.buttons.confirm ?? "");
  }
  // Only a table that is not set up has the link.
  if ($("panel-setup")) show($("panel-setup"), view.phase === "fault" && view.fault?.device === "camera");
  // A refusal comes before the doubts. The notice of a doubt is left out: the panel lists the doubts.
  const hasDoubts = view.doubts.length > 0;
  const showsNotice = !hasDoubts || view.notice?.kind === "refused";
  setText($("straighten-text"), showsNotice ? view.notice?.text ?? "" : "");
  setText($("straighten-fix"), showsNotice ? view.notice?.mend ?? "" : "");
  const listed = groupDoubts(view.doubts);
  $("doubts").classList.toggle("many", listed.length > FEW_DOUBTS);
  fill($("doubts"), listed, makeDoubt, (item, doubt) => {
    item.dataset.kind = doubt.kind;
    item.dataset.numbers = doubt.numbers.join(" ");
    setText(item.children[0], doubt.label);
    setText(item.children[1], doubt.text);
  });
}

function makeDoubt() {
  return el("li", {}, el("b"), el("span"));
}

function showRanking(view) {
  if (view.phase !== "game over") return;
  const result = view.outcome?.text ?? "";
  setText($("outcome"), result === view.headline ? "" : result);
  $("outcome").classList.toggle("long", result.length > LONG_RESULT);
  fill($("ranking"), rankPlayers(view.players), makeRank, (item, player) => {
    const place = findPlace(player, view.players);
    item.dataset.seat = view.players.indexOf(player);
    item.classList.toggle("winner", player.winner);
    setText(item.children[0], `${place}.`);
    setName(item.children[1], player);
    setText(item.children[2], formatNumber(player.total));
  });
}

function makeRank() {
  return el("li", {}, el("span", { class: "place" }), el("span", { class: "name" }), el("span", { class: "total" }));
}
