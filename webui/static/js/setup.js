// SPDX-License-Identifier: MIT
// The first evening: six steps from the camera to the first game. Which are done follows from the table. The steps of the
// calibration and of the lobby are theirs, with their commands; this page shows one at a time.

import { mountCorners } from "./calibrate/corners.js";
import { mountDome } from "./calibrate/dome.js";
import { mountMarks } from "./calibrate/marks.js";
import { mountOwnDice } from "./calibrate/own_dice.js";
import { mountRequests, runAction } from "./calibrate/requests.js";
import { mountSteps } from "./calibrate/steps.js";
import { $, el, fill, setText, show } from "./dom.js";
import { sendHeartbeats } from "./heartbeat.js";
import { mountLanguages } from "./language.js";
import { mountLoaded, readJson } from "./loaded.js";
import { gettext } from "./messages.js";
import { mountPicture } from "./picture.js";
import { post } from "./post.js";
import { mountSend, send } from "./send.js";
import { Store } from "./store.js";
import { follow } from "./stream.js";
import { toast } from "./toast.js";

const ASK_AGAIN_MS = 1000;
const SETTLE_MS = 500;
/** So long another camera may take to open before its silence is a fault. */
const OPENING_MS = 4000;
/** A die that lies this far from all places of before was thrown, in widths of the picture. */
const MOVED = 0.01;
const THROWS = 5;
/** The number of fields before anybody is named. */
const FIELDS = 2;
const STEPS = ["camera", "picture", "tray", "dice", "names", "play"];
/** Parts of the calibration that a step shows. */
const PARTS = { picture: ["focus", "light"], tray: ["tray", "dome", "dice"], dice: ["own"] };
/** Faults of a camera whose picture is not what it sees now; the next steps may end any other one. */
const BLIND = ["gone", "frozen"];
const LABELS = {
  camera: gettext("That is my tray"), picture: gettext("Go on"), dice: gettext("Go on"), names: gettext("Go on"),
  play: gettext("Start the game"),
};
/** Whether the main button can be pressed. */
const CAN_GO_ON = {
  camera: () => $("tray-none").hidden && !BLIND.includes(table.view?.fault?.kind),
  picture: ({ look }) => look?.exposure.state !== "running",
  dice: ({ own }) => !findDiceButton(own)?.disabled,
  names: () => [...$("setup-seats").querySelectorAll("input")].some(({ value }) => value.trim()),
  play: ({ lobby }) => lobby?.problem === "",
};

/** The table, and what its camera sees. */
const table = new Store();
const camera = new Store();
let state = null;
let step = null;
/** What the main button does, and whether it only just began to. */
let mainMeaning = "";
let isSettling = false;
let settling = 0;
/** Where dice lay at the last rest. */
let lying = [];
/** Whether what lies there was thrown and not read yet. */
let isUnread = false;
/** The seat whose field gets the focus once it is there; -1 for none. */
let nextSeat = -1;
/** When another camera was chosen. */
let chosenAt = -Infinity;

const status = mountLoaded({
  load: () => readJson("/setup/status"),
  show: (value) => {
    state = value;
    step ??= findStep();
    draw();
  },
});

function findStep() {
  const named = location.hash.slice(1);
  return STEPS.includes(named) ? named : STEPS.find((one) => !state.done.includes(one));
}

function goTo(wanted) {
  step = wanted;
  if (step === "names" && !state.done.includes("names")) nextSeat = 0;
  history.replaceState(null, "", `#${step}`);
  status.again();
  draw();
}

function follows(by) {
  return STEPS[STEPS.indexOf(step) + by];
}

function facts() {
  const lobby = table.view?.lobby ?? null;
  const seats = lobby?.lines.filter(({ kind }) => kind === "seat") ?? [];
  const fault = table.view?.phase === "fault" ? table.view.notice : null;
  return { look: camera.view?.look, own: camera.view?.own, lobby, seats, fault };
}

function draw() {
  if (state === null) return;
  const now = facts();
  document.body.dataset.step = step;
  for (const node of document.querySelectorAll("[data-of]")) show(node, node.dataset.of === step);
  for (const node of document.querySelectorAll("[data-part]")) node.toggleAttribute("data-now", node.dataset.part === step);
  for (const node of $("steps").children) node.toggleAttribute("data-elsewhere", !(PARTS[step] ?? []).includes(node.id.slice("step-".length)));
  for (const button of document.querySelectorAll("[data-station]")) {
    button.toggleAttribute("data-done", state.done.includes(button.dataset.station));
    if (button.dataset.station === step) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  const isTray = step === "tray";
  show($("save"), isTray);
  show($("next"), !isTray);
  const dice = step === "dice" ? findDiceButton(now.own) : null;
  const isThrown = waitsForThrow(now);
  for (const node of $("own-buttons").children) node.toggleAttribute("data-elsewhere", isUnneeded(node, dice, now.own));
  $("fix-light").toggleAttribute("data-elsewhere", needsLight(now));
  const label = isThrown ? describeThrow(now.own) : dice?.textContent ?? (needsLight(now) ? gettext("Fix the light") : LABELS[step] ?? "");
  settle(`${step} ${label}`);
  setText($("next"), label);
  $("next").disabled = isSettling || isThrown || (!isTray && !CAN_GO_ON[step](now));
  show($("back"), step !== STEPS[0]);
  show($("skip"), step !== STEPS.at(-1));
  showCameras(now);
  showSeats(now);
  const { notice = null } = table.view ?? {};
  setText($("setup-refused"), notice?.kind === "refused" ? notice.text : "");
  showGames(now);
}

/** The main button does something else now: no press that was meant for what it did before may reach it. */
function settle(meaning) {
  if (meaning === mainMeaning) return;
  mainMeaning = meaning;
  isSettling = true;
  clearTimeout(settling);
  settling = setTimeout(() => {
    isSettling = false;
    draw();
  }, SETTLE_MS);
}

function needsLight({ look }) {
  return step === "picture" && look?.exposure.state === "open";
}

/** The button of the step of the dice that is pressed next; null once they are learnt. */
function findDiceButton(own) {
  if (!own || own.faces.length > 0) return $("own-confirm");
  if (own.is_enough) return own.throws > 0 ? $("own-keep") : null;
  return $("own-throw");
}

/** A further throw is read by itself. */
function waitsForThrow({ own }) {
  return step === "dice" && own?.throws > 0 && own.faces.length === 0 && !own.is_enough;
}

function describeThrow({ throws, kept }) {
  return gettext("Throw again: {number} of {count}", { number: throws + kept + 1, count: THROWS });
}

/** Whether a button of the own dice is the main one, or only leads away from the five throws. */
function isUnneeded(button, main, own) {
  if (own && waitsForThrow({ own })) return button !== $("own-throw");
  return button === main || (button === $("own-forget") && !own?.kept);
}

function showCameras({ fault }) {
  const { cameras, camera: name } = state;
  const known = cameras.length > 0 ? "" : gettext("Camera: {name}", { name });
  const label = cameras.find((one) => one.is_used)?.label ?? name;
  for (const node of document.querySelectorAll(".camera-name")) setText(node, gettext("Camera: {name}", { name: label }));
  const isOpening = table.view?.fault?.kind === "gone" && performance.now() - chosenAt < OPENING_MS;
  const isOther = cameras.length > 1 ? gettext("If not, choose another camera.") : known;
  setText($("used-camera"), isOpening ? gettext("The camera is being opened …") : describeFault(fault) || isOther);
  show($("cameras"), step === "camera" && cameras.length > 0);
  fill($("cameras"), cameras, makeCamera, ({ firstElementChild: button }, one) => {
    button.dataset.name = one.name;
    setText(button.firstElementChild, one.label);
    setText(button.lastElementChild, one.problem);
    button.setAttribute("aria-pressed", one.is_used);
  });
}

function describeFault(fault) {
  return fault ? `${fault.text} ${fault.mend}` : "";
}

function makeCamera() {
  const button = el("button", { type: "button" }, el("span"), el("small"));
  button.addEventListener("click", () => chooseCamera(button.dataset.name));
  return el("li", {}, button);
}

async function chooseCamera(name) {
  if (state.cameras.some((one) => one.name === name && !one.is_used)) chosenAt = performance.now();
  const { error = null } = await post("/setup", { do: "camera", name }, toast);
  await status.again();
  return error;
}

function showSeats({ seats, lobby, fault }) {
  if (lobby === null) {
    const playing = table.view?.game ? gettext("A game is being played. Continue it at the table.") : "";
    setText($("setup-problem"), describeFault(fault) || playing);
    // What was typed is still there when the lobby comes back.
    if (fault || table.view === null) return;
  }
  const isSomebodyNamed = seats.some(({ value }) => value);
  fill($("setup-seats"), addSeats(seats), makeSeat, (item, { seat, label, value }) => {
    const [number, field, free] = item.children;
    field.dataset.seat = seat;
    field.placeholder = isSomebodyNamed ? "" : gettext("such as {name}", { name: lobby?.known_players[seat] ?? "" });
    setText(free, gettext("Remove"));
    show(free, value !== "");
    field.setAttribute("aria-label", label);
    setText(number, `${seat + 1}`);
    if (document.activeElement === field) return;
    field.value = value;
    // The table has no gaps: the second player is named after the first.
    field.disabled = seat > 0 && $("setup-seats").children[seat - 1].children[1].value.trim() === "";
  });
  if (step === "names" && $("setup-seats").children[nextSeat]) {
    $("setup-seats").children[nextSeat].children[1].focus();
    nextSeat = -1;
  }
}

/** The seats, with fields for people whom the table gets a seat for only once somebody sits before them. */
function addSeats(seats) {
  const more = Array.from({ length: FIELDS }, (_, seat) => ({ seat, label: gettext("Player {number}", { number: seat + 1 }), value: "" }));
  return [...seats, ...more.slice(seats.length)];
}

/** Who is new here takes no seat that somebody took meanwhile at another screen. */
function enterName(field, name, isNew = false) {
  const { seats } = facts(), seat = Number(field.dataset.seat);
  const isTaken = isNew && Boolean(seats[seat]?.value);
  send({ do: "seat", seat: isTaken ? seats.filter(({ value }) => value).length : seat, name });
}

function makeSeat() {
  const field = el("input", { type: "text", maxlength: 160, autocomplete: "off", enterkeyhint: "next" });
  field.addEventListener("input", draw);
  let isNew = false;
  field.addEventListener("focus", () => {
    isNew = field.value === "";
    field.select();
  });
  field.addEventListener("keydown", ({ key }) => {
    if (key !== "Enter") return;
    const seat = Number(field.dataset.seat) + 1, next = $("setup-seats").children[seat];
    nextSeat = next ? -1 : seat;
    // At once, or the next name would lose its first letters.
    if (next) next.children[1].focus();
    else field.blur();
  });
  field.addEventListener("change", () => enterName(field, field.value.trim(), isNew));
  return el("li", {}, el("span", { "aria-hidden": "true" }), field, el("button", { type: "button", onclick: () => enterName(field, "") }));
}

function showGames({ lobby }) {
  if (lobby === null) return;
  const line = lobby.lines.find(({ kind }) => kind === "game");
  fill($("setup-games"), lobby.games, makeGame, (button, key, index) => {
    button.dataset.game = key;
    setText(button, line.values[index]);
    button.setAttribute("aria-pressed", index === line.index);
  });
  setText($("setup-aim"), table.view.help.parts[0].lines.join(" "));
  setText($("setup-problem"), lobby.problem);
}

function makeGame() {
  const button = el("button", { type: "button" });
  button.addEventListener("click", () => send({ do: "pick", game: button.dataset.game }));
  return button;
}

async function goOn() {
  const used = state.cameras.find((one) => one.is_used);
  if (step === "camera" && used && (await chooseCamera(used.name)) !== null) return;
  const dice = step === "dice" ? findDiceButton(facts().own) : null;
  if (dice) dice.click();
  else if (needsLight(facts())) await runAction({ do: "fix_light" });
  else if (step === "play") await play();
  else goTo(follows(1));
}

/** The table's own page shows the game, or asks what becomes of one that waits. */
async function play() {
  if ((await send({ do: "begin" })) === null) location.assign("/");
}

/** A single die that moved may be one that was in doubt before. */
function noteRest({ dice, doubts }) {
  // A count's place is that of a die that was read.
  const unread = doubts.filter(({ kind }) => kind !== "count");
  const places = [...dice, ...unread].map(({ center_px: place }) => place).filter((place) => place);
  if (places.length === 0) return;
  const moved = places.filter(([x, y]) => lying.every(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY) > MOVED * $("tray-picture").width));
  lying = places;
  if (2 * moved.length > places.length) isUnread = true;
  readThrow();
}

/** Read a further throw as soon as it lies and nothing waits: only the first one needs a press. */
function readThrow() {
  const { own } = facts();
  if (own?.faces.length > 0) isUnread = false;
  if (!isUnread || step !== "dice" || !(own?.throws > 0) || own.is_enough || $("own-throw").disabled) return;
  isUnread = false;
  $("own-throw").click();
}

/** A step whose result has just been stored is over. */
function watchResults() {
  let before = null;
  camera.watch(["look", "own"], ({ look, own }) => {
    const now = { tray: look?.saved_at, dice: own?.kept };
    if (before?.[step] !== undefined && now[step] && now[step] !== before[step]) goTo(follows(1));
    before = now;
    draw();
    readThrow();
  });
}

mountPicture(camera);
mountMarks(camera);
mountCorners(camera, () => step === "tray");
for (const mount of [mountDome, mountSteps, mountOwnDice, mountRequests, mountLanguages]) mount(camera);
watchResults();
mountSend(table);
table.watch(["dice", "doubts"], noteRest);
table.watch(["lobby", "phase", "notice", "help"], draw);
follow(table);
sendHeartbeats();
runAction({ do: "begin" });

$("next").addEventListener("click", goOn);
$("back").addEventListener("click", () => goTo(follows(-1)));
$("skip").addEventListener("click", () => goTo(follows(1)));
$("stations").addEventListener("click", ({ target }) => {
  const { station } = target.dataset;
  if (station) goTo(station);
});

async function ask() {
  if (!document.hidden) await status.again();
  setTimeout(ask, ASK_AGAIN_MS);
}
ask();
