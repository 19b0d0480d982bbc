// SPDX-License-Identifier: MIT
// Before a game: the lines that the four buttons move through, each as large as a finger. The
// table decides their content; a tap requests a change and shows nothing by itself.

import { $, el, fill, setName, setText, show } from "../dom.js";
import { dieFace } from "../faces.js";
import { gettext } from "../messages.js";
import { mountEnds } from "./ends.js";
import { mountNames, openNames } from "./names.js";
import { isWatcher } from "../roles.js";
import { send } from "../send.js";

/** More values than these are chosen by minus and plus. */
const MOST_BUTTONS = 8;

/** The dice on the cover of a game's box: face and body. */
const COVERS = {
  "choice": [[1], [3], [4], [4], [6]],
  "black-n-white": [[6, "light"], [4, "dark"]],
  "wuerfelspiel": [[5], [5], [5], [2], [2]],
  "dice": [[6, "dark", "red"], [2], [5, "dark", "blue"], [3, "dark"], [1, "light", "yellow"]],
};

export function mountLobby(store) {
  mountNames(store);
  mountEnds(store, () => true);
  $("start").addEventListener("click", () => send({ do: "begin" }));
  $("continue").addEventListener("click", () => send({ do: "continue" }));
  store.watch(["phase", "lobby"], ({ lobby }) => {
    if (!lobby) return;
    const lines = lobby.lines.map((line, index) => ({ ...line, at: index, hasFocus: index === lobby.focus }));
    const of = (kind) => lines.filter((line) => line.kind === kind);
    showGames(of("game")[0], lobby.games);
    showOptions(of("option"), lobby.option_values);
    fill($("seats"), of("seat"), makeSeat, showSeat);
    const last = of("start")[0];
    mark($("start"), { ...last, hasFocus: last.hasFocus && !lobby.continues });
    mark($("continue"), { ...last, hasFocus: last.hasFocus && lobby.continues });
    show($("continue"), lobby.parked !== "");
    setText($("continue"), lobby.parked);
    $("start").classList.toggle("dark", lobby.problem !== "");
    setText($("lobby-problem"), lobby.problem);
    if (isWatcher()) for (const button of $("lobby").querySelectorAll("button")) button.disabled = true;
  });
}

/** The line that the buttons change is marked so that everybody can see it from afar. */
function mark(node, line) {
  node.dataset.line = line.at;
  node.toggleAttribute("data-focus", line.hasFocus);
}

function showGames(line, keys) {
  mark($("games"), line);
  const games = keys.map((key, index) => ({ key, title: line.values[index], isPicked: index === line.index }));
  fill($("games"), games, makeGame, (card, game) => {
    setText(card.lastElementChild, game.title);
    card.setAttribute("aria-pressed", game.isPicked);
    if (card.dataset.game === game.key) return;
    card.dataset.game = game.key;
    card.firstElementChild.replaceChildren(...(COVERS[game.key] ?? []).map((die) => dieFace(...die)));
  });
}

function makeGame() {
  const card = el("button", { type: "button" }, el("span", { class: "fan" }), el("b"));
  card.addEventListener("click", () => send({ do: "pick", game: card.dataset.game }));
  return card;
}

function showOptions(lines, rules) {
  fill($("options"), lines, makeOption, (row, line) => {
    mark(row, line);
    setText(row.firstElementChild, line.label);
    const values = line.values.map((text, index) => ({ text, value: rules[line.key][index], index }));
    if (values.length > MOST_BUTTONS) showNumber(row.lastElementChild, line, values);
    else showValues(row.lastElementChild, line, values);
  });
}

function showValues(box, line, values) {
  if (box.querySelector("output")) box.replaceChildren();
  fill(box, values, makeValue, (button, { text, value, index }) => {
    setText(button, text);
    button.dataset.option = line.key;
    button.dataset.value = JSON.stringify(value);
    button.setAttribute("aria-pressed", index === line.index);
  });
}

/** One of many numbers, between minus and plus. */
function showNumber(box, line, values) {
  if (!box.querySelector("output")) box.replaceChildren(makeValue(), el("output"), makeValue());
  const [fewer, number, more] = box.children;
  setText(number, values[line.index]?.text ?? "");
  for (const [button, sign, step] of [[fewer, "−", -1], [more, "+", 1]]) {
    const next = values[line.index + step];
    setText(button, sign);
    button.ariaLabel = `${line.label}: ${next?.text ?? ""}`;
    button.dataset.option = line.key;
    button.dataset.value = JSON.stringify(next?.value ?? null);
    button.disabled = next === undefined;
  }
}

function makeOption() {
  return el("li", {}, el("span"), el("div", { class: "values" }));
}

function makeValue() {
  const button = el("button", { type: "button" });
  button.addEventListener("click", () => {
    send({ do: "option", option: button.dataset.option, value: JSON.parse(button.dataset.value) });
  });
  return button;
}

function makeSeat() {
  const seat = el("button", { type: "button" }, el("i"), el("b"));
  seat.addEventListener("click", () => openNames(Number(seat.dataset.seat)));
  return el("li", {}, seat);
}

function showSeat(item, line) {
  const seat = item.firstElementChild;
  mark(seat, line);
  seat.dataset.seat = line.seat;
  seat.classList.toggle("free", line.value === "");
  setText(seat.children[0], `${line.seat + 1}`);
  setName(seat.children[1], { name: line.value || gettext("Add a player"), opponent: line.opponent });
}
