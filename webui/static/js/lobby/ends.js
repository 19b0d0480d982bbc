// SPDX-License-Identifier: MIT
// The question whether a new game may end the one that waits to be continued. The table asks it, so every screen shows
// it, and no page can leave it out.

import { $, setText, show } from "../dom.js";
import { send } from "../send.js";

/** `mayContinue(view)`: whether this page may continue the game that waits. */
export function mountEnds(store, mayContinue) {
  store.watch(["lobby", "seats"], (view) => {
    const { lobby } = view;
    show($("ends"), Boolean(lobby?.ends));
    if (!lobby?.ends) return;
    setText($("ends-which"), lobby.ends);
    setText($("ends-continue"), lobby.parked);
    show($("ends-continue"), mayContinue(view));
  });
  $("ends-continue").addEventListener("click", () => send({ do: "continue" }));
  $("ends-start").addEventListener("click", () => send({ do: "begin" }));
  // Any change of the lobby takes the question back, also one that changes nothing.
  $("ends-keep").addEventListener("click", () => {
    const { lines, games } = store.view.lobby;
    send({ do: "pick", game: games[lines.find(({ kind }) => kind === "game").index] });
  });
}
