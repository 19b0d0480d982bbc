// SPDX-License-Identifier: MIT
// The standings for everybody. The stream says when they may have changed; the rows themselves are a
// file that the server makes once for all pages.

import { $, el, fill, formatNumber, setText, show } from "./dom.js";
import { leaveForPublished } from "./event/published.js";
import { describeTie, formatPlace, formatScore, listResults, nameTie, nameUnit } from "./event/scores.js";
import { followEvent } from "./event/stream.js";
import { describePlayers, describeProgress } from "./event/wording.js";
import { mountLanguages } from "./language.js";
import { mountLoaded, readJson } from "./loaded.js";
import { gettext } from "./messages.js";

const TEAMS = "teams", SECTION = "section=";

/** Not all pages of a hall ask at the same moment. */
const SPREAD_MS = 800;

/** What the addresses of an event begin with that is over; empty for the running one. */
const { address } = document.body.dataset;
let standings = { rows: [], games: 0, unit: "points" };
let own = null;
let timer = 0;
let group = readGroup();  // Everybody, a section or the teams, as the address has it.
const newest = mountLoaded({
  load: () => readJson(`${address}/result.json`),
  show(read) {
    standings = read;
    draw();
  },
});

mountLanguages();
leaveForPublished();
$("search").addEventListener("input", draw);
if (address) newest.again();
else followEvent((name, view) => {
  if (name === "own") {
    own = view.player;
    draw();
  }
  if (name !== "shared") return;
  if ((view.event?.name ?? "") !== document.body.dataset.event) location.reload();
  setText($("progress"), view.event ? `${describeProgress(view)} · ${describePlayers(view)}` : "");
  clearTimeout(timer);
  timer = setTimeout(newest.again, standings.rows.length ? Math.random() * SPREAD_MS : 0);
}, (isLost) => show($("lost"), isLost));
$("group").addEventListener("change", () => {
  group = $("group").value;
  const url = new URL(location.href);
  for (const key of ["section", TEAMS]) url.searchParams.delete(key);
  if (group === TEAMS) url.searchParams.set(TEAMS, "");
  else if (group) url.searchParams.set("section", group.slice(SECTION.length));
  history.replaceState(null, "", url);
  draw();
});

function readGroup() {
  const asked = new URLSearchParams(location.search);
  if (asked.has("section")) return `${SECTION}${asked.get("section")}`;
  return asked.has(TEAMS) ? TEAMS : "";
}

function draw() {
  const { rows, games, unit, is_final: isFinal } = standings;
  const groups = listGroups();
  const [shownGroup, name] = groups.find(([value]) => value === group) ?? groups[0];
  show($("group"), groups.length > 1);
  fill($("group"), groups, () => el("option"), (option, [value, text]) => {
    option.value = value;
    setText(option, text);
  });
  $("group").value = shownGroup;
  const title = isFinal ? gettext("Final standings") : gettext("Standings");
  setText($("title"), shownGroup ? `${title} · ${name}` : title);
  show($("none"), rows.length === 0);
  show($("rows").closest("table"), rows.length > 0);
  if (shownGroup === TEAMS) drawTeams();
  else drawPlayers(shownGroup ? rows.filter((row) => row.section === name) : rows, Boolean(shownGroup), games, unit);
}

/** Everybody, and what else may be shown: the sections, and the teams. */
function listGroups() {
  const { rows, teams } = standings;
  const sections = [...new Set(rows.map((row) => row.section).filter(Boolean))].sort((one, other) => one.localeCompare(other));
  return [
    ["", gettext("Everybody")],
    ...sections.map((name) => [`${SECTION}${name}`, name]),
    ...(teams ? [[TEAMS, gettext("Teams")]] : []),
  ];
}

function drawPlayers(rows, isSection, games, unit) {
  const shown = rows.filter((row) => isWanted([row.name]));
  const rounds = Array.from({ length: games }, (_, index) => `${index + 1}`);
  const ties = Object.keys(rows[0]?.ties ?? {}).map(nameTie);
  drawHeads([gettext("Place"), gettext("Player"), ...rounds, nameUnit(unit), ...ties], games);
  fill($("rows"), shown, () => el("tr"), (line, row) => showPlayer(line, row, isSection, games, unit));
}

function drawTeams() {
  const { rows, teams, unit } = standings;
  const players = new Map(rows.map((row) => [row.player, row]));
  const shown = teams.filter(({ team, players: members }) => isWanted([team, ...members.map((member) => players.get(member).name)]));
  drawHeads([gettext("Place"), gettext("Team"), nameUnit(unit)], 0);
  fill($("rows"), shown, () => el("tr"), (line, team) => {
    line.dataset.place = team.place;
    line.classList.toggle("own", team.players.includes(own));
    line.classList.remove("away");
    const members = team.players.map((member, index) => {
      const text = `${players.get(member).name} ${formatScore(players.get(member).score, unit)}`;
      return index < team.counted ? text : `(${text})`;
    });
    showCells(line, [`${team.place}.`, team.team, formatScore(team.score, unit)], 0, members);
  });
}

function isWanted(names) {
  const wanted = $("search").value.trim().toLocaleLowerCase();
  return names.some((name) => name.toLocaleLowerCase().includes(wanted));
}

function drawHeads(heads, games) {
  fill($("head"), heads, () => el("th"), (head, text, index) => {
    setText(head, text);
    head.className = nameColumn(index, games);
  });
}

function showPlayer(line, row, isSection, games, unit) {
  const place = isSection ? formatPlace({ ...row, place: row.section_place }) : formatPlace(row);
  line.dataset.place = row.has_place ? parseInt(place, 10) : "";
  line.classList.toggle("own", row.player === own);
  line.classList.toggle("away", row.state !== "here");
  const ties = Object.values(row.ties ?? {}).map(formatNumber);
  const cells = [place, row.name, ...listResults(row, games), formatScore(row.score, unit), ...ties];
  showCells(line, cells, games, listNotes(row, isSection));
}

function listNotes(row, isSection) {
  const states = { away: gettext("away"), withdrawn: gettext("withdrawn") };
  const penalty = row.penalty ? gettext("Penalty {points}", { points: formatNumber(-row.penalty) }) : "";
  return [describeTie(row.decided_by), penalty, states[row.state], describeSection(row, isSection), row.team];
}

/** The other place of a player who is in a section: that in it, or that among all. */
function describeSection(row, isSection) {
  if (!row.section || !row.has_place) return row.section && !isSection ? row.section : "";
  if (isSection) return gettext("place {place} of all", { place: row.place });
  return gettext("place {place} in {section}", { place: row.section_place, section: row.section });
}

function showCells(line, cells, games, notes) {
  fill(line, cells, () => el("td"), (cell, text, index) => {
    cell.className = nameColumn(index, games);
    if (index !== 1) setText(cell, text);
    else showName(cell, text, notes.filter(Boolean).join(" · "));
  });
}

function showName(cell, name, notes) {
  if (cell.dataset.shown === `${name}\n${notes}`) return;
  cell.dataset.shown = `${name}\n${notes}`;
  cell.replaceChildren(name, ...(notes ? [el("small", { text: notes })] : []));
}

function nameColumn(index, games) {
  if (index < 2) return ["place", "name"][index];
  return index === 2 + games ? "score" : "game";
}
