// SPDX-License-Identifier: MIT
// The reading of the newest picture, drawn and in words; on request every stage.

import { $, el, fill, setText, svg } from "../dom.js";
import { boxesOf, drawDie, measureFace, placeDice } from "../dice_panel/die_mark.js";
import { doubtMarks } from "../dice_panel/doubts.js";
import { formatDecimal, gettext } from "../messages.js";
import { pollWhileOpen, trace } from "./requests.js";

const AGAIN_MS = 700;
/** The stages of a reading, as the reader names them and its pictures. */
const STAGES = {
  finder: gettext("finder"),
  opinions: gettext("opinions"),
  checks: gettext("checks"),
  tiles: gettext("tiles"),
  reading: gettext("reading"),
};
const STATUSES = { read: gettext("read"), empty: gettext("empty"), unsure: gettext("in doubt") };
/** The kinds of doubts, as the reader names them. */
const DOUBTS = {
  cocked: gettext("leaning"),
  stacked: gettext("stacked"),
  touching: gettext("touching"),
  glare: gettext("glare"),
  "foreign object": gettext("foreign object"),
  "off the felt": gettext("off the felt"),
  count: gettext("number of dice"),
  "no dome": gettext("no dome"),
  placed: gettext("not thrown"),
  unsure: gettext("in doubt"),
};

export function mountReading() {
  pollWhileOpen("reading", "reading", AGAIN_MS, show, clear);
  $("trace").addEventListener("click", showTrace);
}

function clear() {
  setText($("read"), "");
  for (const part of [$("tray-marks"), $("read-doubts"), $("stages").tBodies[0]]) part.replaceChildren();
}

function show(reading) {
  draw(reading);
  setText($("read"), describeReading(reading));
  fill($("read-doubts"), reading.doubts, () => el("li", {}, el("b"), el("span")), (node, doubt, index) => {
    setText(node.firstChild, `${index + 1} ${DOUBTS[doubt.kind] ?? doubt.kind}`);
    setText(node.lastChild, ` ${doubt.text}`);
  });
  const total = reading.stages.reduce((sum, { ms }) => sum + ms, 0);
  const stages = reading.stages.map(({ stage, ms }) => ({ stage: STAGES[stage] ?? stage, ms }));
  const rows = [...stages, { stage: gettext("together"), ms: total }];
  const makeRow = () => el("tr", {}, el("th"), el("td"), el("td", {}, el("i")));
  fill($("stages").tBodies[0], rows, makeRow, (row, { stage, ms }) => {
    setText(row.cells[0], stage);
    setText(row.cells[1], formatDecimal(ms, 1));
    row.cells[2].firstChild.style.width = `${total ? (100 * ms) / total : 0}%`;
  });
}

function describeReading({ status, dice, frame }) {
  if (!status) return gettext("There is no picture yet.");
  const faces = dice.map((die) => die.face).sort().join(" ") || gettext("no dice");
  const least = Math.min(...dice.map((die) => die.confidence));
  const values = { frame, faces, status: STATUSES[status] ?? status, least: formatDecimal(least, 3) };
  if (!dice.length) return gettext("Picture {frame}: {faces}, {status}.", values);
  return gettext("Picture {frame}: {faces}, {status}; lowest confidence {least}.", values);
}

function draw({ picture_wh: [width, height], dice, doubts, rejected }) {
  if (!width) return;
  const marked = placeDice(dice.map(measureFace), { left: 0, top: 0, right: width, bottom: height });
  $("tray-marks").replaceChildren(
    ...rejected.map((spot) => rejectedMark(spot, width)),
    ...marked.map(drawDie),
    ...doubtMarks(doubts, marked.flatMap(boxesOf), { width, height }),
  );
}

function rejectedMark({ center_px: [x, y], radius_px: radius }, width) {
  return svg("circle", { class: "rejected", cx: x, cy: y, r: Math.max(radius, width * 0.02), "stroke-width": width * 0.005 });
}

async function showTrace() {
  $("trace").disabled = true;
  setText($("traced"), gettext("Reading …"));
  for (const id of ["trace-rejected", "trace-pictures"]) $(id).replaceChildren();
  const reply = await trace();
  $("trace").disabled = false;
  setText($("traced"), reply.error ? "" : describeReading(reply.reading));
  if (reply.error) return;
  fill($("trace-rejected"), reply.reading.rejected, () => el("li"), (node, { text, center_px: place }) =>
    setText(node, gettext("No die at {place}: {reason}", { place: place.map(Math.round).join(", "), reason: text })));
  $("trace-pictures").replaceChildren(...reply.pictures.map((name) => stage(reply.number, name)));
}

function stage(number, name) {
  const [place, of] = name.split("-");
  const address = `/service/trace/${number}/${name}.png`;
  return el("a", { href: address, target: "_blank", rel: "noopener" },
    el("img", { src: address, alt: "" }), el("span", { text: `${place} ${STAGES[of] ?? of}` }));
}
