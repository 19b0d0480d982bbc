// SPDX-License-Identifier: MIT
// The officials' page works without scripts, but for the choice of its language. With them it shows
// what has changed by itself, as long as no form has been filled in, and links for other phones.

import { mountLanguages } from "./language.js";
import { mountLoaded, readJson } from "./loaded.js";

const AGAIN_MS = 3000;
const body = document.body;

mountLanguages();
if (body.dataset.revision) setInterval(reloadIfChanged, AGAIN_MS);
mountPhoneLink(document.getElementById("phone-link"));

let isFilledIn = false;
document.addEventListener("input", () => { isFilledIn = true; });

async function reloadIfChanged() {
  if (isFilledIn || document.hidden || document.querySelector("details[open]")) return;
  const revision = await readJson("/organiser/revision");
  if (revision !== null && revision !== body.dataset.revision) location.reload();
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
