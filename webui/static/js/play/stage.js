// SPDX-License-Identifier: MIT
// The head of the page and what stands instead of dice: the hall, a break, the end of a game.

import { $, formatNumber, setText, show } from "../dom.js";
import { nameUnit } from "../event/scores.js";
import { describePlayers, describeRoundEnd, nameTable } from "../event/wording.js";
import { showImage } from "../loaded.js";
import { gettext, isolate, ngettext } from "../messages.js";
import { findPhase } from "./phase.js";
import { formatScore } from "./score.js";
import { IS_KIOSK, IS_OFFICIAL, PLAYER } from "./seat.js";

const JOINING = ["no event", "join"];

export function mountStage(event, turn) {
  event.watch([], (view) => {
    if (!view.shared || (!view.own && view.shared.event)) return;
    const phase = findPhase(view);
    const { body } = document;
    body.dataset.phase = phase;
    body.dataset.player = view.own?.player ?? "";
    body.dataset.asked = phase === "choose";
    const stage = JOINING.includes(phase) ? "join" : phase === "who" ? "who" : "seat";
    body.dataset.stage = stage;
    for (const each of ["join", "who", "seat"]) show($(`stage-${each}`), each === stage);
    const said = describePhase(phase, view);
    setText($("headline"), PLAYER && view.own?.name ? `${isolate(view.own.name)}: ${said}` : said);
    setText($("hint"), describeHint(phase, view));
    setText($("news"), describeSeat(phase, view) || describeNews(phase, view));
    show($("news"), $("news").textContent !== "");
    showPlace(view);
    showPicture(view);
    if (turn.view) turn.apply({ phase }, false);
  });
  $("picture-open").addEventListener("click", () => $("picture-large").showModal());
  $("picture-large").addEventListener("click", () => $("picture-large").close());
}

function describePhase(phase, { shared, own }) {
  const { event, game } = shared;
  const number = own?.roll?.number ?? game?.last?.number;
  const values = { game: own?.game, roll: number };
  return {
    "no event": gettext("No event yet"),
    join: event?.name,
    who: describeWho(game?.roll),
    hall: event?.name,
    withdrawn: gettext("You are out of this event"),
    away: gettext("You take a break"),
    choose: own?.roll?.reserve ? gettext("Your reserve roll") : gettext("Roll {roll}: your choice", values),
    chosen: gettext("Roll {roll}: chosen", values),
    reserve: gettext("Terminator played"),
    watch: gettext("Roll {roll} without you", values),
    finished: gettext("Your sheet is finished"),
    between: number ? gettext("Roll {roll} is over", values) : gettext("Game {game} begins", values),
    "game over": gettext("Game {game} is over", values),
    final: gettext("The event is over"),
  }[phase];
}

function describeWho(roll) {
  if (IS_OFFICIAL) return gettext("For whom do you choose?");
  return roll ? gettext("Roll {roll}: who are you?", { roll: roll.number }) : gettext("Who are you?");
}

function describeHint(phase, { shared, own, count }) {
  const { event, game } = shared;
  if (phase === "no event") return gettext("This page shows it as soon as it begins.");
  if (phase === "join" || phase === "hall") return describePlayers(shared);
  if (phase === "final") return event.name;
  if (own?.roll && count) {
    return ngettext("{count} of {all} has chosen", "{count} of {all} have chosen", count.chosen, { all: count.chosen + count.awaited });
  }
  return game ? gettext("Game {number} of {count}", { number: game.number, count: event.games }) : event.name;
}

function describeNews(phase, { shared, own }) {
  if (phase === "hall") return gettext("{name}, you are in. The first roll appears here by itself.", { name: own.name });
  if (phase === "away" && hasRule(shared)) return gettext("Rolls go on without you. A game in which you miss one counts a fixed score.");
  if (phase === "away") return gettext("Rolls go on without you, and leave no mark on your sheet.");
  if (phase === "withdrawn") return gettext("The games that you played count. Ask the organiser if this is a mistake.");
  if (phase === "reserve") return gettext("The table throws a reserve roll for all who played it. It appears here.");
  if (phase === "watch") return gettext("You joined while this roll was open. The next one is yours.");
  if (phase === "finished") return gettext("A face has its eighth mark. The others are still playing; the next game appears here.");
  if (phase === "between") return own.has_missed ? describeMissed(shared) : gettext("The next roll appears here.");
  if (phase === "game over") return gettext("The next game appears here.");
  if (phase === "choose" && own.roll.is_changed) return gettext("The dice of this roll were changed. Choose again.");
  if (phase === "choose" && own.has_missed) return describeMissed(shared);
  return "";
}

/** Where I sit, in an event with draws, or that a play-off is for others. */
function describeSeat(phase, { shared, own }) {
  if (phase === "watch" && shared.game.players && !shared.game.players.includes(own.player)) {
    return gettext("A play-off of others decides about shared places.");
  }
  if (phase === "hall" && shared.check_in && own.checked_in !== null) return describeCheckIn(shared.check_in, own);
  if (phase !== "hall" || shared.event.style === "duplicate") return "";
  if (!shared.round) return gettext("{name}, you are in. Your table appears here when the draw is published.", { name: own.name });
  const round = shared.round.number;
  const table = shared.round.tables.find(({ players }) => players.some(({ player }) => player === own.player));
  if (!table) return describeFree(shared, own);
  if (table.points) return describePoints(round, table);
  const others = table.players.filter(({ player }) => player !== own.player).map(({ name }) => isolate(name)).join(", ");
  const seat = gettext("Round {round}: {table}, with {names}", { round, table: nameTable(table), names: others });
  return `${seat}\n${describeRoundEnd(shared)}`.trim();
}

function describeFree({ event: { style }, round: { number: round, byes } }, own) {
  const isFree = byes.some(({ player }) => player === own.player);
  if (isFree) return gettext("Round {round}: you are free.", { round });
  return style === "knock_out" ? gettext("You are out. The others play round {round}.", { round }) : gettext("Round {round}: you have no table.", { round });
}

/** How my game of this round ended, until the next draw. */
function describePoints(round, { players, points }) {
  const ended = gettext("Round {round} is played. What comes next appears here.", { round });
  return [ended, ...players.map(({ name }, index) => `${isolate(name)}: ${formatNumber(points[index])}`)].join("\n");
}

function describeCheckIn({ round }, own) {
  if (own.checked_in) return gettext("Round {round}: you have checked in. Your table appears here when the draw is published.", { round });
  return gettext("Round {round} is about to be drawn. Check in if you are there, or you may be left out.", { round });
}

/** Whether a game with a missed roll counts a fixed score. */
function hasRule({ event }) {
  return event.style === "duplicate" && event.absence !== "nothing";
}

function describeMissed(shared) {
  if (hasRule(shared)) return gettext("You missed a roll of this game, so it counts a fixed score, whatever you mark. The next game counts in full.");
  return gettext("Rolls that you missed leave no mark on your sheet. Your game counts as it stands when the others have finished.");
}

/** My total, my place and of how many. */
function showPlace({ shared, own }) {
  const { row } = own ?? {};
  if ($("onward")) {
    show($("onward"), shared.is_final || Boolean(shared.round) || Boolean(own && !own.is_open && own.game));
    show($("to-result"), shared.is_final);
  }
  const isShown = Boolean(row && (own.game || shared.round));
  show($("standing"), isShown);
  if (!isShown) return;
  if (shared.unit === "rounds") setText($("my-unit"), nameUnit(shared.unit));
  setText($("my-total"), formatScore(row.score, shared.unit));
  setText($("my-place"), row.has_place ? `${row.place}` : "–");
  const of = !row.has_place ? gettext("half of all rolls are needed") : row.shares > 1 ? gettext("shared, of {count}", { count: shared.players }) : gettext("of {count}", { count: shared.players });
  setText($("my-place-of"), of);
  const section = !row.section ? "" : row.has_place ? gettext("place {place} in {section}", { place: row.section_place, section: row.section }) : row.section;
  const team = row.team ? gettext("Team {team}: place {place}", { team: isolate(row.team), place: row.team_place }) : "";
  setText($("my-groups"), [section, team].filter(Boolean).join(" · "));
}

function showPicture({ shared, own }) {
  const of = own?.roll ? shared.game?.roll : shared.game?.last;
  const digest = IS_KIOSK ? "" : of?.picture ?? "";  // It is at the desk.
  if (document.body.dataset.picture === digest) return;
  document.body.dataset.picture = digest;
  show($("picture-open"), digest !== "");
  for (const image of document.querySelectorAll(".picture")) {
    showImage(image, digest ? `/pictures/${digest}` : null).then((isThere) => {
      if (!isThere && document.body.dataset.picture === digest) show($("picture-open"), false);
    });
  }
}
