// SPDX-License-Identifier: MIT
// The player's own sheet, large; below it everybody's total and who is ready, then the other sheets.

import { $, el, formatNumber, fill, setName, setText, show } from "../dom.js";
import { makeCard, showPaper, showTotals } from "../sheets/card.js";
import { KINDS, STATES } from "../sheets/kinds.js";

export function mountOwnSheet(store) {
  store.watch(["players", "dice", "phase", "choices", "joker", "board", "seats"], showSheets);
  new ResizeObserver(() => store.view?.players && showSheets(store.view)).observe($("own-sheet"));
  $("others-open").addEventListener("click", () => {
    const isOpen = $("others").hidden;
    show($("others"), isOpen);
    $("others-open").setAttribute("aria-expanded", isOpen);
    showSheets(store.view);
  });
}

function showSheets(view) {
  const mine = view.players.filter((player) => player.name === view.seats?.mine);
  // Only this player's sheet takes taps, also if others choose at the same time.
  const others = view.players
    .filter((player) => !mine.includes(player))
    .map((player) => ({ ...player, state: player.state === "chooses" ? "waits" : player.state }));
  fill($("own-sheet"), mine, makeCard, (card, player) => showCard(card, player, view));
  fill($("others"), others, makeCard, (card, player) => showCard(card, player, view));
  fill($("table-row"), view.players, makeSeat, (item, player, seat) => {
    item.dataset.seat = seat;
    showSeat(item, player, mine.includes(player));
  });
  show($("others-open"), others.length > 0);
}

function showCard(card, player, view) {
  showTotals(card, player);
  card.dataset.seat = findSeat(view, player);
  showPaper(card, player, view);
}

function findSeat({ players }, { name }) {
  return players.findIndex((player) => player.name === name);
}

function makeSeat() {
  return el("li", {}, el("b"), el("span"), el("small"));
}

function showSeat(item, player, isMine) {
  item.dataset.name = player.name;
  item.dataset.state = player.state;
  item.classList.toggle("mine", isMine);
  item.classList.toggle("winner", player.winner);
  setName(item.children[0], player);
  setText(item.children[1], formatNumber(player.total));
  setText(item.children[2], KINDS[player.sheet.kind].states?.[player.state] ?? STATES[player.state]);
}
