// SPDX-License-Identifier: MIT
// The button that calls an official of the tournament; hidden at a table that has not joined one.

import { $, show } from "./dom.js";
import { readJson } from "./loaded.js";
import { post } from "./post.js";
import { toast } from "./toast.js";

export function mountOfficialCall(store) {
  const button = $("official-call");
  if (!button) return;
  // A table may join between two games.
  store.watch(["phase"], async () => {
    const found = await readJson("/official");
    show(button, found?.is_joined ?? false);
  });
  button.addEventListener("click", async () => {
    const { said } = await post("/official", {}, toast);
    if (said) toast(said);
  });
}
