// SPDX-License-Identifier: MIT
// The page of a tournament works without scripts, but for the choice of its language.

import { mountLanguages } from "./language.js";

mountLanguages();
