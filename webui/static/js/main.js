// SPDX-License-Identifier: MIT
// The kiosk: pass every part of the table's view to the module that shows it.

import { sendHeartbeats } from "./heartbeat.js";
import { mountLanguages } from "./language.js";
import { mountBoard } from "./board.js";
import { mountCheckpoint } from "./checkpoint.js";
import { mountAnnouncements } from "./announce.js";
import { mountBigLayout } from "./big_layout.js";
import { mountFinale } from "./finale.js";
import { mountFitLabels } from "./fit_labels.js";
import { mountManualEntry } from "./dialogs/manual_entry.js";
import { mountCoach } from "./dialogs/coach.js";
import { mountHelp } from "./dialogs/help.js";
import { mountSimulator } from "./simulator.js";
import { mountSound } from "./sound/sound.js";
import { mountKeys } from "./keys.js";
import { mountLetters } from "./lobby/letters.js";
import { mountLobby } from "./lobby/lobby.js";
import { mountChoices } from "./dice_panel/choices.js";
import { mountCount } from "./dice_panel/count.js";
import { mountDice } from "./dice_panel/dice.js";
import { mountTray } from "./dice_panel/tray.js";
import { mountCorrector } from "./dice_panel/corrector.js";
import { mountPanels } from "./panels.js";
import { mountOfficialCall } from "./official_call.js";
import { mountRecent } from "./recent.js";
import { mountReview } from "./review.js";
import { mountRoundResult } from "./round_result.js";
import { mountSend } from "./send.js";
import { mountSheets } from "./sheets.js";
import { mountJoinCard } from "./join_card.js";
import { mountPairingBanner } from "./pairing_banner.js";
import { mountGuide } from "./welcome/guide.js";
import { mountIdle } from "./welcome/idle.js";
import { Store } from "./store.js";
import { follow } from "./stream.js";
import { mountHeader } from "./header.js";
import { mountAppearance } from "./appearance.js";

const store = new Store();
for (const mount of [
  mountSend, mountPanels, mountHeader, mountTray, mountDice, mountCorrector, mountChoices, mountCount, mountBoard,
  mountSheets, mountLobby, mountLetters, mountReview, mountManualEntry, mountHelp, mountCoach, mountKeys, mountSimulator, mountPairingBanner, mountJoinCard, mountOfficialCall,
  mountCheckpoint, mountLanguages, mountAppearance, mountBigLayout, mountAnnouncements, mountFinale, mountRecent, mountRoundResult, mountSound, mountGuide, mountIdle, mountFitLabels,
]) {
  mount(store);
}
/** Last, so that the version names what the whole page shows. */
store.watch([], ({ version }) => {
  document.body.dataset.version = version;
});
follow(store);
sendHeartbeats(() => store.view !== null);
