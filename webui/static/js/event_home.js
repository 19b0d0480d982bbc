// SPDX-License-Identifier: MIT
// The first page of an event: its texts come with the page, only where it stands follows the stream.

import { $, setText } from "./dom.js";
import { followEvent } from "./event/stream.js";
import { describePlayers, describeProgress, mayJoin } from "./event/wording.js";
import { mountLanguages } from "./language.js";

mountLanguages();
const { dataset } = document.body;
followEvent((name, view) => {
  if (name !== "shared") return;
  // What is played, and what one can do now, stands in the page itself.
  const isOld = view.event && (`${mayJoin(view)}` !== dataset.joins || `${view.is_final}` !== dataset.over);
  if ((view.event?.name ?? "") !== dataset.event || isOld) location.reload();
  else if (view.event) setText($("progress"), `${describeProgress(view)} · ${describePlayers(view)}`);
});
