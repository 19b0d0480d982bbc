// SPDX-License-Identifier: MIT
// Several players at one browser: each says who they are, chooses, and passes it on. A page that has
// chosen is left at once, and cannot be opened while its roll is: the next player must not see it.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { onDelivery, readKept } from "./delivery.js";
import { findPhase } from "./phase.js";
import { findPage, IS_KIOSK, IS_OFFICIAL, PLAYER, WHO } from "./seat.js";

const HIDDEN = ["chosen", "reserve"];

export function mountWho(event) {
  let wasAsked = false;
  onDelivery(showPassOn);
  event.watch([], (view) => {
    const phase = findPhase(view);
    const seats = view.seats ?? [];
    show($("share"), phase !== "join" && seats.length === 0 && !IS_OFFICIAL && !IS_KIOSK);
    show($("who-back"), IS_OFFICIAL);
    show($("who-joins"), !IS_OFFICIAL && !IS_KIOSK);
    show($("who-nobody"), IS_KIOSK && seats.length === 0);
    showPassOn();
    $("pass-on").href = WHO;
    if (IS_OFFICIAL) setText($("pass-on"), gettext("Back"));
    fill($("who-names"), seats, makeSeat, showSeat);
    if (PLAYER === null || !view.own) return;
    if (HIDDEN.includes(phase) || (wasAsked && phase !== "choose")) {
      document.body.hidden = true;  // before anything of it is painted
      location.replace(WHO);
    }
    wasAsked = phase === "choose";
  });
}

/** A choice that has not arrived is sent by this page alone. */
function showPassOn() {
  show($("pass-on"), PLAYER !== null && !readKept());
}

function makeSeat() {
  return el("li", {}, el("a", {}, el("b"), el("small")));
}

function showSeat(item, { player, name, state }) {
  const link = item.firstElementChild;
  const [who, what] = link.children;
  const isHidden = state === "chosen" || state === "wait";
  setText(who, name);
  setText(what, describe(state));
  link.dataset.state = state;
  if (isHidden) link.removeAttribute("href");
  else link.href = findPage(player);
  link.ariaDisabled = isHidden ? "true" : null;
}

function describe(state) {
  return {
    choose: gettext("has to choose"),
    wait: gettext("waits for the reserve roll"),
    chosen: gettext("has chosen"),
  }[state] ?? "";
}
