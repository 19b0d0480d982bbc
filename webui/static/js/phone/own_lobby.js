// SPDX-License-Identifier: MIT
// Before a game, on a phone: what is going to be played, by whom, and the button that starts it.

import { $, el, fill, setName, setText, show } from "../dom.js";
import { mountEnds } from "../lobby/ends.js";
import { send } from "../send.js";

export function mountOwnLobby(store) {
  $("start").addEventListener("click", () => send({ do: "begin" }));
  $("continue").addEventListener("click", () => send({ do: "continue" }));
  mountEnds(store, ({ seats }) => seats?.leads ?? false);
  store.watch(["lobby", "seats"], ({ lobby, seats }) => {
    show($("own-lobby"), lobby !== null);
    if (!lobby) return;
    showLobby(lobby);
    show($("own-parked"), lobby.parked !== "");
    show($("continue"), lobby.parked !== "" && (seats?.leads ?? false));
    setText($("continue"), lobby.parked);
  });
}

function showLobby({ lines, games, option_values: rules, problem }) {
  const of = (kind) => lines.filter((line) => line.kind === kind);
  const [game] = of("game");
  const titles = game.values.map((text, index) => ({
    text, isPressed: index === game.index, command: { do: "pick", game: games[index] },
  }));
  fill($("own-games"), titles, makeValue, showValue);
  fill($("own-options"), of("option"), makeOption, (row, line) => {
    setText(row.firstElementChild, line.label);
    const values = line.values.map((text, index) => ({
      text, isPressed: index === line.index, command: { do: "option", option: line.key, value: rules[line.key][index] },
    }));
    fill(row.lastElementChild, values, makeValue, showValue);
  });
  const seated = of("seat").filter((line) => line.value);
  fill($("own-players"), seated, () => el("li"), (item, line) => setName(item, { name: line.value, opponent: line.opponent }));
  setText($("own-problem"), problem);
  $("start").disabled = problem !== "";
}

function makeOption() {
  return el("li", {}, el("span"), el("div", { class: "values" }));
}

function makeValue() {
  const button = el("button", { type: "button" });
  button.addEventListener("click", () => send(JSON.parse(button.dataset.command)));
  return button;
}

function showValue(button, { text, isPressed, command }) {
  setText(button, text);
  button.dataset.command = JSON.stringify(command);
  button.setAttribute("aria-pressed", isPressed);
}
