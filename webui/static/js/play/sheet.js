// SPDX-License-Identifier: MIT
// The player's own sheet, drawn as at a table. The jokers stand beside the tickets too, for the thumb.

import { $, el, fill, setText, show } from "../dom.js";
import { jokerIcon } from "../icons.js";
import { send } from "../send.js";
import { makeCard, showPaper, showTotals } from "../sheets/card.js";

export function mountSheet(turn) {
  turn.watch([], showSheet);
  new ResizeObserver(() => turn.view && showSheet(turn.view)).observe($("own-sheet"));
}

function showSheet(view) {
  const mine = view.players.filter(({ sheet }) => sheet.kind !== "none");
  fill($("own-sheet"), mine, makeCard, (card, player) => {
    showTotals(card, player);
    showPaper(card, player, view);
  });
  const [player] = mine;
  const jokers = player?.state === "chooses" ? player.sheet.jokers.filter((joker) => joker.state !== "used") : [];
  show($("jokers"), jokers.length > 0);
  fill($("jokers"), jokers, makeJoker, (button, joker) => {
    if (button.dataset.joker !== joker.name) button.replaceChildren(jokerIcon(joker.name), el("span"));
    button.dataset.joker = joker.name;
    button.dataset.state = joker.state;
    setText(button.lastElementChild, joker.title);
    button.setAttribute("aria-pressed", view.joker === joker.name || joker.state === "pending");
  });
}

function makeJoker() {
  return el("button", { type: "button", onclick: ({ currentTarget }) => send({ do: "joker", joker: currentTarget.dataset.joker }) });
}
