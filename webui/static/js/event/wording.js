// SPDX-License-Identifier: MIT
// Where an event stands, in words that several pages show.

import { gettext, isolate, ngettext } from "../messages.js";

/** "Game 2 of 5, roll 7", or the round of an event with draws. */
export function describeProgress(view) {
  if (view.event === null) return "";
  if (view.is_final) return gettext("The event is over");
  if (view.round) return gettext("Round {number} of {count}", { number: view.round.number, count: view.event.games });
  if (!view.game) return view.event.style === "duplicate" ? gettext("Before the first game") : gettext("Before the first draw");
  const { number, roll, last, is_open: isOpen } = view.game;
  if (number > view.event.games) return gettext("Play-off");
  const values = { number, count: view.event.games };
  if (!isOpen) return gettext("Game {number} of {count} is over", values);
  const of = roll ?? last;
  if (!of) return gettext("Game {number} of {count}", values);
  return gettext("Game {number} of {count}, roll {roll}", { ...values, roll: of.number });
}

/** Whether players may join by themselves: after the first draw only officials let somebody in. */
export function mayJoin({ event, round, is_final: isFinal }) {
  return event !== null && round === null && !isFinal;
}

/** When the round ends, and what becomes of games that go on; empty without a clock. */
export function describeRoundEnd({ round, event }) {
  if (!round?.until_ms) return "";
  const time = new Date(round.until_ms).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  if (event.round_end === "stop") return gettext("The round ends at {time}. A game that ends later counts only if an official says so.", { time });
  return gettext("The round ends at {time}. Games that go on then are played to their end.", { time });
}

/** "Table 3 · By the window"; a name that only repeats the number is left out. */
export function nameTable({ number, name }) {
  const numbered = gettext("Table {number}", { number });
  return name && name !== numbered ? `${numbered} · ${isolate(name)}` : numbered;
}

export function describePlayers(view) {
  return ngettext("{count} player", "{count} players", view.players);
}
