// SPDX-License-Identifier: MIT
// The end of a game on a phone: the own place large, what comes next, how it went, and the way to its report.

import { mountOwnAnalysis } from "../analysis/own.js";
import { mountCourse } from "../course.js";
import { $, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { findPlace } from "../ranking.js";
import { send } from "../send.js";

export function mountOwnFinale(store) {
  const showCourse = mountCourse(), analysis = mountOwnAnalysis(store);
  $("again").addEventListener("click", () => send({ do: "press", key: "confirm" }));
  store.watch(["outcome", "players", "phase", "seats", "request"], ({ outcome, players, phase, seats, request }) => {
    const isOver = phase === "game over" && outcome !== null;
    show($("finale"), isOver);
    analysis?.follow(isOver);
    if (!isOver) return;
    const mine = players.find(({ name }) => name === seats?.mine);
    setText($("own-place"), mine ? describePlace(mine, players, outcome) : "");
    showNext(players, seats?.leads ?? false, request !== null);
    showCourse(outcome, players);
  });
}

/** The phone that started the game starts the next one, in which the next player begins. */
function showNext([starter, next = starter, ...others], leads, isRequest) {
  const player = next.name, isAlone = next === starter && others.length === 0;
  show($("again"), leads && !isRequest);
  setText($("again"), isAlone ? gettext("Play again") : gettext("Play again: {player} begins", { player }));
  setText($("own-next"), leads || isRequest || isAlone ? "" : gettext("If the table plays again, {player} begins.", { player }));
}

function describePlace(mine, players, { winners, losers }) {
  if (winners.includes(mine.name)) return gettext("You have won!");
  // Black'n'White has one loser and no places.
  if (losers.length === 1 && players.length > 2 && winners.length > 1) return gettext("You have lost.");
  return gettext("Place {place} of {count}", { place: findPlace(mine, players), count: players.length });
}
