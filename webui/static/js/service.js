// SPDX-License-Identifier: MIT
// The service page: one part is open, and only its data is requested.

import { sendHeartbeats } from "./heartbeat.js";
import { mountPicture } from "./picture.js";
import { $, setText } from "./dom.js";
import { mountLanguages } from "./language.js";
import { gettext } from "./messages.js";
import { mountCamera } from "./service/camera.js";
import { mountDice } from "./service/dice.js";
import { mountLog } from "./service/log.js";
import { mountMachine } from "./service/machine.js";
import { mountNote } from "./service/note.js";
import { mountPeople } from "./service/people.js";
import { mountPanel } from "./service/panel.js";
import { mountReading } from "./service/reading.js";
import { mountSettings } from "./service/settings.js";
import { mountTokens } from "./service/tokens.js";
import { mountTournament } from "./service/tournament.js";

const HINTS = {
  reading: gettext("What the table reads in the newest picture"),
  camera: gettext("How pictures are taken"),
  panel: gettext("Buttons, lamps, light and buzzer"),
  settings: gettext("The settings of this table"),
  people: gettext("The names that the history shows"),
  log: gettext("The log since the program started"),
  machine: gettext("Doctor, backup, phones and PIN, restart and shutdown"),
};

function open() {
  const wanted = location.hash.slice(1);
  const tab = wanted in HINTS ? wanted : "reading";
  document.body.dataset.tab = tab;
  setText($("hint"), HINTS[tab]);
  for (const link of document.querySelectorAll("#tabs a")) {
    if (link.dataset.tab === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

addEventListener("hashchange", open);
open();
mountLanguages();
mountPicture();
for (const mount of [mountReading, mountDice, mountCamera, mountPanel, mountSettings, mountPeople, mountLog, mountMachine, mountTokens, mountTournament, mountNote]) mount();
sendHeartbeats();
