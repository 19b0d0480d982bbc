// SPDX-License-Identifier: MIT
// My score after each roll, as a curve. It is asked for when a roll closes and somebody looks at it.

import { $, show } from "../dom.js";
import { showCurve } from "../history/curve.js";
import { mountPlot } from "../history/plots.js";
import { mountLoaded, readJson } from "../loaded.js";
import { findPhase } from "./phase.js";
import { addSeat } from "./seat.js";

const OVER = ["game over", "final", "finished"];

export function mountCourse(event) {
  const draw = mountPlot($("course"));
  const course = mountLoaded({
    load: () => readJson(addSeat("/event/curve")),
    show({ points }) {
      if (points.length < 2) return;
      const { own, shared } = event.view;
      const divisor = shared.unit === "millionths" ? 10_000 : 1;
      showCurve($("course"), [own.name], points.map(({ game, roll, score }) => ({
        roll: shared.event.games > 1 ? `${game}/${roll}` : roll, totals: [Math.round(score / divisor)],
      })));
      draw();
      $("course").removeAttribute("data-waits");
    },
    clear: () => $("course").toggleAttribute("data-waits", true),
  });
  const refresh = () => {
    const { own } = event.view ?? {};
    const isOver = own?.row && OVER.includes(findPhase(event.view));
    const isShown = Boolean(own?.row) && (isOver || $("course-open").ariaExpanded === "true");
    show($("course"), isShown);
    course.want(isShown ? [own.player, own.game, own.last?.number, own.row.score].join("/") : null);
  };
  event.watch(["own", "shared"], refresh);
  event.watch(["own"], ({ own }) => show($("course-open"), Boolean(own?.row && own.last)));
  $("course-open").addEventListener("click", () => {
    $("course-open").ariaExpanded = $("course-open").ariaExpanded === "true" ? "false" : "true";
    refresh();
  });
}
