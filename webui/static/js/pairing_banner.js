// SPDX-License-Identifier: MIT
// What only the box's own screen shows, and only before a game: where phones find the table,
// the code that lets them play, and the PIN that the box came with.

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
      write({ url: lines.url?.replace(/^http:\/\/|\/$/g, ""), code: lines.code, pin: lines.first_pin });
    } catch {
      // No answer: the banner of the lost connection tells it.
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
