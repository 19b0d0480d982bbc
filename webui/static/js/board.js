// SPDX-License-Identifier: MIT
// The middle of the table in Black'n'White: the remaining chips, and the state of this round that
// applies to all players.

import { $, el, fill, setText, show } from "./dom.js";
import { showFace } from "./faces.js";
import { chipIcon } from "./icons.js";
import { ngettext } from "./messages.js";

export function mountBoard(store) {
  store.watch(["board", "phase"], showBoard);
}

function showBoard({ board, phase }) {
  show($("board"), board !== null && phase !== "game over");
  if (board === null) return;
  const { dataset } = $("board");
  dataset.phase = board.phase;
  dataset.chips = board.chips;
  dataset.limit = board.limit;
  dataset.tens = board.tens ?? "";
  dataset.throwOff = board.is_throw_off;
  setText($("board-phase"), `${board.phase}`);
  setText($("board-text"), board.text);
  fill($("middle"), Array.from({ length: board.phase === 1 ? board.chips_at_start : 0 }), () => el("span"), (place, _, index) => {
    const isThere = index < board.chips;
    if (place.dataset.there === `${isThere}`) return;
    place.dataset.there = isThere;
    place.replaceChildren(chipIcon(isThere));
  });
  $("middle").setAttribute("aria-label", ngettext("{count} chip in the middle", "{count} chips in the middle", board.chips));
  fill($("limit"), Array.from({ length: board.limit }), () => el("i"), () => {});
  $("limit").setAttribute("aria-label", ngettext("{count} throw", "{count} throws", board.limit));
  const isWhite = board.tens === "white";
  showFace($("tens"), { face: 0, polarity: isWhite ? "light" : "dark", colour: isWhite ? "white" : "black" });
  $("tens").classList.toggle("empty", board.tens === null);
}
