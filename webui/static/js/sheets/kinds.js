// SPDX-License-Identifier: MIT
// Every game's sheet, and the words for what a player does now.

import { gettext } from "../messages.js";
import { blackNWhite } from "./black_n_white.js";
import { choice } from "./choice.js";
import { dice } from "./dice.js";
import { wuerfelspiel } from "./wuerfelspiel.js";

/** The functions of each kind of sheet: `make`, `update` and `isPending`. */
export const KINDS = { choice, "black-n-white": blackNWhite, wuerfelspiel, dice };

export const STATES = {
  rolls: gettext("throws"), chooses: gettext("chooses"), waits: gettext("waits"), done: gettext("has chosen"),
  finished: gettext("finished"), idle: "",
};
