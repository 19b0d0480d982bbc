// SPDX-License-Identifier: MIT
// The kiosk: every part of the table's view goes to the module that shows it.

import { mountByHand } from "./byhand.js";
import { mountChoices } from "./choices.js";
import { mountDice } from "./dice.js";
import { mountHands } from "./hands.js";
import { mountKeys } from "./keys.js";
import { mountLetters } from "./letters.js";
import { mountLobby } from "./lobby.js";
import { mountPanels } from "./panels.js";
import { mountSheets } from "./sheets.js";
import { Store } from "./store.js";
import { follow } from "./stream.js";
import { mountTop } from "./top.js";
import { mountTray } from "./tray.js";

const store = new Store();
for (const mount of [
  mountPanels, mountTop, mountTray, mountDice, mountChoices, mountSheets, mountLobby, mountLetters,
  mountByHand, mountKeys, mountHands,
]) {
  mount(store);
}
follow(store);
