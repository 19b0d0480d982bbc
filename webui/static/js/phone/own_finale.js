// SPDX-License-Identifier: MIT
// The end of a game on a phone: the own place large, how it went, and the way to its report.

import { mountOwnAnalysis } from "../analysis/own.js";
import { mountCourse } from "../course.js";
import { $, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { findPlace } from "../ranking.js";

export function mountOwnFinale(store) {
  const showCourse = mountCourse(), analysis = mountOwnAnalysis(store);
  store.watch(["outcome", "players", "phase", "seats"], ({ outcome, players, phase, seats }) => {
    const isOver = phase === "game over" && outcome !== null;
    show($("finale"), isOver);
    analysis?.follow(isOver);
    if (!isOver) return;
    const mine = players.find(({ name }) => name === seats?.mine);
    setText($("own-place"), mine ? describePlace(mine, players, outcome) : "");
    showCourse(outcome, players);
  });
}

function describePlace(mine, players, { winners, losers }) {
  if (winners.includes(mine.name)) return gettext("You have won!");
  // Black'n'White has one loser and no places.
  if (losers.length === 1 && players.length > 2 && winners.length > 1) return gettext("You have lost.");
  return gettext("Place {place} of {count}", { place: findPlace(mine, players), count: players.length });
}
