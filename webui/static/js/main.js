// SPDX-License-Identifier: MIT
// The kiosk: every part of the table's view goes to the module that shows it.

import { giveSigns } from "./alive.js";
import { mountBoard } from "./board.js";
import { mountCheckpoint } from "./checkpoint.js";
import { mountByHand } from "./dialogs/by_hand.js";
import { mountHelp } from "./dialogs/help.js";
import { mountHands } from "./hands.js";
import { mountKeys } from "./keys.js";
import { mountLetters } from "./lobby/letters.js";
import { mountLobby } from "./lobby/lines.js";
import { mountChoices } from "./look/choices.js";
import { mountDice } from "./look/dice.js";
import { mountTray } from "./look/tray.js";
import { mountTurnTo } from "./look/turn_to.js";
import { mountPanels } from "./panels.js";
import { mountReview } from "./review.js";
import { mountSend } from "./send.js";
import { mountSheets } from "./sheets.js";
import { mountSign } from "./sign.js";
import { Store } from "./store.js";
import { follow } from "./stream.js";
import { mountTop } from "./top.js";

const store = new Store();
for (const mount of [
  mountSend, mountPanels, mountTop, mountTray, mountDice, mountTurnTo, mountChoices, mountBoard,
  mountSheets, mountLobby, mountLetters, mountReview, mountByHand, mountHelp, mountKeys, mountHands, mountSign,
  mountCheckpoint,
]) {
  mount(store);
}
follow(store);
giveSigns(() => store.view !== null);
