// SPDX-License-Identifier: MIT
// The sets of dice: which one is on the table, and what its throws say of it.

import { $, el, fill, setText } from "../dom.js";
import { gettext } from "../messages.js";
import { pollWhileOpen, runAction } from "./requests.js";

const AGAIN_MS = 3000;

export function mountDice() {
  const ask = pollWhileOpen("reading", "dice", AGAIN_MS, showSets);
  const form = $("dice-form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reply = await runAction({ do: "other dice", name: form.elements.name.value.trim() });
    if (reply.error) return;
    form.reset();
    ask();
  });
  form.querySelector("button").disabled = false;
}

function showSets({ sets }) {
  fill($("dice-sets"), sets, () => el("li", {}, el("b"), el("span")), showSet);
  const earlier = sets.filter(({ name, is_current: isCurrent }) => name && !isCurrent);
  fill($("dice-names"), earlier, () => el("option"), (option, { name }) => { option.value = name; });
}

function showSet(item, { label, is_current: isCurrent, said }) {
  const [who, what] = item.children;
  setText(who, isCurrent ? gettext("{dice}, on the table now:", { dice: label }) : `${label}:`);
  const text = said.join(" ") || gettext("No throw yet.");
  setText(what, ` ${text}`);
}
