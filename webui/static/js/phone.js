// SPDX-License-Identifier: MIT
// The page of a phone: it joins with the table's code, asks who holds it, and then plays one seat.

import { mountBoard } from "./board.js";
import { mountChoices } from "./dice_panel/choices.js";
import { mountCorrector } from "./dice_panel/corrector.js";
import { mountCount } from "./dice_panel/count.js";
import { mountDice } from "./dice_panel/dice.js";
import { mountCoach } from "./dialogs/coach.js";
import { mountHelp } from "./dialogs/help.js";
import { mountEnter } from "./enter.js";
import { mountFitLabels } from "./fit_labels.js";
import { mountAppearance } from "./appearance.js";
import { mountLanguages } from "./language.js";
import { mountOfficialCall } from "./official_call.js";
import { mountJoining } from "./phone/joining.js";
import { mountOwnFinale } from "./phone/own_finale.js";
import { mountOwnLobby } from "./phone/own_lobby.js";
import { mountOwnReview } from "./phone/own_review.js";
import { mountOwnSheet } from "./phone/own_sheet.js";
import { mountOwnTurn } from "./phone/own_turn.js";
import { mountRoundResult } from "./round_result.js";
import { mountSend } from "./send.js";
import { Store } from "./store.js";

const store = new Store();
for (const mount of [
  mountSend, mountEnter, mountOwnTurn, mountDice, mountCorrector, mountChoices, mountCount, mountBoard, mountRoundResult, mountOwnSheet, mountOwnFinale, mountOwnLobby,
  mountOwnReview, mountHelp, mountCoach, mountLanguages, mountAppearance, mountJoining, mountOfficialCall, mountFitLabels,
]) {
  mount(store);
}
/** Last, so that the version names what the whole page shows. */
store.watch([], ({ version }) => {
  document.body.dataset.version = version;
});
