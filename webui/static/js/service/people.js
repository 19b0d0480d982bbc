// SPDX-License-Identifier: MIT
// The names that the history shows: renamed, forgotten, or as the journal has them.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext, ngettext } from "../messages.js";
import { pollWhileOpen, runAction } from "./requests.js";

const AGAIN_MS = 3000;

export function mountPeople() {
  const ask = pollWhileOpen("people", "people", AGAIN_MS, showPeople);
  $("names-list").addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const { name } = button.closest("li").dataset;
    if (button.dataset.does === "rename") askName(name, button.closest("li").dataset.shown);
    else runAction({ do: button.dataset.does, name }).then(ask);
  });
  $("naming").addEventListener("close", () => {
    const { name } = $("naming").dataset;
    const shown = $("naming-name").value.trim();
    if ($("naming").returnValue === "yes" && shown) runAction({ do: "rename person", name, shown }).then(ask);
  });
}

function showPeople({ people }) {
  show($("no-names"), people.length === 0);
  fill($("names-list"), people, makePerson, showPerson);
}

function makePerson() {
  return el("li", {}, el("b"), el("span"), el("div", { class: "row" },
    el("button", { type: "button", "data-does": "rename", text: gettext("Rename") }),
    el("button", { type: "button", "data-does": "forget person", class: "grave", text: gettext("Forget") }),
    el("button", { type: "button", "data-does": "restore name", text: gettext("Undo") })));
}

function showPerson(item, { name, shown, forgotten, games }) {
  const isRenamed = !forgotten && shown !== name;
  item.dataset.name = name;
  item.dataset.shown = shown || name;
  const [who, what, { children: [rename, forget, restore] }] = item.children;
  setText(who, forgotten ? gettext("{name} (forgotten)", { name }) : shown);
  const count = ngettext("{count} game", "{count} games", games);
  setText(what, isRenamed ? gettext("{games}, in the journal: {name}", { games: count, name }) : count);
  for (const [button, isShown] of [[rename, !forgotten], [forget, !forgotten], [restore, forgotten || isRenamed]]) {
    show(button, isShown);
    button.setAttribute("aria-label", `${button.textContent}: ${name}`);
  }
}

function askName(name, shown) {
  $("naming").dataset.name = name;
  $("naming").returnValue = "no";
  setText($("naming-who"), gettext("A new name for {name}", { name }));
  $("naming-name").value = shown;
  $("naming").showModal();
}
