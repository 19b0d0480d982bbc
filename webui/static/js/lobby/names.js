// SPDX-License-Identifier: MIT
// Choose who sits at a seat: a name from the list, a new one, or no player. It opens at a tap on a
// seat or at the first typed letter, and closes as soon as the table has another name there. During
// a game that can be joined it opens over the sheets, for one player more.

import { $, el, fill, setText, show } from "../dom.js";
import { isPanelKey } from "../keys.js";
import { gettext } from "../messages.js";
import { isTyping } from "../typing.js";
import { send } from "../send.js";

/** The number of the open seat, and its player when the dialog opened. */
let seat = -1;
let name = "";
let lobby = null;
/** Who may join the game that is played, null if it cannot be joined; and who plays it. */
let joiners = null;
let players = [];

export function mountNames(store) {
  store.watch(["phase", "lobby", "joiners", "players"], (view) => {
    ({ lobby, joiners, players } = view);
    show($("join-game"), joiners !== null);
    if (isOpen()) showNames();
  });
  $("join-game").addEventListener("click", () => openNames(players.length));
  $("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    $("new-name").blur();
    setName($("new-name").value.trim() || name);
  });
  $("free-seat").addEventListener("click", () => setName(""));
  $("names-close").addEventListener("click", close);
  $("buttons").addEventListener("click", close);
  document.addEventListener("keydown", onKey, { capture: true });
}

export function openNames(at) {
  seat = at;
  name = seatLine()?.value ?? "";
  (lobby ? $("what") : $("players")).append($("names"));
  $("new-name").value = "";
  show($("letters"), false);
  show($("names"), true);
  showNames();
}

function isOpen() {
  return !$("names").hidden;
}

function close() {
  $("new-name").blur();
  show($("names"), false);
}

function seatLine() {
  if (joiners && players.length === seat) return { label: gettext("Who joins in?"), values: joiners, index: -1, value: "" };
  return lobby?.lines.find((line) => line.kind === "seat" && line.seat === seat);
}

function showNames() {
  const line = seatLine();
  if (!line || line.value !== name) {
    close();
    return;
  }
  setText($("names-of"), line.label);
  fill($("known-names"), line.values, makeName, (button, known, index) => {
    setText(button, known);
    button.setAttribute("aria-pressed", index === line.index);
  });
  const grades = lobby?.grades ?? [];
  fill($("grades"), grades, makeGrade, (button, grade) => {
    button.dataset.key = grade.key;
    setText(button, grade.label);
    button.setAttribute("aria-pressed", grade.label === line.opponent);
  });
  show($("opponents"), grades.length > 0);
  show($("free-seat"), name !== "");
}

/** The table gives an opponent its name; another grade at the same seat keeps that. */
function makeGrade() {
  const button = el("button", { type: "button" });
  button.addEventListener("click", () => {
    close();
    send({ do: "opponent", seat, grade: button.dataset.key });
  });
  return button;
}

function makeName() {
  const button = el("button", { type: "button" });
  button.addEventListener("click", () => setName(button.textContent));
  return button;
}

/** If the table refuses the name, the page shows the reason and the name can be edited. */
function setName(wanted) {
  if (wanted === name) close();
  else send(lobby ? { do: "seat", seat, name: wanted } : { do: "join", name: wanted });
}

/**
 * A letter begins a new name: at the seat with the focus, else at a free one. It is handled
 * before the simulated tray's shortcuts, which are letters too.
 */
function onKey(event) {
  if (event.key === "Escape" && isOpen()) close();
  else if (isOpen() && isPanelKey(event)) close();
  else if (lobby && /^\p{L}$/u.test(event.key) && !isTyping(event)) write(event);
}

function write(event) {
  const seats = lobby.lines.filter((line) => line.kind === "seat");
  const line = isOpen() ? seatLine() : seats.find((one) => one === lobby.lines[lobby.focus])
    ?? seats.find((one) => one.value === "");
  if (!line) return;
  event.stopPropagation();
  if (!isOpen()) openNames(line.seat);
  // The letter itself arrives in the field, which has the focus from here on.
  $("new-name").focus();
}
