// SPDX-License-Identifier: MIT
// The newest checkpoint as a signed note: as a text, and as a code to photograph.

import { $, setText } from "../dom.js";
import { showImage } from "../loaded.js";
import { gettext } from "../messages.js";
import { toast } from "../toast.js";

export function mountNote() {
  $("show-note").addEventListener("click", showNote);
}

async function showNote() {
  let answer;
  try {
    answer = await fetch("/service/note", { cache: "no-store" });
  } catch {
    return;
  }
  if (answer.status === 403) location.assign("/login?to=/service");
  if (!answer.ok) return;
  const { note } = await answer.json();
  if (note === null) {
    toast(gettext("There is no checkpoint yet. The table signs one after every round."));
    return;
  }
  setText($("note-text"), note);
  showImage($("note-code"), `/service/note.svg?at=${Date.now()}`);
  $("note-board").showModal();
}
