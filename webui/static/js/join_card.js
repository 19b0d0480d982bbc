// SPDX-License-Identifier: MIT
// How a phone joins, on the box's own screen and for officials: a card in the lobby and a dialog at any
// time, each with the link as a QR code and as text. The dialog also frees the seats of phones.

import { $, el, fill, setText, show } from "./dom.js";
import { mountLoaded, readJson, showImage } from "./loaded.js";
import { gettext } from "./messages.js";
import { post } from "./post.js";
import { toast } from "./toast.js";

const EVERY_MS = 10_000;
const CLOSE_KEYS = ["Backspace", "Escape"];

export function mountJoinCard(store) {
  const dialog = $("phones");
  if (!dialog) return;
  const link = mountLoaded({ load: () => readJson("/join/link"), show: showLink, clear: clearLink });
  // A new game has a new code.
  store.watch(["phase"], ({ phase }) => {
    link.want(phase === "lobby" ? phase : null);
    if (dialog.open) link.again();
  });
  store.watch(["seats"], ({ seats }) => fill($("seats-with-phones"), seats?.taken ?? [], makeSeat, showSeat));
  for (const name of ["phones-open", "join-card"]) {
    $(name).addEventListener("click", () => {
      if (link.key === null) clearLink();
      dialog.showModal();
      link.again();
    });
  }
  $("phones-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => {
    if (CLOSE_KEYS.includes(event.key)) dialog.close();
    // No key of an open dialog presses a button of the table.
    event.stopPropagation();
  });
  setInterval(() => {
    if (link.key !== null || dialog.open) link.again();
  }, EVERY_MS);
}

function clearLink() {
  for (const id of ["join-card", "phones-link", "phones-none"]) show($(id), false);
}

function showLink({ link, address, name, code }) {
  show($("join-card"), link !== null);
  show($("phones-link"), link !== null);
  show($("phones-none"), link === null);
  if (link === null) return;
  const texts = { address, name, digits: code && gettext("Code {code}", { code }) };
  for (const [key, text] of Object.entries(texts)) {
    for (const node of document.querySelectorAll(`[data-join="${key}"]`)) {
      setText(node, text ?? "");
      show(node, Boolean(text));
    }
  }
  // The address changes with the link, so that a browser draws the new one and keeps no old one.
  for (const image of document.querySelectorAll('img[data-join="code"]')) {
    if (image.dataset.link === link) continue;
    image.dataset.link = link;
    showImage(image, `/join/code.svg?${Date.now()}`);
  }
}

function makeSeat() {
  const free = ({ currentTarget }) => post("/join/free", { player: currentTarget.dataset.free }, toast);
  return el("li", {}, el("b"), el("button", { type: "button", onclick: free }));
}

function showSeat(item, player) {
  const [name, button] = item.children;
  setText(name, player);
  setText(button, gettext("Free {player}'s phone", { player }));
  button.dataset.free = player;
}
