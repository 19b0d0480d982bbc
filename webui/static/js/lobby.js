// SPDX-License-Identifier: MIT
// Before a game: who plays what. The names of the last game on this screen stand ready.

import { $, el, fill, say, show } from "./dom.js";
import { dieFace } from "./faces.js";
import { send } from "./send.js";

const REMEMBERED = "dicebell.players";
const MOST_SEATS = 6;

let names = [];
let seats = null;
let game = null;

export function mountLobby(store) {
  store.watch(["phase", "known_games", "seats"], (view) => {
    if (view.phase !== "lobby") return;
    takeSeats(view.seats);
    game = view.known_games.includes(game) ? game : view.known_games[0] ?? null;
    showGames(view.known_games);
    showSeats();
  });
  $("fan").append(...[1, 3, 4, 4, 6].map((face) => dieFace(face)));
  $("add-seat").addEventListener("click", () => {
    names.push("");
    showSeats();
    $("seats").lastElementChild.querySelector("input").focus();
  });
  $("seats-form").addEventListener("submit", start);
}

/** Seats come and go by the buttons; a name that was typed here stays with its seat. */
function takeSeats(now) {
  const before = seats ?? now;
  if (seats === null) names = remembered();
  if (names.length === 0) names = [...now];
  if (before.join("\n") !== now.join("\n")) {
    names = now.map((seat, index) => {
      const isSame = before[index] === undefined || before[index] === seat;
      return isSame ? names[index] ?? seat : seat;
    });
  }
  seats = now;
}

function remembered() {
  try {
    const stored = JSON.parse(localStorage.getItem(REMEMBERED) ?? "[]");
    const isFit = Array.isArray(stored) && stored.length <= MOST_SEATS;
    return isFit ? stored.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function showGames(known) {
  say($("game-name"), known.length === 1 ? title(known[0]) : "Which game?");
  show($("games"), known.length > 1);
  fill($("games"), known, makeGame, (button, key) => {
    say(button, title(key));
    button.dataset.game = key;
    button.setAttribute("aria-checked", key === game);
  });
}

function makeGame() {
  const choose = (event) => {
    game = event.target.dataset.game;
    for (const other of $("games").children) other.setAttribute("aria-checked", other === event.target);
  };
  return el("button", { type: "button", role: "radio", onclick: choose });
}

function title(key) {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

function showSeats() {
  fill($("seats"), names, makeSeat, (item, name) => {
    const input = item.querySelector("input");
    if (input.value !== name) input.value = name;
    item.querySelector("button").disabled = names.length === 1;
  });
  $("add-seat").disabled = names.length >= MOST_SEATS;
}

function makeSeat(index) {
  const input = el("input", {
    type: "text", maxlength: 40, "aria-label": `Player ${index + 1}`, "data-seat": index,
    placeholder: `Player ${index + 1}`, oninput: (event) => { names[index] = event.target.value; },
  });
  const leave = () => {
    names.splice(index, 1);
    showSeats();
  };
  return el("li", {}, input, el("button", { type: "button", text: "✕", "aria-label": "Remove", onclick: leave }));
}

async function start(event) {
  event.preventDefault();
  document.activeElement?.blur();
  const players = names.map((name, index) => name.trim() || `Player ${index + 1}`);
  const twin = players.find((name, index) => players.indexOf(name) !== index);
  say($("seats-wrong"), twin ? `Two players are called ${twin}; each needs a name of their own.` : "");
  if (twin || game === null) return;
  names = players;
  localStorage.setItem(REMEMBERED, JSON.stringify(players));
  say($("seats-wrong"), (await send({ do: "start", game, players })) ?? "");
}
