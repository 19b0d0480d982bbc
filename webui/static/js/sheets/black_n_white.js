// SPDX-License-Identifier: MIT
// The card of a player of Black'n'White: the two dice of this round and their
// value, the number of throws, and the chips.

import { el, fill, setText, show } from "../dom.js";
import { showFace } from "../faces.js";
import { chipIcon } from "../icons.js";
import { gettext, ngettext } from "../messages.js";

/** A result of more letters gets smaller type. */
const LONG = 8;

const TENS = { white: gettext("tens: white"), black: gettext("tens: black") };
const MARKS = { lowest: gettext("lowest"), highest: gettext("highest") };

export const blackNWhite = { make, update, isPending };

function isPending(sheet) {
  return sheet.total_after !== sheet.chips;
}

function make() {
  const dice = el("div", { class: "pair", role: "img" }, el("span"), el("span"));
  const result = el("p", { class: "result" });
  const said = el("p", { class: "said" });
  const mark = el("p", { class: "mark" });
  const throws = el("div", { class: "throws", role: "img" });
  const chips = el("div", { class: "chips", role: "img" });
  return el("div", { class: "seat" }, dice, el("div", { class: "words" }, result, throws, said, mark), chips);
}

function update(node, player, view) {
  const { sheet } = player;
  const [dice, words, chips] = node.children;
  const [result, throws, said, mark] = words.children;
  showPair(dice, sheet, view.board);
  setText(result, sheet.result);
  result.dataset.result = sheet.result;
  result.dataset.long = sheet.result.length > LONG;
  showThrows(throws, sheet, view.board);
  setText(said, TENS[sheet.tens] ?? "");
  const isLoser = view.outcome?.losers.includes(player.name) ?? false;
  setText(mark, isLoser ? gettext("loses") : sheet.is_out ? gettext("no chips left") : MARKS[sheet.mark] ?? "");
  node.dataset.mark = sheet.mark ?? "";
  node.classList.toggle("out", sheet.is_out);
  node.classList.toggle("loser", isLoser);
  chips.dataset.chips = sheet.chips;
  chips.setAttribute("aria-label", ngettext("{count} chip", "{count} chips", sheet.chips));
  fill(chips, Array.from({ length: sheet.chips }), () => chipIcon(), () => {});
}

/** The die for the tens is first, so that the dice read like the result. */
function showPair(node, sheet, board) {
  const both = [["light", "white", sheet.white], ["dark", "black", sheet.black]];
  if (board?.tens === "black") both.reverse();
  both.forEach(([polarity, colour, face], index) => {
    const die = node.children[index];
    showFace(die, { face, polarity, colour });
    die.dataset.die = colour;
    die.dataset.face = face;
    die.classList.toggle("empty", face === 0);
  });
  const [white, black] = [sheet.white, sheet.black].map((face) => face || gettext("not thrown"));
  node.setAttribute("aria-label", gettext("white: {white}, black: {black}", { white, black }));
}

/** A stroke for every throw, and a faint one for each that is left within the limit. */
function showThrows(node, sheet, board) {
  const isPlaying = sheet.throws > 0 && !(board?.is_throw_off ?? false);
  const limit = isPlaying ? Math.max(board?.limit ?? 0, sheet.throws) : 0;
  show(node, !sheet.is_out);
  node.dataset.throws = sheet.throws;
  node.setAttribute("aria-label", ngettext("{count} throw", "{count} throws", sheet.throws));
  fill(node, Array.from({ length: limit }), () => el("i"), (stroke, _, index) => {
    stroke.classList.toggle("left", index >= sheet.throws);
  });
}
