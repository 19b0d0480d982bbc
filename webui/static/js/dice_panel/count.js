// SPDX-License-Identifier: MIT
// The number of dice of Just dice, by minus and plus. A tap only selects it, like every tap.

import { $, setText, show } from "../dom.js";
import { ngettext } from "../messages.js";
import { send } from "../send.js";

export function mountCount(store) {
  store.watch(["choices", "cursor", "dice_wanted"], showCount);
}

function showCount(view) {
  const hasCount = view.choices.some(({ kind }) => kind === "dice");
  show($("dice-count"), hasCount);
  if (!hasCount) return;
  const [fewer, number, more] = $("dice-count").children;
  const offers = listCounts(view);
  const count = offers.find(({ index }) => index === view.cursor)?.count ?? view.dice_wanted;
  setText(number, ngettext("{count} die", "{count} dice", count));
  number.dataset.count = count;
  connect(fewer, offers.findLast((offer) => offer.count < count));
  connect(more, offers.find((offer) => offer.count > count));
}

/** The numbers that may be chosen, rising; to throw again keeps the present one. */
function listCounts({ choices, dice_wanted: present }) {
  return choices.flatMap(({ action, kind }, index) => {
    if (kind === "throw") return [{ count: present, index }];
    return kind === "dice" ? [{ count: Number(action.replace("dice ", "")), index }] : [];
  }).sort((one, other) => one.count - other.count);
}

function connect(button, offer) {
  button.disabled = offer === undefined;
  button.onclick = offer && (() => send({ do: "choose", index: offer.index }));
}
