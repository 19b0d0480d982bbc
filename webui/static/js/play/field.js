// SPDX-License-Identifier: MIT
// What the field took from the last closed roll, and what counted for me.

import { $, el, fill, setText, show } from "../dom.js";
import { drawTicket } from "../dice_panel/tickets.js";
import { dieFace } from "../faces.js";
import { gettext } from "../messages.js";

const MOST = 5;

export function mountField(event) {
  event.watch(["shared", "own"], ({ shared, own }) => {
    // The field is the same for all, so it comes once for all; after an annulled roll there is none.
    const last = shared?.game?.last;
    const mine = own?.last;
    const isShown = Boolean(mine && last && mine.number === last.number);
    show($("field"), isShown);
    if (isShown) showField({ ...mine, field: last.field });
  });
}

function showField({ number, faces, do: mine, is_automatic: isAutomatic, by, field }) {
  const all = field.reduce((total, { players }) => total + players, 0);
  setText($("field-title"), gettext("Roll {number}: what the field took", { number }));
  if ($("field-dice").dataset.faces !== faces) {
    $("field-dice").dataset.faces = faces;
    $("field-dice").replaceChildren(...[...faces].map((face) => dieFace(Number(face))));
  }
  setText($("field-mine"), describeMine(mine, isAutomatic, by));
  const isMine = (choice) => mine !== null && choice.do.join() === mine.join();
  const first = field.slice(0, MOST);
  const own = field.filter(isMine).filter((choice) => !first.includes(choice));
  fill($("field-choices"), [...first, ...own], makeChoice, (item, choice) => showChoice(item, choice, all, isMine(choice)));
}

function describeMine(mine, isAutomatic, by) {
  if (mine === null) return gettext("You did not play this roll.");
  if (by && !isAutomatic) return gettext("{official} entered this choice.", { official: by });
  return isAutomatic ? gettext("The clock had run out, so the first legal choice was marked for you.") : "";
}

function makeChoice() {
  return el("li", {}, el("span", { class: "what" }), el("b"), el("i"));
}

function showChoice(item, { do: actions, players }, all, isMine) {
  const [what, share] = item.children;
  const action = actions.at(-1);
  const kind = action.startsWith("3:1") ? "three" : "pairs";
  drawTicket(what, { action, kind, text: actions.join(", ") }, { dice: [], players: [] });
  what.dataset.joker = actions.length > 1 ? gettext("Corrector") : "";
  item.classList.toggle("mine", isMine);
  item.style.setProperty("--share", players / Math.max(all, 1));
  setText(share, `${Math.round((100 * players) / Math.max(all, 1))} %`);
  item.setAttribute("aria-label", gettext("{share} % took {choice}", { share: Math.round((100 * players) / Math.max(all, 1)), choice: actions.join(", ") }));
}
