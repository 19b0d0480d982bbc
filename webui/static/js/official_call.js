// SPDX-License-Identifier: MIT
// What a tournament offers at a table: a button that calls an official, and the way to the page on
// which players without a phone choose. Both are hidden at a table that has not joined one.

import { $, show } from "./dom.js";
import { readJson } from "./loaded.js";
import { post } from "./post.js";
import { toast } from "./toast.js";

/** An official may seat a player at the table's screen at any time. */
const SEATED_MS = 5000;

export function mountOfficialCall(store) {
  const button = $("official-call");
  const link = document.querySelector("#play-here"); // On the kiosk alone.
  if (!button) return;
  const ask = async () => {
    const found = await readJson("/official");
    show(button, found?.is_joined ?? false);
    if (link) show(link, found?.plays_here ?? false);
  };
  // A table may join between two games.
  store.watch(["phase"], ask);
  if (link) setInterval(ask, SEATED_MS);
  button.addEventListener("click", async () => {
    const { said } = await post("/official", {}, toast);
    if (said) toast(said);
  });
}
