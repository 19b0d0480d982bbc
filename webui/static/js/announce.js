// SPDX-License-Identifier: MIT
// Say the faces of each new roll to people who listen to the page.

import { $, setText } from "./dom.js";
import { gettext } from "./messages.js";

export function mountAnnouncements(store) {
  store.watch(["last_roll"], ({ last_roll }) => {
    const faces = last_roll?.dice.map((die) => die.face).join(" ");
    setText($("announced"), faces ? gettext("Read: {faces}", { faces }) : "");
  });
}
