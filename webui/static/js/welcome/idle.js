// SPDX-License-Identifier: MIT
// The box's own screen while the table is not in use: a demonstration game, the time, and how to begin.
// The table says when; any press ends it at once and does nothing else. It costs one small change of
// the page every few seconds. It moves about a little, so that nothing burns into the screen.

import { $, el, fill, setText, show } from "../dom.js";
import { nameDie, showFace } from "../faces.js";
import { makeFrames } from "../history/frames.js";
import { mountLoaded, readJson, wait } from "../loaded.js";
import { gettext } from "../messages.js";
import { send } from "../send.js";
import { makeCard, showPaper, showTotals } from "../sheets/card.js";

const THROW_MS = 3000, CHOICE_MS = 4500, END_MS = 15_000, AGAIN_MS = 60_000, MINUTE_MS = 60_000;
/** A page in use says so at most this often. */
const TOUCH_MS = 20_000;
/** What follows a press within this time belongs to it. */
const SAME_PRESS_MS = 700;
const PRESSES = ["pointerdown", "keydown", "wheel"];
const REST_OF_A_PRESS = ["pointerup", "mousedown", "mouseup", "touchend", "click", "keyup"];
/** Where the picture stands, in small steps around its middle. */
const SHIFTS = [[0, 0], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
/** Without motion this one step stands still: some throws into the game. */
const STILL_STEP = 6;

let timer = 0, clock = 0, number = Math.floor(Math.random() * 1000), minutes = 0;
let night = null;
const demonstration = mountLoaded({ load, show: start, clear });

export function mountIdle(store) {
  if (!$("idle")) return;
  let touchedAt = -Infinity;
  store.watch(["idle"], ({ idle }) => (idle ? begin() : end()));
  store.watch(["notice"], ({ notice }) => {
    setText($("idle-notice"), notice ? `${notice.text} ${notice.mend}` : "");
    show($("idle-notice"), notice !== null);
  });
  $("idle").addEventListener("cancel", (event) => event.preventDefault());
  for (const press of PRESSES) addEventListener(press, onPress, { capture: true, passive: false });
  // A page that was just opened from another one is in use.
  if (document.referrer.startsWith(location.origin)) touch();

  function onPress(event) {
    if ($("idle").open) {
      swallow(event);
      swallowRest();
      end();
      touch();
    } else if (store.view?.phase === "lobby" && performance.now() - touchedAt > TOUCH_MS) touch();
  }

  function touch() {
    touchedAt = performance.now();
    send({ do: "wake", about: "lobby" });
  }
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** The release of the press that woke the screen must not reach what lies under it. */
function swallowRest() {
  for (const rest of REST_OF_A_PRESS) addEventListener(rest, swallow, { capture: true });
  setTimeout(() => {
    for (const rest of REST_OF_A_PRESS) removeEventListener(rest, swallow, { capture: true });
  }, SAME_PRESS_MS);
}

function begin() {
  if ($("idle").open) return;
  document.body.dataset.idle = "";
  minutes = 0;
  $("idle").showModal();
  tick();
  demonstration.want(number++);
}

function end() {
  clearTimeout(clock);
  delete document.body.dataset.idle;
  $("idle").close();
  demonstration.want(null);
}

function clear() {
  clearTimeout(timer);
  for (const part of ["title", "whose", "dice", "text", "sheets"]) $(`idle-${part}`).replaceChildren();
}

/** Once a minute: the time, the light of the hour, and a small step aside. */
function tick() {
  const now = new Date();
  setText($("idle-clock"), now.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }));
  const [x, y] = SHIFTS[minutes++ % SHIFTS.length];
  for (const [name, value] of [["--x", x], ["--y", y], ["--light", isNight(now) ? night.percent / 100 : 1]]) {
    $("idle").style.setProperty(name, value);
  }
  $("idle").classList.toggle("night", isNight(now));
  clock = setTimeout(tick, MINUTE_MS - (now.getTime() % MINUTE_MS));
}

function isNight(now) {
  if (night === null) return false;
  const length = (night.to_hour - night.from_hour + 24) % 24;
  return (now.getHours() - night.from_hour + 24) % 24 < length;
}

/** If the table does not answer, or is being restarted, only the time is shown meanwhile. */
async function load(of, isWanted) {
  while (isWanted()) {
    const demonstration = await readJson(`/welcome/demonstration/${of}.json`);
    if (demonstration) return demonstration;
    await wait(AGAIN_MS);
  }
  return null;
}

function start({ replay, night: hours }) {
  night = hours;
  clearTimeout(clock);
  tick();
  play(replay);
}

function play(replay) {
  const frames = makeFrames(replay, {});
  setText($("idle-title"), gettext("Demonstration: {game}", { game: replay.title }));
  $("idle").dataset.game = replay.game;
  if (isStill()) {
    const frame = frames[Math.min(STILL_STEP, frames.length - 1)];
    showThrow(frame);
    showChoices(frame);
  } else throwDice(frames, 1);
}

function isStill() {
  return document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** First the dice, a moment later what was made of them. */
function throwDice(frames, at) {
  // The first step has everybody's sheet.
  if (at === 1) showSheets(frames[0]);
  showThrow(frames[at]);
  timer = setTimeout(chooseFrom, THROW_MS, frames, at);
}

function chooseFrom(frames, at) {
  showChoices(frames[at]);
  if (at + 1 < frames.length) timer = setTimeout(throwDice, CHOICE_MS, frames, at + 1);
  else timer = setTimeout(() => demonstration.want(number++), END_MS);
}

function showThrow({ step }) {
  setText($("idle-whose"), gettext("{player} throws", { player: step.by }));
  $("idle-dice").setAttribute("aria-label", step.faces.map(nameDie).join(" "));
  fill($("idle-dice"), step.faces, () => el("i"), showFace);
  fill($("idle-text"), [], () => el("li"), setText);
}

function showChoices(frame) {
  const lines = frame.step.events.map(({ by, text }) => gettext("{player}: {choice}", { player: by, choice: text }));
  fill($("idle-text"), frame.outcome ? [...lines, frame.outcome.text] : lines, () => el("li"), setText);
  showSheets(frame);
}

function showSheets(frame) {
  const view = { ...frame, players: frame.players.map((player) => ({ ...player, state: "idle" })) };
  fill($("idle-sheets"), view.players, makeCard, (card, player, index) => {
    card.dataset.seat = index;
    card.classList.toggle("winner", player.winner);
    showTotals(card, player);
    showPaper(card, player, view);
  });
}
