// SPDX-License-Identifier: MIT
// How a phone gets its player: by a name, or by a link of the organiser after a phone was lost.

import { $, setText, show } from "../dom.js";
import { mayJoin } from "../event/wording.js";
import { gettext } from "../messages.js";
import { post } from "../post.js";
import { JOINS, WHO } from "./seat.js";

const SECRET = "dicebell-new-secret";
const BYTES = 24;
const ANSWER_MS = 8000;

/** Why a link did not work; shown where one joins. */
let linkProblem = "";

export function mountJoining(event) {
  complain(linkProblem);
  const { event: made } = document.body.dataset;
  event.watch(["shared", "own"], ({ shared }) => {
    // What is played stands in the page itself, and this one is of an earlier event.
    if (made && shared && shared.event?.name !== made) location.reload();
    const hasEvent = shared?.event != null;
    const isOpen = hasEvent && mayJoin(shared);
    show($("join-form"), isOpen);
    show($("join-late"), hasEvent && !isOpen && !shared.is_final);
    show($("join-about"), hasEvent);
  });
  $("join-form").addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    join($("new-name").value.trim());
  });
}

/** Use the link in the address; it leaves the address at once, so that no photo shows it. */
export async function takeLink() {
  const phone = new URLSearchParams(location.hash.slice(1)).get("phone") ?? new URLSearchParams(location.search).get("phone");
  if (!phone) return;
  history.replaceState(null, "", "/play");
  // It came before the link was used.
  $("first-view")?.remove();
  const { error, code } = await post("/event/phone", { phone, secret: keepSecret() }, () => {}, ANSWER_MS);
  if (error === undefined) forgetSecret();
  else linkProblem = code === "seat" ? gettext("This link has been used or replaced. Ask the organiser for a new one.") : error;
}

async function join(name) {
  if (!name) return;
  const button = $("join-form").querySelector("button");
  complain("");
  button.disabled = true;
  const { error, code } = await post("/event/players", { name, secret: keepSecret(), shares: JOINS }, () => {}, ANSWER_MS);
  button.disabled = false;
  if (error === undefined) {
    forgetSecret();
    // The stream of a new player begins with the page.
    location.replace(WHO);
  } else complain(explain(code, name, error));
}

function explain(code, name, error) {
  if (code === "twice") return gettext("{name} is taken. Choose another name, or add an initial.", { name });
  if (code === "unknown") return gettext("This name cannot be shown. Try letters and digits, up to 40.");
  if (code === "seat") return gettext("This phone has joined already. Load the page again.");
  if (code === "late" || code === "closed") return gettext("It is too late to join. Ask the organiser.");
  return error;
}

/** The secret of a phone that has not joined yet. It stays the same if an answer was lost. */
function keepSecret() {
  const known = localStorage.getItem(SECRET);
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const secret = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem(SECRET, secret);
  return secret;
}

function forgetSecret() {
  localStorage.removeItem(SECRET);
}

function complain(text) {
  setText($("join-why"), text);
  show($("join-why"), text !== "");
}
