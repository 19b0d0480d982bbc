// SPDX-License-Identifier: MIT
// One player's choice from the open roll, on the phone alone until it is confirmed. It makes the view
// that the dice, tickets and sheets of a table's page show, and takes their taps.

import { $, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { takeCommands } from "../send.js";
import { toast } from "../toast.js";
import { onDelivery, readKept, sendChoice } from "./delivery.js";
import { findGroups, groupTapped, writeChoice } from "./grouping.js";
import { addPending } from "./pending.js";
import { findPhase, nameQuestion } from "./phase.js";
import { addSeat } from "./seat.js";

const TERMINATOR = "terminator";
const CORRECTOR = "corrector";
/** What the stream says is in no language. */
const JOKERS = { terminator: gettext("Terminator"), corrector: gettext("Corrector"), "3:1": gettext("3:1") };
const FREE = [null, null, null, null];
/** A timer may be early by a little. */
const LATER_MS = 20;
const VIBRATION_MS = [120, 80, 120];

/** What is tapped: dice in two pairs, a joker, the die that it turns, and the action that follows. */
const fresh = () => ({ places: FREE, joker: "", die: null, turned: "", offers: null, action: "" });

let tapped = fresh();
let question = "";
/** What the server has, before the stream shows it. */
let arrived = null;

/** The server's time, by which the clock ends. */
let now = Date.now;

export function mountTurn(event, turn, serverNow) {
  now = serverNow;
  let clockEnd = null;
  const refresh = () => {
    if (event.view?.own?.player) showTurn(event.view, turn);
  };
  event.watch(["own", "shared"], (view) => {
    if (!view.own?.player) return;
    const asked = nameQuestion(view);
    if (asked !== question) {
      if (findPhase(view) === "choose") navigator.vibrate?.(VIBRATION_MS);
      [question, tapped, arrived] = [asked, fresh(), null];
    }
    clearTimeout(clockEnd);
    if (findPhase(view) === "choose") clockEnd = setTimeout(refresh, Math.max(0, view.own.roll.until_ms - now()) + LATER_MS);
    showTurn(view, turn);
  });
  onDelivery((kept) => {
    arrived = kept ?? (readKept() ? arrived : null);
    refresh();
  });
  takeCommands((command) => {
    if (event.view && isChoosing(event.view)) take(command, event.view, refresh);
    refresh();
  });
  $("do-confirm").addEventListener("click", () => confirm(event.view));
  $("do-back").addEventListener("click", () => {
    tapped = fresh();
    refresh();
  });
}

function isChoosing(view) {
  return findPhase(view) === "choose" && !readKept() && !arrived && !isTooLate(view);
}

/** The clock closed the roll, whether the server has said so yet or not. */
function isTooLate({ own }) {
  return own.roll !== null && now() >= own.roll.until_ms;
}

function take(command, view, refresh) {
  const offers = listOffers(view.own.roll);
  if (command.do === "choose") {
    const action = shownChoices(view.own.roll)[command.index]?.action ?? "";
    if (action.startsWith(CORRECTOR)) turnDie(action, refresh);
    else tapped = { ...tapped, places: FREE, action };
  } else if (command.do === "joker") tapped = command.joker === tapped.joker ? fresh() : pickJoker(command.joker, view.own.roll);
  else if (tapped.joker === CORRECTOR && !tapped.turned) tapped = { ...tapped, die: tapped.die === command.die ? null : command.die };
  else if (tapped.joker !== TERMINATOR && tapped.joker !== "3:1") tapDie(command.die, facesOf(view.own.roll), offers);
}

function pickJoker(joker, { actions }) {
  if (joker === TERMINATOR && !actions.includes(TERMINATOR)) {
    toast(gettext("The reserve roll of this roll is there already."));
    return fresh();
  }
  return { ...fresh(), joker, action: joker === TERMINATOR ? TERMINATOR : "" };
}

function tapDie(die, faces, offers) {
  const places = [...tapped.places];
  if (places.includes(die)) places[places.indexOf(die)] = null;
  else if (places.includes(null)) places[places.indexOf(null)] = die;
  const written = places.includes(null) ? "" : writeChoice(faces, places);
  const isLegal = offers.some((offer) => offer.action === written);
  if (written && !isLegal) toast(gettext("The fifth die must have one of the three faces on your sheet."));
  tapped = { ...tapped, places, action: isLegal ? written : "" };
}

/** The corrected die is on the phone alone; the server knows what may be chosen with it. */
async function turnDie(action, refresh) {
  // Any other tap and any other question make the answer void.
  const asked = { ...tapped };
  tapped = asked;
  try {
    const answer = await fetch(addSeat("/event/offers", { after: action }), { cache: "no-store" });
    const { offers, error } = await answer.json();
    if (tapped !== asked) return;
    if (error) toast(error);
    else tapped = { ...tapped, turned: action, offers, action: "" };
  } catch {
    toast(gettext("No reply. Check the connection, then try again."));
  }
  refresh();
}

function confirm(view) {
  if (!view || !isChoosing(view) || !tapped.action) return;
  const { own } = view;
  const doing = tapped.turned ? [tapped.turned, tapped.action] : [tapped.action];
  sendChoice(question, { game: own.game, roll: own.roll.number, do: doing, faces: own.roll.reserve ?? own.roll.faces });
  navigator.vibrate?.(40);
}

function showTurn(view, turn) {
  const phase = findPhase(view);
  const { own } = view;
  const kept = readKept()?.question === question ? readKept() : arrived;
  const done = own.roll?.chosen ?? kept?.body.do ?? null;
  const actions = done ?? [tapped.turned, tapped.action].filter(Boolean);
  const isAsked = phase === "choose" && !kept && !isTooLate(view);
  document.body.dataset.sending = Boolean(kept) && !arrived && !own.roll?.chosen;
  turn.apply({
    phase,
    game: "choice",
    dice: own.roll && !["watch", "finished", "away"].includes(phase) ? listDice(own.roll, actions, done) : [],
    dice_wanted: 5,
    by_hand: false,
    corrected: false,
    joker: isAsked && !tapped.turned ? tapped.joker : "",
    choices: isAsked ? shownChoices(own.roll) : [],
    cursor: isAsked ? shownChoices(own.roll).findIndex((choice) => choice.action === tapped.action) : -1,
    players: [describePlayer(own, actions, isAsked)],
    seats: { mine: own.name },
    board: null,
  }, true);
  showButtons(phase, isAsked, kept, own);
}

function describePlayer(own, actions, isAsked) {
  const paper = own.paper && { ...own.paper, jokers: own.paper.jokers.map((joker) => ({ ...joker, title: JOKERS[joker.name] })) };
  const sheet = paper && (actions.length ? addPending(paper, actions) : paper);
  return { name: own.name, total: own.paper?.total ?? 0, state: isAsked ? "chooses" : "waits", sheet: sheet ?? { kind: "none" } };
}

function showButtons(phase, isAsked, kept, own) {
  const isTapped = tapped.action !== "" || tapped.joker !== "" || tapped.places.some((die) => die !== null);
  show($("do-back"), isAsked && isTapped);
  show($("do-confirm"), isAsked);
  $("do-confirm").disabled = tapped.action === "";
  setText($("do-confirm"), describeConfirm());
  const choosing = own.roll?.chosen ?? kept?.body.do;
  const isMissed = phase === "choose" && !isAsked && !choosing;
  const isShown = (Boolean(choosing) || isMissed) && phase !== "reserve";
  show($("taken"), isShown);
  if (!isShown) return;
  if (isMissed) {
    setText($("taken"), gettext("Too late: the clock had run out."));
    return;
  }
  const isSafe = Boolean(own.roll?.chosen) || arrived !== null;
  $("taken").dataset.safe = isSafe;
  setText($("taken"), isSafe ? describeDone(own.roll) : gettext("Your choice is on its way …"));
}

function describeDone(roll) {
  return roll.by ? gettext("{official} entered this choice.", { official: roll.by }) : gettext("Your choice is in.");
}

function describeConfirm() {
  if (tapped.action === TERMINATOR) return gettext("Play the Terminator");
  const sums = /(\d+)\+(\d+)\//.exec(tapped.action);
  if (sums) return gettext("Take {low} + {high}", { low: sums[1], high: sums[2] });
  if (tapped.joker === CORRECTOR && !tapped.turned) return tapped.die === null ? gettext("Tap the die that you turn") : gettext("Choose its new face");
  return gettext("Choose two pairs");
}

function facesOf(roll) {
  const faces = [...(roll.reserve ?? roll.faces)].map(Number);
  const turned = /^corrector ([1-6])>([1-6])$/.exec(tapped.turned);
  if (turned) faces[findTurned(faces, Number(turned[1]))] = Number(turned[2]);
  return faces;
}

/** The tapped die, or of equal dice the last one. */
function findTurned(faces, old) {
  return tapped.die !== null && faces[tapped.die] === old ? tapped.die : faces.lastIndexOf(old);
}

function listDice(roll, actions, done) {
  const faces = facesOf(roll);
  let placed = tapped.turned ? findTurned([...(roll.reserve ?? roll.faces)].map(Number), Number(tapped.turned.at(-3))) : -1;
  const corrected = /^corrector ([1-6])>([1-6])$/.exec(done?.[0] ?? "");
  if (corrected && !tapped.turned) {
    placed = faces.lastIndexOf(Number(corrected[1]));
    faces[placed] = Number(corrected[2]);
  }
  const isPairing = !done && tapped.places.some((die) => die !== null);
  const groups = isPairing ? groupTapped(faces, tapped.places) : findGroups(faces, actions.at(-1) ?? "");
  return faces.map((face, die) => ({
    face,
    polarity: "light",
    colour: "",
    group: tapped.die === die && tapped.joker === CORRECTOR && !tapped.turned ? "turn" : groups[die],
    taken: tapped.places.includes(die) || (tapped.die === die && !tapped.turned),
    placed: die === placed,
    limit: null,
  }));
}

function listOffers(roll) {
  return tapped.offers ?? roll.offers;
}

/** The tickets: pairs, or what a tapped joker leaves. */
function shownChoices(roll) {
  const isTriple = (action) => action.startsWith("3:1");
  if (tapped.joker === TERMINATOR) return [{ action: TERMINATOR, kind: "joker", text: gettext("throw all five again"), gain: null, total: 0 }];
  if (tapped.joker === CORRECTOR && !tapped.turned) {
    return roll.actions.filter((action) => action.startsWith(CORRECTOR)).map((action) => ({ action, kind: "joker", text: action, gain: null, total: 0 }));
  }
  return listOffers(roll)
    .filter(({ action }) => isTriple(action) === (tapped.joker === "3:1"))
    .map((offer) => ({ ...offer, kind: isTriple(offer.action) ? "three" : "pairs", text: describe(offer.action) }));
}

function describe(action) {
  const [, low, high, fifth] = /(\d+)\+(\d+)\/([1-6])$/.exec(action);
  return action.startsWith("3:1")
    ? gettext("{low} with three dice, {high} with one, leave {fifth}", { low, high, fifth })
    : gettext("{low} and {high}, leave {fifth}", { low, high, fifth });
}
