// SPDX-License-Identifier: MIT
// Plots of tables: bars, groups of bars, and lines. The table stays behind each for people who listen to
// the page or want the numbers.

import { formatNumber, svg } from "../dom.js";
import { gettext } from "../messages.js";

/** The least height of a plot. */
const HEIGHT = 200;
const [LEFT, RIGHT, TOP, FOOT] = [40, 10, 12, 22];
/** A label needs this many pixels. */
const LABEL_PX = 34;
const KEY_PX = 16;
/** The line before a name, with its distances from the name and from the name before. */
const SAMPLE_PX = 32;
/** The size of the figure's letters that these sizes are for; with larger ones the whole plot grows. */
const LETTER_PX = 16;
const TICKS = 4;
const STEPS = [1, 2, 5, 10];

/** Draw every plot of the page, again when its size changes. */
export function mountPlots() {
  for (const figure of document.querySelectorAll("[data-plot]")) mountPlot(figure);
}

/** Draw the plot of a figure, again when its size changes; return what draws it from a new table. */
export function mountPlot(figure) {
  const table = figure.querySelector("table");
  let drawn = "";
  const draw = () => {
    if (!table.tBodies[0]) return;
    const letterPx = parseFloat(getComputedStyle(figure).fontSize);
    const width = Math.round(figure.clientWidth / Math.max(1, letterPx / LETTER_PX));
    const height = Math.max(HEIGHT, Math.round(measureRoom(figure) * width));
    if (drawn === `${width} ${height}` || width === 0) return;
    drawn = `${width} ${height}`;
    figure.querySelector("svg")?.remove();
    figure.querySelector("figcaption").after(drawPlot(figure.dataset.plot, readTable(figure, table), width, height));
  };
  // It draws at once too, as soon as the page has its layout: to ask for a width earlier costs a layout of its own.
  new ResizeObserver(draw).observe(figure);
  return () => {
    drawn = "";
    draw();
  };
}

/** Return the height below the title of a figure that its page gives a height, as a part of the width; 0 for any other. */
function measureRoom(figure) {
  const style = getComputedStyle(figure), sum = (...names) => names.reduce((all, name) => all + parseFloat(style[name]), 0);
  if (style.display !== "flex") return 0;
  const height = figure.clientHeight - figure.querySelector("figcaption").offsetHeight - sum("paddingTop", "paddingBottom");
  return height / (figure.clientWidth - sum("paddingLeft", "paddingRight"));
}

function readTable(figure, table) {
  const [, ...names] = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const rows = [...table.tBodies[0].rows].map((row) => ({
    label: row.cells[0].textContent, values: [...row.cells].slice(1).map((cell) => Number(cell.dataset.value)),
  }));
  return { title: figure.querySelector("figcaption").textContent, names, rows };
}

function drawPlot(kind, data, width, height) {
  const values = data.rows.flatMap((row) => row.values);
  const key = drawKey(data.names, width);
  const scale = makeScale(Math.min(0, ...values), Math.max(1, ...values), TOP + key.height, height);
  const plot = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" },
    svg("title", { text: data.title }), svg("desc", { text: describe(data, values) }));
  plot.append(...scale.ticks.map((tick) => drawTick(tick, scale, width)));
  plot.append(...(kind === "lines" ? drawLines(data, scale, width) : drawBars(data, scale, width)));
  plot.append(...drawLabels(kind, data.rows, width, height));
  plot.append(...key.parts);
  return plot;
}

function describe({ rows, names }, values) {
  return gettext("{count} entries of {names}, from {least} to {most}.", {
    count: rows.length, names: names.join(", "), least: formatNumber(Math.min(...values)), most: formatNumber(Math.max(...values)),
  });
}

/** Round ticks around all values, and the position of a value. */
function makeScale(least, most, top, height) {
  const rough = (most - least) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, STEPS.find((one) => one * power >= rough) * power);
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
  const y = (value) => top + (height - top - FOOT) * (1 - (value - low) / (high - low));
  return { ticks, y };
}

function drawTick(value, { y }, width) {
  return svg("g", { class: value === 0 ? "zero" : "tick" },
    svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
    svg("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end", text: formatNumber(value) }));
}

function drawBars({ rows, names }, { y }, width) {
  const step = (width - LEFT - RIGHT) / rows.length;
  const wide = Math.min((step * 0.8) / names.length, 46);
  return rows.flatMap(({ values }, index) => values.map((value, series) => {
    const x = LEFT + (index + 0.5) * step + (series - names.length / 2) * wide;
    return svg("rect", { class: `series s${series}`, x, y: Math.min(y(value), y(0)), width: Math.max(wide - 1, 1), height: Math.abs(y(0) - y(value)) });
  }));
}

function drawLines({ rows, names }, { y }, width) {
  return names.flatMap((_, series) => {
    const points = rows.map(({ values }, index) => [lineX(index, rows.length, width), y(values[series])]);
    const line = svg("polyline", { class: `series s${series}`, points: points.map((point) => point.join(",")).join(" ") });
    const [x, last] = points.at(-1);
    return [line, svg("circle", { class: `series s${series}`, cx: x, cy: last, r: 4 })];
  });
}

function lineX(index, count, width) {
  return LEFT + ((width - LEFT - RIGHT) * index) / Math.max(count - 1, 1);
}

/** As many labels as fit. */
function drawLabels(kind, rows, width, height) {
  const step = (width - LEFT - RIGHT) / rows.length;
  const each = Math.max(1, Math.ceil(LABEL_PX / step));
  const x = (index) => (kind === "lines" ? lineX(index, rows.length, width) : LEFT + (index + 0.5) * step);
  return rows.flatMap(({ label }, index) => (index % each === 0 && (kind !== "lines" || x(index) < width - RIGHT - 12 || index === 0)
    ? [svg("text", { x: x(index), y: height - 6, "text-anchor": "middle", text: label })] : []));
}

/** The names over a plot of several, and their height: they share two lines if one would cut a name. */
function drawKey(names, width) {
  if (names.length < 2) return { parts: [], height: 0 };
  const stepOf = (columns) => (width - LEFT - RIGHT) / columns;
  const isCut = names.some((name) => shorten(name, stepOf(names.length)) !== name);
  const columns = isCut ? Math.ceil(names.length / 2) : names.length;
  const step = stepOf(columns);
  const parts = names.map((name, series) => {
    const [x, y] = [LEFT + (series % columns) * step, 8 + Math.floor(series / columns) * KEY_PX];
    return svg("g", { class: "key" }, svg("line", { class: `series s${series}`, x1: x, x2: x + 16, y1: y, y2: y }),
      svg("text", { x: x + 21, y: y + 4, text: shorten(name, step) }));
  });
  return { parts, height: Math.ceil(names.length / columns) * KEY_PX };
}

function shorten(name, widthPx) {
  const most = Math.max(3, Math.floor((widthPx - SAMPLE_PX) / 7.5));
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
