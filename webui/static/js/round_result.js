// SPDX-License-Identifier: MIT
// The result of a round of Black'n'White, until somebody confirms or throws, or for some seconds.

import { $, el, fill, formatDifference, setText, show } from "./dom.js";
import { chipIcon } from "./icons.js";
import { gettext } from "./messages.js";
import { send } from "./send.js";

export function mountRoundResult(store) {
  store.watch(["ended_round"], ({ ended_round: ended }) => {
    show($("round-result"), ended !== null);
    if (ended === null) return;
    setText($("round-result").querySelector("h2"), gettext("Round {round}", { round: ended.number }));
    setText($("round-result").querySelector("p"), ended.text);
    fill($("round-result").querySelector("ol"), ended.results, makeRow, (row, [player, result]) => showRow(row, player, result, ended));
  });
  $("round-result").addEventListener("click", () => send({ do: "press", key: "confirm" }));
}

function makeRow() {
  return el("li", {}, el("b"), el("span"), el("i"));
}

function showRow(row, player, result, { marked, chips }) {
  const [name, had, change] = row.children;
  setText(name, player);
  setText(had, result);
  row.classList.toggle("marked", player === marked);
  row.classList.toggle("loses", chips < 0);
  change.replaceChildren(...(player === marked ? [formatDifference(chips), chipIcon()] : []));
}
