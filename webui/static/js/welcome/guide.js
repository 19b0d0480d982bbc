// SPDX-License-Identifier: MIT
// The guide to the first roll: a card beside the live picture of the tray. A step is over when the
// table has seen it happen; the throw is a real one, of Just dice.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext, ngettext } from "../messages.js";
import { showLayout } from "../panels.js";
import { post } from "../post.js";
import { send } from "../send.js";
import { toast } from "../toast.js";

const GAME = "dice", MOST_DICE = 20;
/** A doubt, a fault or a review has the screen for itself. */
const LAYOUTS = ["lobby", "play"];
const THROWN = ["rolling", "settling", "straighten", "reading", "choosing"];
const READ = ["reading", "choosing"];

const TITLES = {
  camera: gettext("Camera and light"), dice: gettext("Dice in the tray"), hand: gettext("Dice in the hand"),
  throw: gettext("Throw"), read: gettext("Reading"), confirm: gettext("Confirm"), done: gettext("Done"),
};
const STEPS = Object.keys(TITLES);

/** Whether a step is over, by the view of the table and what the guide knows. */
const IS_OVER = {
  camera: ({ phase }, guide) => phase === "lobby" && $("tray-none").hidden && guide.warnings.length === 0,
  dice: ({ dice }) => dice.length > 0,
  hand: ({ game }) => game === GAME,
  throw: ({ phase }) => THROWN.includes(phase),
  read: ({ phase }) => READ.includes(phase),
  confirm: ({ phase, game }, guide) => game === GAME && !READ.includes(phase) || (guide.readIn === "reading" && phase === "choosing"),
  done: () => false,
};

const TEXTS = {
  camera: () => gettext("Wait for the picture of the tray. If it is dark, switch on the light."),
  dice: () => gettext("Lay your dice into the tray. Then take your hand away."),
  hand: ({ count }) => ngettext("One die is read. Take it into your hand.", "{count} dice are read. Take all of them into your hand.", count, { count }),
  throw: () => gettext("Throw them into the tray, as you always do."),
  read: () => gettext("Hands off: the table reads when nothing moves."),
  confirm: ({ readIn }) => (readIn === "choosing"
    ? gettext("This roll was certain, so it counts at once. Press confirm for the next throw.")
    : gettext("Does the screen show what lies there? Press confirm, and it counts.")),
  done: () => gettext("That was your first roll: read, counted and kept. Now choose a game."),
};
const WARNINGS = {
  parked: gettext("A game waits to be continued. The guide would end it."),
  uncalibrated: gettext("The tray is not calibrated yet. Calibration makes the reading more certain."),
};

export function mountGuide(store) {
  if (!$("guide")) return;
  const { dataset } = $("guide");
  const guide = { step: "", count: 0, readIn: "", before: null, warnings: [], hasBegun: false, hasEnded: false, isOffered: "offered" in dataset };
  const update = () => {
    if (store.view === null) return;
    if (guide.step) follow(guide, store.view);
    draw(guide, store.view);
  };
  const start = () => {
    const { lobby } = store.view;
    if (!lobby) return;
    const warnings = [...(lobby.parked ? ["parked"] : []), ...("calibrated" in dataset ? [] : ["uncalibrated"])];
    Object.assign(guide, { step: STEPS[0], count: 0, readIn: "", before: lobby, warnings, hasBegun: false, hasEnded: false });
    $("help").close();
    update();
  };
  const decline = () => {
    guide.isOffered = false;
    post("/welcome/guide", { do: "decline" }, toast);
  };
  store.watch([], (view) => {
    guide.isOffered &&= view.last_roll === null;
    update();
    if (dataset.starts !== undefined && view.lobby) {
      delete dataset.starts;
      start();
    }
  });
  new MutationObserver(update).observe($("tray-none"), { attributes: true });
  for (const id of ["guide-start", "guide-open"]) $(id).addEventListener("click", start);
  $("guide-decline").addEventListener("click", () => {
    decline();
    update();
  });
  $("guide-skip").addEventListener("click", () => {
    if (guide.isOffered) decline();
    leave(guide, store.view);
    update();
  });
  $("guide-next").addEventListener("click", () => {
    if (guide.step === "done") leave(guide, store.view);
    else if (guide.warnings.length > 0) guide.warnings.shift();
    else begin(guide, store.view);
    update();
  });
}

/** Go on past everything that has happened; another game or a way back to the lobby ends the guide. */
function follow(guide, view) {
  const at = STEPS.indexOf(guide.step);
  const isElsewhere = view.game !== null && view.game !== GAME;
  if (isElsewhere || (view.phase === "lobby" && at > STEPS.indexOf("hand"))) {
    if (!isElsewhere) restoreLobby(guide);
    guide.step = "";
    return;
  }
  if (view.phase === "lobby") prepare(guide, view);
  if (READ.includes(view.phase)) guide.readIn ||= view.phase;
  if (!IS_OVER[guide.step](view, guide)) return;
  guide.step = STEPS[at + 1];
  follow(guide, view);
}

/** Just dice with as many dice as were read begins once they are all in the hand. */
function prepare(guide, view) {
  if (guide.step !== "hand") return;
  guide.count = Math.min(view.dice.length, MOST_DICE) || guide.count;
  const isHeld = view.dice.length === 0 && guide.count > 0 && !guide.hasBegun;
  // The guide has said already that it would end a game that waits.
  const isAsked = guide.hasBegun && !guide.hasEnded && view.lobby.ends !== "";
  guide.hasEnded ||= isAsked;
  if (isHeld || isAsked) begin(guide, view);
}

/** People alone play: Just dice has no opponents. */
function begin(guide, { question }) {
  guide.hasBegun = true;
  const people = listSeated(guide.before).filter(({ opponent }) => !opponent).map(({ value }) => value);
  const players = people.length > 0 ? people : guide.before.known_players.slice(0, 1);
  send({ do: "start", game: GAME, players, options: { [GAME]: Math.max(guide.count, 1) }, about: question });
}

function listSeated({ lines }) {
  return lines.filter(({ kind, value }) => kind === "seat" && value);
}

function leave(guide, view) {
  if (view.game === GAME) send({ do: "close" });
  restoreLobby(guide);
  guide.step = "";
}

/** Set the lobby up as it was before the guide began its game. */
function restoreLobby({ before, hasBegun }) {
  if (!hasBegun) return;
  const { lines, games, option_values: values, grades } = before;
  const game = games[lines.find(({ kind }) => kind === "game").index];
  const options = lines.filter(({ kind }) => kind === "option").map(({ key, index }) => ({ do: "option", option: key, value: values[key][index] }));
  const seats = listSeated(before).map(({ seat, value, opponent }) => (opponent
    ? { do: "opponent", seat, grade: grades.find(({ label }) => label === opponent).key }
    : { do: "seat", seat, name: value }));
  // A name that the guide lent leaves again.
  if (seats.length === 0) seats.push({ do: "seat", seat: 0, name: "" });
  for (const command of [{ do: "pick", game }, ...options, ...seats]) send({ ...command, about: "lobby" });
}

function draw(guide, view) {
  const isLobby = view.phase === "lobby", isShown = guide.step !== "" && LAYOUTS.includes(document.body.dataset.layout);
  if (document.body.hasAttribute("data-guide") && !isShown) {
    document.body.removeAttribute("data-guide");
    showLayout(view);
  }
  show($("guide"), isShown);
  show($("guide-offer"), guide.isOffered && guide.step === "" && isLobby && !view.lobby.parked);
  show($("guide-open"), isLobby);
  if (!isShown) return;
  document.body.setAttribute("data-guide", guide.step);
  for (const id of ["tray-panel", "tray"]) show($(id), true);
  for (const id of ["lobby", "players"]) show($(id), false);
  drawCard(guide);
}

function drawCard(guide) {
  const [warning] = guide.warnings, at = STEPS.indexOf(guide.step);
  setText($("guide-text"), warning ? WARNINGS[warning] : TEXTS[guide.step](guide));
  show($("guide-calibrate"), warning === "uncalibrated");
  const next = { done: gettext("To the games"), hand: gettext("I hold them") }[guide.step] ?? (warning && gettext("Go on anyway"));
  show($("guide-next"), next !== undefined);
  setText($("guide-next"), next ?? "");
  $("guide-next").classList.toggle("main", warning !== "uncalibrated");
  show($("guide-skip"), guide.step !== "done");
  fill($("guide-steps"), STEPS.slice(0, -1), () => el("li"), (item, name, index) => {
    setText(item, TITLES[name]);
    item.dataset.state = index < at ? "over" : index === at ? "now" : "next";
    item.toggleAttribute("aria-current", index === at);
  });
}
