// SPDX-License-Identifier: MIT
// The tournament that this table sends its journal to: joined with a code, left at any time.

import { $, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { post } from "../post.js";
import { toast } from "../toast.js";
import { pollWhileOpen, runAction } from "./requests.js";

const AGAIN_MS = 2000;

export function mountTournament() {
  const ask = pollWhileOpen("machine", "tournament", AGAIN_MS, showTournament);
  const form = $("tournament-form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reply = await post("/service", { do: "join tournament", ...Object.fromEntries(new FormData(form)) }, toast);
    if (reply.error) return;
    form.elements.code.value = "";
    toast(reply.said);
    ask();
  });
  form.querySelector("button").disabled = false;
  $("leave-tournament").addEventListener("click", () => runAction({ do: "leave tournament" }).then(ask));
}

function showTournament(view) {
  const form = $("tournament-form");
  const isOff = view.state === "off";
  show(form, isOff || view.state === "stopped");
  show($("leave-tournament"), !isOff);
  if (!form.elements.address.value) form.elements.address.value = view.address || view.offered;
  setText($("tournament-state"), describe(view));
}

function describe({ state, ...values }) {
  if (state === "off") return gettext("This table plays in no tournament. The organiser has the address and the code.");
  if (state === "live") return gettext("{address}: {sent} entries have arrived, {waiting} wait.", values);
  if (state === "contradicted") return gettext("{address}: {sent} entries have arrived, {waiting} wait. {reason} Tell the arbiter.", values);
  if (state === "connecting") return gettext("{address}: connecting …", values);
  if (state === "stopped") return gettext("{address}: nothing is sent any more: {reason}", values);
  return gettext("{address}: not reached ({reason}). Play goes on; {waiting} entries wait.", values);
}
