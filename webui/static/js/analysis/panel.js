// SPDX-License-Identifier: MIT
// Luck and play of a game: everybody's sums, and the dearest choices of one player at a time.

import { $, el, fill, formatDifference, formatNumber, setText, show } from "../dom.js";
import { dieFace } from "../faces.js";
import { showCurve } from "../history/curve.js";
import { mountPlot } from "../history/plots.js";
import { formatDecimal, gettext } from "../messages.js";

/**
 * Return what shows an analysis, each time with everybody's name by seat and the seat that comes first. Where a page
 * can show a roll, `openRoll(number)` does so.
 */
export function mountPanel(openRoll = null) {
  const drawValues = mountPlot($("analysis-values")), drawChances = mountPlot($("analysis-chances"));
  return (analysis, names, first) => {
    const seats = names.map((_, seat) => seat).sort((one, other) => (other === first) - (one === first));
    const select = (seat) => showPlayer(analysis, names, seat, openRoll);
    showPlayers(analysis, names, seats, select);
    select(seats[0]);
    setText($("analysis-certainty"), describeCertainty(analysis));
    showValues(analysis, names, drawValues);
    showChances(analysis, names, drawChances);
  };
}

/** A value with its sign: whole points, or percent of a chance. */
function formatGain(value, unit) {
  if (unit === "points") return formatDifference(Math.round(value));
  const text = formatDecimal(Math.abs(100 * value), 1);
  const sign = Number(Math.abs(100 * value).toFixed(1)) === 0 ? "" : value < 0 ? "−" : "+";
  return `${sign}${text} %`;
}

function formatLevel(value, unit) {
  return unit === "points" ? formatNumber(Math.round(value)) : `${formatDecimal(100 * value, 1)} %`;
}

/** Luck and play of a player in a few words. */
export function describeSums({ luck, play }, unit) {
  const gains = { luck: formatGain(luck, unit), play: formatGain(play, unit) };
  return unit === "points" ? gettext("luck {luck}, play {play} points", gains) : gettext("luck {luck}, play {play}", gains);
}

function showPlayers(analysis, names, seats, select) {
  fill($("analysis-players"), seats, () => el("button", { type: "button" }, el("b", { class: "name" }), el("span")), (button, seat) => {
    button.dataset.seat = seat;
    setText(button.children[0], names[seat]);
    setText(button.children[1], describeSums(analysis.players[seat], analysis.unit));
    button.onclick = () => select(seat);
  });
}

function showPlayer(analysis, names, seat, openRoll) {
  for (const button of $("analysis-players").children) button.ariaPressed = Number(button.dataset.seat) === seat;
  const player = analysis.players[seat];
  fill($("analysis-sums"), listSums(player, analysis, seat), () => el("div", {}, el("dt"), el("dd"), el("dd", { class: "meaning" })), (item, texts) => {
    texts.forEach((text, index) => setText(item.children[index], text));
  });
  $("analysis-dearest").replaceChildren(...player.dearest.map((choice) => makeChoice(choice, analysis.unit, openRoll)));
  setText($("analysis-title"), player.dearest.length > 0
    ? gettext("{player}: the costliest choices", { player: names[seat] })
    : gettext("{player}: no choice could have been better", { player: names[seat] }));
}

/** In the order of the sum, each with what it means; what others and the coach's own error add only where there is some. */
function listSums(player, { unit, values }, seat) {
  const small = unit === "points" ? 0.5 : 0.0005;
  const optional = [
    [gettext("By others"), player.others, gettext("what others changed")],
    [gettext("Unexplained"), player.rest, gettext("where the values are not exact")],
  ].filter(([, value]) => Math.abs(value) >= small);
  return [
    [gettext("At the start"), formatLevel(values[0][seat], unit), gettext("expected before the first roll")],
    [gettext("Luck"), formatGain(player.luck, unit), gettext("what the rolls changed")],
    [gettext("Play"), formatGain(player.play, unit), gettext("what the choices lost")],
    ...optional.map(([label, value, meaning]) => [label, formatGain(value, unit), meaning]),
    [gettext("Result"), formatLevel(player.result, unit), describeResult(player.result, unit)],
    [gettext("Without luck"), formatLevel(player.adjusted, unit), gettext("the result minus luck")],
  ];
}

function describeResult(result, unit) {
  if (unit === "points" || (result > 0 && result < 1)) return gettext("the sum of these");
  return result === 0 ? gettext("the sum: the game is lost") : gettext("the sum: the game is not lost");
}

function makeChoice({ roll, dice, chosen, best, cost, chance }, unit, openRoll) {
  const faces = dice.map((text) => dieFace(Number(text.at(-1)), text.startsWith("b") ? "dark" : "light"));
  const win = chance !== null && unit === "points" && chance >= 0.005
    ? gettext("{chance} to win", { chance: formatGain(-chance, "chance") }) : "";
  const opens = openRoll ? { type: "button", onclick: () => openRoll(roll) } : {};
  return el("li", {},
    el(openRoll ? "button" : "span", { class: "roll", text: gettext("Roll {number}", { number: roll }), ...opens }),
    el("span", { class: "dice-row", role: "img", "aria-label": dice.join(" ") }, ...faces),
    el("b", { class: "cost", text: formatGain(-cost, unit) }),
    el("span", { class: "made" }, el("span", { text: chosen }), el("small", { text: win })),
    el("span", { class: "best", text: gettext("better: {choice}", { choice: best }) }));
}

function describeCertainty({ unit, equal_below: limit }) {
  if (limit === 0) return gettext("Compared with exact play.");
  return gettext("Compared with the best play known, which is not exact: differences below {limit} points count as none.", { limit: formatLevel(limit, unit) });
}

function showValues({ unit, values }, names, draw) {
  const scale = unit === "points" ? 1 : 100;
  setText($("analysis-values").querySelector("figcaption"), unit === "points"
    ? gettext("Expected result after each roll") : gettext("Chance not to lose after each roll, in percent"));
  showCurve($("analysis-values"), names, makeRows(values, scale));
  draw();
}

function showChances({ chances }, names, draw) {
  show($("analysis-chances"), chances.length > 1);
  if (chances.length < 2) return;
  showCurve($("analysis-chances"), names, makeRows(chances, 100));
  draw();
}

function makeRows(values, scale) {
  return values.map((row, roll) => ({ roll, totals: row.map((value) => Math.round(value * scale)) })).filter(({ totals }) => totals.length > 0);
}
