// SPDX-License-Identifier: MIT
// What a player's phone is about now, from the newest messages of the stream.

import { IS_KIOSK, IS_OFFICIAL, JOINS } from "./seat.js";

/**
 * The phase of a player: "no event", "join", "who", "withdrawn", "final", "away", "hall", "choose",
 * "chosen", "reserve", "watch", "finished", "between" or "game over".
 */
export function findPhase({ shared, own, seats }) {
  if (!shared?.event) return "no event";
  if (JOINS) return "join";
  if (!own?.player && (seats?.length || IS_OFFICIAL || IS_KIOSK)) return "who";
  if (!own?.player) return shared.is_final ? "final" : "join";
  if (own.is_withdrawn) return "withdrawn";
  if (shared.is_final) return "final";
  if (own.is_away && !own.roll?.plays) return "away";
  if (!own.game) return "hall";
  if (!own.is_open) return "game over";
  if (own.roll?.chosen) return "chosen";
  if (own.roll?.awaits_reserve) return "reserve";
  if (own.roll?.plays) return "choose";
  if (own.is_finished) return "finished";
  return own.roll ? "watch" : "between";
}

/** Of which roll of which game a player chooses; dice that a ruling changed are another question. */
export function nameQuestion({ own }) {
  const { roll } = own;
  return roll ? `${own.game}/${roll.number}/${roll.reserve ?? roll.faces}` : "";
}
