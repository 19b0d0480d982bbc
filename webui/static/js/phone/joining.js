// SPDX-License-Identifier: MIT
// How a phone gets its seat: the table's code, from the scanned link or typed, then a name. All of
// it is one page, because a browser lets only a page that was tapped vibrate.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { post } from "../post.js";
import { follow } from "../stream.js";

const { body } = document;
const STAGES = ["code", "who", "seat"];
/** Opens the stream again; null before the phone has joined. */
let reopen = null;
/** Whether this page has had a seat, which it can lose. */
let hadSeat = body.dataset.player !== "";

export function mountJoining(store) {
  store.watch(["seats", "players", "lobby", "joiners"], (view) => {
    if (view.seats && reopen) showSeats(view);
  });
  $("code-form").addEventListener("submit", (event) => {
    event.preventDefault();
    join(store, $("code").value.trim());
  });
  $("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    takeSeat($("new-name").value.trim());
  });
  $("give-up").addEventListener("click", giveUp);
  begin(store);
}

function begin(store) {
  const code = scannedCode();
  if (code) join(store, code);
  else if (body.dataset.joined === "true") start(store);
  else showStage("code");
}

/** The code of the scanned link, which leaves the address at once, so that no photo of the phone shows it. */
function scannedCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code")
    ?? new URLSearchParams(location.search).get("code");
  if (code) history.replaceState(null, "", "/join");
  return code;
}

async function join(store, code) {
  const { error } = await post("/login/code", { code }, () => {});
  if (error === undefined) {
    start(store);
    return;
  }
  showStage("code");
  complain("code-why", error);
  $("code").value = "";
}

function start(store) {
  complain("code-why", "");
  history.replaceState(null, "", "/");
  if (reopen) reopen();
  else reopen = follow(store, "/events?seat");
}

function showSeats({ seats, players, lobby, joiners }) {
  const { joined, mine, taken } = seats;
  body.dataset.player = mine;
  if (!joined) {
    showStage("code");
    complain("code-why", gettext("All phones were sent away, or a day has passed. Scan the code on the table's own screen again."));
    return;
  }
  if (!mine && hadSeat) complain("who-why", gettext("Your seat was freed. Choose your name again."));
  hadSeat = mine !== "";
  if (mine) complain("who-why", "");
  showStage(mine ? "seat" : "who");
  const names = lobby
    ? lobby.lines.filter((line) => line.kind === "seat" && line.value && !line.opponent).map((line) => line.value)
    : players.filter((player) => !player.opponent).map((player) => player.name);
  fill($("who-names"), names, makeName, (button, name) => {
    button.dataset.name = name;
    button.classList.toggle("taken", taken.includes(name));
    setText(button.children[0], name);
    setText(button.children[1], taken.includes(name) ? gettext("has a phone") : "");
  });
  show($("name-form"), joiners !== null || (lobby?.lines ?? []).some((line) => line.kind === "seat" && !line.value));
  show($("no-seat"), mine !== "" && !names.includes(mine));
}

function makeName() {
  const tap = ({ currentTarget }) => takeSeat(currentTarget.dataset.name);
  return el("button", { type: "button", onclick: tap }, el("b"), el("small"));
}

async function takeSeat(player) {
  if (!player) return;
  complain("who-why", "");
  const { error } = await post("/join/seat", { player }, (text) => complain("who-why", text));
  if (error !== undefined) return;
  $("new-name").value = "";
  $("new-name").blur();
  reopen();
}

async function giveUp() {
  hadSeat = false;
  $("menu").close();
  await post("/join/leave", {}, (text) => complain("who-why", text));
  reopen();
}

function showStage(stage) {
  body.dataset.stage = stage;
  for (const each of STAGES) show($(`stage-${each}`), each === stage);
}

function complain(id, text) {
  setText($(id), text);
  show($(id), text !== "");
}
