// SPDX-License-Identifier: MIT
// My score after each roll, as a curve. It is asked for when a roll closes and somebody looks at it.

import { $, show } from "../dom.js";
import { showCurve } from "../history/curve.js";
import { mountPlot } from "../history/plots.js";
import { findPhase } from "./phase.js";

const OVER = ["game over", "final", "finished"];

export function mountCourse(event) {
  const draw = mountPlot($("course"));
  let shown = "";
  const refresh = async () => {
    const { own, shared } = event.view ?? {};
    if (!own?.row) return;
    const isOver = OVER.includes(findPhase(event.view));
    show($("course"), isOver || $("course-open").ariaExpanded === "true");
    if ($("course").hidden) return;
    const key = `${own.game}/${own.last?.number}/${own.row.score}`;
    if (key === shown) return;
    const points = await readPoints();
    if (points.length < 2) return;
    shown = key;
    const divisor = shared.unit === "millionths" ? 10_000 : 1;
    showCurve($("course"), [own.name], points.map(({ game, roll, score }) => ({
      roll: shared.event.games > 1 ? `${game}/${roll}` : roll, totals: [Math.round(score / divisor)],
    })));
    draw();
  };
  event.watch(["own"], refresh);
  event.watch(["own"], ({ own }) => show($("course-open"), Boolean(own?.row && own.last)));
  $("course-open").addEventListener("click", () => {
    $("course-open").ariaExpanded = $("course-open").ariaExpanded === "true" ? "false" : "true";
    refresh();
  });
}

async function readPoints() {
  try {
    const answer = await fetch("/event/curve", { cache: "no-store" });
    return answer.ok ? (await answer.json()).points : [];
  } catch {
    return [];
  }
}
