// SPDX-License-Identifier: MIT
// The first page of an event: its texts come with the page, only where it stands follows the stream.

import { $, setText } from "./dom.js";
import { followEvent } from "./event/stream.js";
import { describePlayers, describeProgress } from "./event/wording.js";
import { mountLanguages } from "./language.js";

mountLanguages();
const { dataset } = document.body;
followEvent((name, view) => {
  if (name !== "shared") return;
  // What is played stands in the page itself.
  if ((view.event?.name ?? "") !== dataset.event) location.reload();
  else if (view.event) setText($("progress"), `${describeProgress(view)} · ${describePlayers(view)}`);
});
