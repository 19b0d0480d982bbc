// SPDX-License-Identifier: MIT
// The calibration page: polls the analysis of the newest picture and passes it to its parts.

import { sendHeartbeats } from "./heartbeat.js";
import { mountRequests, runAction } from "./calibrate/requests.js";
import { mountCorners } from "./calibrate/corners.js";
import { mountDome } from "./calibrate/dome.js";
import { mountMarks } from "./calibrate/marks.js";
import { mountOwnDice } from "./calibrate/own_dice.js";
import { mountLanguages } from "./language.js";
import { mountPicture } from "./picture.js";
import { mountSteps } from "./calibrate/steps.js";
import { Store } from "./store.js";

const store = new Store();
for (const mount of [mountPicture, mountMarks, mountCorners, mountDome, mountSteps, mountOwnDice, mountRequests, mountLanguages]) mount(store);
sendHeartbeats();
runAction({ do: "begin" });
