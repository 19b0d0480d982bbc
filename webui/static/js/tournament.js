// SPDX-License-Identifier: MIT
// The officials' page works without scripts, but for the choice of its language. With them it shows
// what has changed by itself, as long as no form has been filled in, and links for other phones.

import { mountLanguages } from "./language.js";

const AGAIN_MS = 3000;
const body = document.body;

mountLanguages();
if (body.dataset.revision) setInterval(reloadIfChanged, AGAIN_MS);
mountPhoneLink(document.getElementById("phone-link"));

let isFilledIn = false;
document.addEventListener("input", () => { isFilledIn = true; });

async function reloadIfChanged() {
  if (isFilledIn || document.hidden || document.querySelector("details[open]")) return;
  const answer = await fetch("/organiser/revision").catch(() => null);
  if (answer?.ok && await answer.json() !== body.dataset.revision) location.reload();
}

function mountPhoneLink(place) {
  const button = place?.querySelector("button");
  if (!button) return;
  button.hidden = false;
  button.onclick = async () => {
    const player = place.closest("form").elements.player.value;
    const answer = await fetch("/organiser/phones", { method: "POST", body: new URLSearchParams({ player }) });
    const found = await answer.json();
    const said = document.createElement("p");
    said.textContent = found.error ?? place.dataset.hint;
    place.replaceChildren(button, said);
    if (!found.qr) return;
    const code = document.createElement("img");
    code.alt = found.address;
    code.src = `data:image/svg+xml,${encodeURIComponent(found.qr)}`;
    place.append(code);
  };
}
