// SPDX-License-Identifier: MIT
// The menu of a phone: another name, a break, a round off, and the way back; beside it the check-in
// for a draw.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { post } from "../post.js";
import { toast } from "../toast.js";
import { addSeat, IS_KIOSK, IS_OFFICIAL } from "./seat.js";

const ANSWER_MS = 8000;

export function mountMenu(event) {
  event.watch(["own", "shared"], ({ own }) => {
    const isSeated = Boolean(own?.player) && !own.is_withdrawn && !IS_OFFICIAL;
    const isIn = isSeated && !IS_KIOSK;
    show($("rename-form"), isIn);
    show($("leave"), isIn && !own.is_away);
    show($("return"), isIn && own.is_away);
    show($("back-again"), isSeated && own.is_away && own.checked_in === null);
    show($("check-in"), isIn && own.checked_in === false);
    setText($("my-name"), own?.name ?? "");
    showCall(isIn, own?.call ?? null);
    fill($("rulings"), isIn ? own.rulings ?? [] : [], makeLine, showRuling);
    fill($("rounds-off"), isIn ? own.rounds_off ?? [] : [], makeLine, showRoundOff);
  });
  $("menu-open").addEventListener("click", () => $("menu").showModal());
  $("menu").addEventListener("click", (tapped) => {
    if (tapped.target === $("menu") || tapped.target.closest("[data-closes]")) $("menu").close();
  });
  $("call").addEventListener("click", () => change({ do: "call" }));
  $("check-in").addEventListener("click", () => change({ do: "check in" }));
  $("leave").addEventListener("click", () => change({ do: "leave" }));
  for (const id of ["return", "back-again"]) $(id).addEventListener("click", () => change({ do: "return" }));
  $("rename-form").addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    const name = $("other-name").value.trim();
    if (name) change({ do: "rename", name });
  });
}

function makeLine() {
  return el("li", {}, el("span"), el("button", { type: "button" }));
}

function showRuling(item, { number, game, roll, by }) {
  const [text, button] = item.children;
  const what = game ? gettext("Game {game}, roll {roll}", { game, roll }) : gettext("A roll at a table");
  setText(text, gettext("{what}: ruling of {official}", { what, official: by }));
  setText(button, gettext("Appeal"));
  button.onclick = () => change({ do: "appeal", ruling: number });
}

function showRoundOff(item, [round, isOff]) {
  const [text, button] = item.children;
  setText(text, isOff ? gettext("I take round {round} off", { round }) : gettext("Round {round}", { round }));
  setText(button, isOff ? gettext("Play it") : gettext("Take it off"));
  button.onclick = () => change({ do: "round off", round, ...(isOff && { is_lifted: true }) });
}

/** Whether the player's call was open when it was shown last. */
let wasOpen = false;

function showCall(isIn, call) {
  show($("call"), isIn);
  $("call").disabled = call?.is_open ?? false;
  setText($("call"), call?.is_open ? gettext("An official has been called") : gettext("Call an official"));
  if (wasOpen && call && !call.is_open) toast(gettext("{official} is coming.", { official: call.by }));
  wasOpen = call?.is_open ?? false;
}

async function change(body) {
  const { error, code } = await post(addSeat("/event/self"), body, () => {}, ANSWER_MS);
  if (error !== undefined) toast(code === "twice" && body.name ? gettext("{name} is taken. Choose another name, or add an initial.", { name: body.name }) : error);
  else {
    $("other-name").value = "";
    $("menu").close();
  }
}
