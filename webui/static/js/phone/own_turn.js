// SPDX-License-Identifier: MIT
// What the table asks this player, and the buttons that answer. The phone vibrates when the question
// becomes this player's.

import { $, setText, show } from "../dom.js";
import { runSimulator, send } from "../send.js";

const VIBRATION_MS = [120, 80, 120];
const THROWS = ["awaiting roll", "awaiting joker", "in hand"];
/** In these phases the buttons belong to whom leads the game. */
const LEADS = ["lobby", "paused", "fault", "game over"];
const NO_PAUSE = [...LEADS, "review"];

/** The question that was this player's last. */
let asked = "";

export function mountOwnTurn(store) {
  store.watch([], showTurn);
  for (const key of ["left", "right", "confirm", "back"]) {
    $(`do-${key}`).addEventListener("click", () => send({ do: "press", key }));
  }
  $("do-throw")?.addEventListener("click", () => throwDice(store.view));
  $("pause").addEventListener("click", () => lead("pause"));
  $("resume").addEventListener("click", () => lead("resume"));
  $("count").addEventListener("click", () => lead("count"));
  $("leave").addEventListener("click", () => lead("leave"));
  $("menu-open").addEventListener("click", () => $("menu").showModal());
  $("menu").addEventListener("click", (event) => {
    if (event.target.closest("a, button, dialog > *") === null || event.target.closest("[data-closes]")) $("menu").close();
  });
}

/** Throw what the dice show, also if that is not confirmed yet. */
async function throwDice(view) {
  const refusal = marksThrow(view) ? await send({ do: "press", key: "confirm" }) : null;
  if (refusal === null) runSimulator({ do: "throw" });
}

function marksThrow({ choices, dice }) {
  return choices.length > 0 && dice.some(({ group }) => group === "thrown");
}

function lead(command) {
  $("menu").close();
  send({ do: command });
}

function showTurn(view) {
  const mine = view.players.find((player) => player.name === view.seats?.mine);
  document.body.dataset.phase = view.phase;
  document.body.dataset.game = view.game ?? "";
  setText($("headline"), view.headline);
  setText($("hint"), view.notice?.text ?? view.hint);
  $("hint").dataset.kind = view.notice?.kind ?? "";
  setText($("hint-fix"), view.notice?.mend ?? "");
  setText($("outcome"), view.phase === "game over" ? view.outcome?.text ?? "" : "");
  showButtons(view, mine);
  notify(view, mine);
}

function showButtons(view, mine) {
  const { phase, buttons, seats } = view;
  const leads = seats?.leads ?? false;
  const isOwn = mine !== undefined && !LEADS.includes(phase);
  for (const key of ["confirm", "back"]) {
    show($(`do-${key}`), isOwn && buttons[key] !== null);
    setText($(`do-${key}`), buttons[key] ?? "");
  }
  // Choices are tapped; before a throw the arrows change the number of dice.
  for (const key of ["left", "right"]) {
    show($(`do-${key}`), isOwn && phase === "awaiting roll" && buttons[key] !== null);
    $(`do-${key}`).ariaLabel = buttons[key] ?? "";
  }
  if ($("do-throw")) show($("do-throw"), isOwn && (isToThrow(mine, phase) || marksThrow(view)));
  show($("pause"), leads && !NO_PAUSE.includes(phase));
  show($("resume"), leads && phase === "paused");
  show($("count"), leads && view.may_count);
  show($("leave"), leads && phase !== "lobby");
}

function isToThrow(mine, phase) {
  return phase === "in hand" || (mine?.state === "rolls" && THROWS.includes(phase));
}

/** A question stays the same while the player moves about in it, so it is announced once. */
function notify({ phase, question, choices }, mine) {
  const isAsked = (mine?.state === "chooses" && choices.length > 0) || (mine?.state === "rolls" && THROWS.includes(phase));
  document.body.dataset.asked = isAsked;
  const now = isAsked ? `${question} ${mine.state}` : "";
  if (now && now !== asked) navigator.vibrate?.(VIBRATION_MS);
  asked = now;
}
