// SPDX-License-Identifier: MIT
// Shown only on the box's own screen before a game: the first PIN.

import { $, setText, show } from "./dom.js";

const EVERY_MS = 10_000;

export function mountPairingBanner(store) {
  if (document.body.dataset.role !== "box") return;
  let isLobby = false;
  store.watch(["phase"], ({ phase }) => {
    isLobby = phase === "lobby";
    if (isLobby) read();
    else show($("pairing"), false);
  });
  setInterval(() => {
    if (isLobby) read();
  }, EVERY_MS);

  async function read() {
    try {
      const answer = await fetch("/login/pairing");
      const lines = answer.ok ? await answer.json() : {};
      write({ pin: lines.first_pin });
    } catch {
      // No answer: the banner of the lost connection shows it.
    }
  }

  function write(lines) {
    for (const [name, text] of Object.entries(lines)) {
      setText($(`pairing-${name}`), text ?? "");
      show($(`pairing-${name}`).parentElement, Boolean(text));
    }
    show($("pairing"), isLobby && Object.values(lines).some(Boolean));
  }
}
