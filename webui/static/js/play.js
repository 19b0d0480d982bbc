// SPDX-License-Identifier: MIT
// The page of a player's phone in a duplicate event: join, wait, choose from every roll, and see
// where one stands. What it shows is the newest `shared`, `count` and `own` of the stream.

import { $, show } from "./dom.js";
import { mountEnter } from "./enter.js";
import { followEvent } from "./event/stream.js";
import { mountFitLabels } from "./fit_labels.js";
import { sendHeartbeats } from "./heartbeat.js";
import { mountLanguages } from "./language.js";
import { mountClock } from "./play/clock.js";
import { mountCourse } from "./play/course.js";
import { mountDelivery } from "./play/delivery.js";
import { mountField } from "./play/field.js";
import { mountJoining, takeLink } from "./play/joining.js";
import { mountMenu } from "./play/menu.js";
import { addSeat, IS_KIOSK } from "./play/seat.js";
import { mountSheet } from "./play/sheet.js";
import { mountStage } from "./play/stage.js";
import { mountTurn } from "./play/turn.js";
import { mountWho } from "./play/who.js";
import { mountChoices } from "./dice_panel/choices.js";
import { mountCorrector } from "./dice_panel/corrector.js";
import { mountDice } from "./dice_panel/dice.js";
import { Store } from "./store.js";

/** The event as the server tells it, and the turn that the parts of a table's page show. */
const event = new Store();
const turn = new Store();

// The address names a language only until a link is taken.
mountLanguages();
// A link of the organiser is used first: the stream then is that of its player.
await takeLink();
const follower = followEvent(
  (name, view) => event.apply({ [name]: view }, event.view === null),
  (isLost) => {
    show($("lost"), isLost);
    $("lost").togglePopover(isLost);
  },
  addSeat("/event/stream"),
);

mountStage(event, turn);
mountDelivery(event);
mountTurn(event, turn, follower.now);
mountClock(event, follower.now);
for (const mount of [mountDice, mountCorrector, mountChoices, mountSheet, mountFitLabels]) mount(turn);
for (const mount of [mountField, mountCourse, mountJoining, mountMenu, mountWho]) mount(event);
mountEnter();
if (IS_KIOSK) sendHeartbeats();
