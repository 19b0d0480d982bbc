// SPDX-License-Identifier: MIT
// The page of a big screen and the layer of a streaming program: whose turn it is, the dice, and how
// everybody stands. They have no buttons: everything is drawn from the view.

import { $, el, fill, formatNumber, setName, setText, show } from "./dom.js";
import { createEvidence } from "./evidence.js";
import { nameDie, showFace } from "./faces.js";
import { mountRecent } from "./recent.js";
import { Store } from "./store.js";
import { follow } from "./stream.js";

const { dataset } = document.body;
const PARTS = new Set(dataset.parts.split(" "));
/** Many dice are shown in rows. */
const WIDEST_ROW = 7;
/** The layer is 60 units wide, whatever its width in pixels. */
const LAYER_UNITS = 60;
/** Dice that lie there then belong to no roll. */
const NO_ROLL = ["lobby", "straighten", "fault", "paused"];
/** The roll before is no longer there, and the next one is not known. */
const NO_PICTURE = [...NO_ROLL, "rolling", "settling", "reading"];
/** Who is asked now; where all choose together, everybody who has not chosen yet. */
const ACTIVE = ["rolls", "chooses"];
const ACTIVE_TOGETHER = [...ACTIVE, "waits"];

function showTurn(view) {
  setText($("headline"), view.phase === "game over" ? view.outcome?.text ?? view.headline : view.headline);
  $("headline").style.setProperty("--letters", $("headline").textContent.length);
  setText($("title"), view.title);
  setText($("progress"), view.progress);
  show($("turn"), PARTS.has("turn"));
  dataset.phase = view.phase;
  dataset.game = view.game ?? "";
}

/** After a game its last roll stays, which decided it. */
function diceOf({ phase, dice, last_roll: last }) {
  return phase === "game over" ? last?.dice ?? [] : dice;
}

function showDice(view) {
  const dice = diceOf(view);
  show($("dice"), PARTS.has("dice") && dice.length > 0 && !NO_ROLL.includes(view.phase));
  $("dice").style.setProperty("--columns", Math.ceil(dice.length / Math.ceil(dice.length / WIDEST_ROW)) || 1);
  $("dice").style.setProperty("--rows", Math.ceil(dice.length / WIDEST_ROW) || 1);
  $("dice").setAttribute("aria-label", dice.map(nameDie).join(", "));
  fill($("dice"), dice, () => el("div"), (node, die) => {
    showFace(node, die);
    node.dataset.face = die.face;
    node.dataset.group = die.group ?? "";
  });
}

function showStanding(view) {
  const isRanked = PARTS.has("ranking");
  const players = isRanked ? rank(view.players) : view.players;
  show($("standing"), (isRanked || PARTS.has("totals")) && players.length > 0);
  $("standing").dataset.ranked = isRanked;
  $("standing").style.setProperty("--players", players.length);
  fill($("standing"), players, makePlayer, (item, player) => {
    const active = view.game === "choice" ? ACTIVE_TOGETHER : ACTIVE;
    item.classList.toggle("active", active.includes(player.state));
    item.style.setProperty("--letters", player.name.length);
    item.classList.toggle("winner", player.winner);
    item.dataset.player = player.name;
    item.dataset.seat = view.players.indexOf(player);
    const place = players.findIndex((other) => other.total === player.total) + 1;
    setText(item.children[0], isRanked ? `${place}.` : "");
    setName(item.children[1], player);
    setText(item.children[2], formatNumber(player.total));
  });
}

/** Winners first, then by the total; equal players stay in the order of their seats. */
function rank(players) {
  return [...players].sort((one, other) => other.winner - one.winner || other.total - one.total);
}

function makePlayer() {
  return el("li", {}, el("span", { class: "place" }), el("b", { class: "name" }), el("output", { class: "total" }));
}

if (dataset.kind === "overlay") {
  document.documentElement.style.fontSize = `${dataset.width / LAYER_UNITS}px`;
}
const showEvidence = createEvidence($("evidence"));

/** The picture of the roll that lies there, where its dice leave space. */
function showPicture(view) {
  const roll = NO_PICTURE.includes(view.phase) || diceOf(view).length > WIDEST_ROW ? null : view.last_roll;
  const isShown = dataset.kind === "tv" && Boolean(roll?.picture);
  show($("evidence"), isShown);
  if (isShown) showEvidence(roll);
}

const store = new Store();
store.watch(["phase", "headline", "outcome", "title", "progress", "game"], showTurn);
store.watch(["phase", "dice", "last_roll"], showDice);
store.watch(["phase", "dice", "last_roll"], showPicture);
store.watch(["players", "game"], showStanding);
if (dataset.kind === "tv") mountRecent(store);
store.watch([], ({ version }) => {
  dataset.version = version;
});
follow(store, `/events?${new URLSearchParams({ watch: "", language: document.documentElement.lang })}`);
