// SPDX-License-Identifier: MIT
// Hints on request, in a game for training: the choices by their value, with what each costs and does.
// A tap on one moves the cursor there and decides nothing.

import { $, closeDialog, el, fill, setText, show } from "../dom.js";
import { mountLoaded } from "../loaded.js";
import { gettext } from "../messages.js";
import { send } from "../send.js";
import { toast } from "../toast.js";
import { isTyping } from "../typing.js";

const OPEN_KEY = "c";
const CLOSE_KEYS = [OPEN_KEY, "Backspace"];
/** With jokers there are dozens of choices, and nearly all of them are poor. */
const FEW = 6;
const ADDRESS = document.body.classList.contains("phone") ? "/hints.json?seat" : "/hints.json";

export function mountCoach(store) {
  store.watch(["training"], ({ training }) => show($("training"), training));
  store.watch(["hints"], ({ hints }) => show($("coach-open"), hints));
  const hints = mountLoaded({ load, show: open, clear: () => closeDialog($("coach")) });
  // What was said of other dice, or of another player's choices, is no hint any more.
  store.watch(["question", "hints", "choices", "dice"], (view) => {
    if (hints.key !== nameChoices(view)) hints.want(null);
  });
  const ask = () => {
    if ($("coach").open) return;
    hints.want(null);
    hints.want(nameChoices(store.view));
  };
  $("coach-open").addEventListener("click", ask);
  $("coach-close").addEventListener("click", () => closeDialog($("coach")));
  $("coach").addEventListener("keydown", onKeyInside);
  // Escape gives the focus back to the button, where the next Enter would ask again instead of confirming.
  $("coach").addEventListener("close", () => document.activeElement?.blur());
  document.addEventListener("keydown", (event) => {
    if (!isTyping(event) && !event.repeat && event.key === OPEN_KEY && store.view?.hints) ask();
  });

  async function load(key, isWanted) {
    const answer = await fetch(ADDRESS).catch(() => null);
    const body = await answer?.json().catch(() => null);
    if (!answer?.ok && isWanted()) toast(body?.error ?? gettext("No hint could be loaded. Try again."));
    return answer?.ok && body.question === store.view.question ? body : null;
  }
}

/** The choices that are shown: the same question may be asked of corrected dice, or show another player's choices. */
function nameChoices({ question, hints, choices, dice }) {
  return JSON.stringify([question, hints, choices.map(({ action }) => action), dice.map(({ face }) => face)]);
}

function open({ player, note, hints }) {
  setText($("coach-title"), gettext("Hints for {player}", { player }));
  setText($("coach-note"), note);
  setText($("coach-more"), gettext("All {count} choices", { count: hints.length }));
  const showFirst = (count) => {
    fill($("coach-list"), hints.slice(0, count), makeHint, showHint);
    show($("coach-more"), count < hints.length);
  };
  $("coach-more").onclick = () => {
    showFirst(hints.length);
    $("coach-list").children[FEW].firstElementChild.focus();
  };
  showFirst(hints.length > FEW + 1 ? FEW : hints.length);
  $("coach").showModal();
  $("coach-choices").scrollTop = 0;
}

function makeHint() {
  const button = el("button", { type: "button" }, el("b"), el("small"), el("span"));
  button.addEventListener("click", () => {
    closeDialog($("coach"));
    send({ do: "choose", index: Number(button.dataset.index) });
  });
  return el("li", {}, button);
}

function showHint(item, hint) {
  const button = item.firstElementChild;
  button.dataset.index = hint.index;
  button.classList.toggle("equal", hint.equal);
  [hint.text, hint.cost, hint.why].forEach((text, index) => setText(button.children[index], text));
}

/** The panel's keys stay in the dialog; the game below does not get them. */
function onKeyInside(event) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (event.key === "Enter" && event.target.closest("button")) return;
  if (step) moveFocus(step);
  else if (CLOSE_KEYS.includes(event.key)) closeDialog($("coach"));
  else if (event.key !== "Enter") return;
  event.preventDefault();
  event.stopPropagation();
}

function moveFocus(step) {
  const buttons = [...$("coach-choices").querySelectorAll("button:not([hidden])")];
  const at = buttons.indexOf(document.activeElement);
  buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
}
