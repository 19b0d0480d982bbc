// SPDX-License-Identifier: MIT
// The tokens of other programs: made, shown once, withdrawn.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { post } from "../post.js";
import { toast } from "../toast.js";
import { pollWhileOpen, runAction } from "./requests.js";

const AGAIN_MS = 5000;
const SCOPES = { read: gettext("reads"), ask: gettext("asks for dice") };

export function mountTokens() {
  const askTokens = pollWhileOpen("machine", "tokens", AGAIN_MS, (reply) => showTokens(reply, () => askTokens()));
  const form = $("token-form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const reply = await post("/service", { do: "new token", name: fields.get("name"), scopes: fields.getAll("scopes") }, toast);
    if (reply.error) return;
    form.reset();
    setText($("new-token").lastElementChild, reply.said);
    show($("new-token"), true);
    askTokens();
  });
  form.querySelector("button").disabled = false;
}

function showTokens({ enabled, tokens }, ask) {
  show($("api-off"), !enabled);
  const make = () => el("li", { class: "row" }, el("span"), el("button", { type: "button" }, gettext("Withdraw")));
  fill($("api-tokens"), tokens, make, (node, { number, name, scopes, used_s }) => {
    setText(node.children[0], `${name} · ${scopes.map((scope) => SCOPES[scope]).join(", ")} · ${describeUse(used_s)}`);
    node.children[1].onclick = () => runAction({ do: "withdraw token", number }).then(ask);
  });
}

function describeUse(used_s) {
  if (!used_s) return gettext("never used");
  const time = new Date(used_s * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  return gettext("last used {time}", { time });
}
