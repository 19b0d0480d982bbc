// SPDX-License-Identifier: MIT
// The big screen of an event and its layer for streaming programs. They have no buttons: everything is
// drawn from the stream.

import { $, el, fill, setText, show } from "./dom.js";
import { showAnnounced } from "./event/announced_draw.js";
import { showField } from "./event/field_bars.js";
import { mountClock } from "./event/roll_clock.js";
import { showRound } from "./event/seat_pages.js";
import { showStanding } from "./event/standing_pages.js";
import { followEvent } from "./event/stream.js";
import { describeProgress, describeRoundEnd, mayJoin } from "./event/wording.js";
import { showFace } from "./faces.js";
import { awaitImage, mountLoaded } from "./loaded.js";
import { gettext, isolate, ngettext } from "./messages.js";

const { dataset } = document.body;
const PARTS = new Set(dataset.parts.split(" "));
/** The layer is 60 units wide, whatever its width in pixels. */
const LAYER_UNITS = 60;
/** A picture may arrive some seconds after its roll. */
const PICTURE_AGAIN_MS = 1500;
const PICTURE_TRIES = 8;
/** The ring of a round's clock is full while an hour is left. */
const ROUND_S = 3600;
const WITNESS_AFTER_MS = 4000;

let shared = null;
let count = { chosen: 0, awaited: 0, needs_reserve: false };

if (dataset.kind === "overlay") {
  document.documentElement.style.fontSize = `${dataset.width / LAYER_UNITS}px`;
  show($("join"), false);
}
const picture = mountLoaded({
  load: (digest, isWanted) => awaitImage($("picture"), `/pictures/${digest}?`, { tries: PICTURE_TRIES, againMs: PICTURE_AGAIN_MS, isWanted }),
  show: () => show($("picture"), true),
  clear: () => show($("picture"), false),
});
const stream = followEvent(receive, (isLost) => show($("lost"), isLost), "/event/stream?groups");
const setClock = mountClock(stream.now);

function receive(name, view) {
  if (name === "count") count = view;
  if (name === "shared") {
    // The code leads elsewhere after the first draw.
    const isOld = dataset.kind === "tv" && view.event && !view.is_final && `${mayJoin(view)}` !== dataset.joins;
    if ((view.event?.name ?? "") !== dataset.event || isOld) location.reload();
    shared = view;
  }
  if (shared?.event) draw();
}

function draw() {
  const open = shared.game?.roll ?? null;
  const roll = open ?? (shared.game?.is_open || shared.event.style === "duplicate" ? shared.game?.last : null) ?? null;
  dataset.shows = findScene(open, roll);
  setText($("progress"), describeProgress(shared));
  show($("turn"), PARTS.has("turn"));
  show($("join"), dataset.kind === "tv" && !shared.is_final);
  setText($("joined"), ngettext("{count} player is here", "{count} players are here", shared.present));
  show($("joined"), shared.present > 0);
  const dice = shared.is_final ? null : roll;
  showDice(dice);
  showPicture(open);
  showCount(open);
  showLastField(shared.is_final || (open && dataset.kind === "overlay") ? null : shared.game?.last ?? null);
  const isCheckingIn = !shared.is_final && PARTS.has("field") && shared.check_in !== null;
  showCheckIn(isCheckingIn ? shared.check_in : null);
  const announced = shared.is_final || !PARTS.has("field") ? null : shared.announced;
  showAnnounced(announced);
  showRound(shared.is_final || !PARTS.has("field") || announced || isCheckingIn ? null : shared.round);
  setText($("round-end"), describeRoundEnd(shared));
  showStanding(PARTS.has("ranking") ? shared : null);
  showWitness();
  setClock(findClock(open));
}

function showCheckIn(checkIn) {
  show($("check-in"), checkIn !== null);
  if (checkIn === null) return;
  const [title, here, missing] = $("check-in").children;
  setText(title, gettext("Check-in for round {number}", { number: checkIn.round }));
  setText(here, gettext("{here} are here, {missing} are not. Check in on your phone or with an official.", checkIn));
  const more = checkIn.missing > checkIn.names.length ? " …" : "";
  setText(missing, checkIn.names.map(isolate).join(", ") + more);
}

function findClock(open) {
  if (open) return { untilMs: open.reserve_until_ms ?? open.until_ms, lengthS: shared.event.clock_s };
  return shared.round?.until_ms && !shared.is_final ? { untilMs: shared.round.until_ms, lengthS: ROUND_S } : null;
}

/** The result is signed a second after it was written. */
function showWitness() {
  const image = $("witness").querySelector("img");
  if (dataset.kind !== "tv" || !shared.is_final || image.src) return;
  image.addEventListener("load", () => show($("witness"), true));
  setTimeout(() => (image.src = "/checkpoint.svg"), WITNESS_AFTER_MS);
}

function findScene(open, roll) {
  if (shared.is_final) return "final";
  if (shared.round || shared.announced || shared.check_in) return "draw";
  if (open) return "roll";
  return roll ? "field" : "before";
}

function showDice(roll) {
  const faces = roll ? [...roll.faces] : [];
  show($("dice"), PARTS.has("dice") && faces.length > 0);
  $("dice").setAttribute("aria-label", faces.join(", "));
  $("dice").classList.toggle("annulled", Boolean(roll?.is_annulled));
  fill($("dice"), faces, () => el("div"), (node, face) => showFace(node, { face: Number(face), polarity: "light", colour: "" }));
  const remark = describeRemark(roll);
  setText($("remark"), remark);
  show($("remark"), PARTS.has("dice") && remark !== "");
}

function describeRemark(roll) {
  if (!roll) return "";
  if (roll.is_open && count.needs_reserve) return gettext("A Terminator was played: the next throw is the reserve roll.");
  if (roll.is_annulled) return gettext("This roll does not count.");
  if (roll.reserve) return gettext("Reserve roll for the Terminator: {faces}", { faces: [...roll.reserve].join(" ") });
  if (roll.faces !== roll.opened_faces) return gettext("Corrected: it was {faces}", { faces: [...roll.opened_faces].join(" ") });
  return "";
}

function showPicture(roll) {
  picture.want((dataset.kind === "tv" && roll?.picture) || null);
}

function showCount(roll) {
  const all = count.chosen + count.awaited;
  show($("count"), roll !== null && all > 0 && PARTS.has("dice"));
  setText($("count-text"), ngettext("{count} of {all} has chosen", "{count} of {all} have chosen", count.chosen, { all }));
  $("count-bar").style.setProperty("--share", all ? count.chosen / all : 0);
}

function showLastField(roll) {
  const isShown = PARTS.has("field") && roll !== null && roll.field.length > 0;
  show($("field"), isShown);
  if (!isShown) return;
  setText($("field-title"), gettext("What the field took from roll {number}", { number: roll.number }));
  showField($("field").querySelector("ol"), roll.field);
}
