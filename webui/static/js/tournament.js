// SPDX-License-Identifier: MIT
// The officials' page works without scripts, but for the choice of its language. With them it shows
// what has changed by itself, and links for other phones. A part in which somebody opened or filled
// in a form stays as it is; the others, such as the calls, go on.

import { setText } from "./dom.js";
import { formatLeft } from "./event/time_left.js";
import { mountLanguages } from "./language.js";
import { mountLoaded, readJson, wait } from "./loaded.js";

const AGAIN_MS = 3000;
const TICK_MS = 1000;
const body = document.body;

const parts = [...document.querySelectorAll(".part")];
/** Each part as the server wrote it. */
const written = new Map(parts.map((part) => [part, part.cloneNode(true)]));
/** The parts in which something was typed; a refused form came back filled in. */
const filled = new Set(parts.filter((part) => "refused" in body.dataset && part.id !== "calls"));
/** The parts that show something older than the others. */
let behind = [];
let shown = body.dataset.revision;
/** When each clock on the page ends, by the time of this page. */
const ends = new WeakMap();

mountLanguages();
mountPhoneLink(document.getElementById("phone-link"));
mountListFile(document.getElementById("bring-list"));
document.addEventListener("input", ({ target }) => { filled.add(target.closest(".part")); });
showClocks();
setInterval(showClocks, TICK_MS);
if (body.dataset.revision) followNews();

async function followNews() {
  for (;;) {
    await wait(AGAIN_MS);
    await showNews();
  }
}

async function showNews() {
  if (document.hidden) return;
  const revision = await readJson("/organiser/revision");
  if (revision === null || (revision === shown && behind.every(isHeld))) return;
  const page = await readPage("/organiser");
  if (page === null) return;
  behind = parts.filter(isHeld);
  if (!parts.every(({ id }) => page.getElementById(id))) {  // Somebody has logged out.
    if (behind.length === 0) location.reload();
    return;
  }
  for (const part of parts) if (!behind.includes(part)) replacePart(part, page.getElementById(part.id));
  shown = page.body.dataset.revision;
}

function showClocks() {
  for (const clock of document.querySelectorAll("[data-left-ms]")) {
    if (!ends.has(clock)) ends.set(clock, performance.now() + Number(clock.dataset.leftMs));
    setText(clock, formatLeft((ends.get(clock) - performance.now()) / 1000));
  }
}

function isHeld(part) {
  const isTyping = document.activeElement.matches("input, select") && part.contains(document.activeElement);
  return isTyping || filled.has(part) || part.querySelector("details[open] form") !== null;
}

function replacePart(part, next) {
  if (written.get(part).isEqualNode(next)) return;
  written.set(part, next.cloneNode(true));
  const summaries = [...part.querySelectorAll("details[open] > summary")].map(({ textContent }) => textContent);
  part.replaceChildren(...next.childNodes);
  for (const summary of part.querySelectorAll("summary")) summary.parentNode.open ||= summaries.includes(summary.textContent);
  mountPhoneLink(part.querySelector("#phone-link"));
  mountListFile(part.querySelector("#bring-list"));
}

async function readPage(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

/** A file becomes the text that the form sends. */
function mountListFile(form) {
  const file = form?.querySelector("[type=file]");
  if (!file) return;
  file.parentNode.hidden = false;
  file.addEventListener("change", async () => {
    if (file.files.length) form.elements.content.value = await file.files[0].text();
  });
}

/** The link belongs to the player who is chosen in the form. */
function mountPhoneLink(place) {
  const button = place?.querySelector("button");
  if (!button) return;
  const { player } = place.closest("form").elements;
  const link = mountLoaded({ load: makeLink, show: showLink, clear: () => place.replaceChildren(button) });
  button.hidden = false;
  player.addEventListener("change", () => link.want(null));
  button.onclick = () => {
    link.want(null);
    link.want(player.value);
  };

  function showLink(found) {
    const said = document.createElement("p");
    said.textContent = found.error ?? place.dataset.hint;
    place.replaceChildren(button, said);
    if (!found.qr) return;
    const code = document.createElement("img");
    code.alt = found.address;
    code.src = `data:image/svg+xml,${encodeURIComponent(found.qr)}`;
    place.append(code);
  }
}

async function makeLink(player) {
  const answer = await fetch("/organiser/phones", { method: "POST", body: new URLSearchParams({ player }) });
  return answer.json();
}
