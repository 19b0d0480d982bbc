// SPDX-License-Identifier: MIT
// Follow the table: the view that came with the page, then that of the stream, whole first and then its changes. A broken
// connection is opened again, and the next whole view contains what was missed. A phone that slept or changed its network
// is back at once.

import { $, show } from "./dom.js";

const AGAIN_MS = 1000;
/** The table sends an event at least every two seconds; a connection may break silently. */
const LONGEST_SILENCE_MS = 8000;
/** After a silence of this length a page that is looked at again does not trust its connection. */
const STALE_MS = 2500;

/** As a popover it is above an open dialog too. */
function showLost(isLost) {
  show($("lost"), isLost);
  $("lost").togglePopover(isLost);
}

export function follow(store, address = "/events") {
  let source = null;
  let timer = 0;
  let heardAt = Date.now();
  /** The player whose view this connection carries; another one needs another connection. */
  let viewer;
  /** The whole view of a phone until its player is known, so that no player sees the view of another. */
  let held = null;
  const isSeat = new URL(address, location.href).searchParams.has("seat");

  const open = () => {
    clearTimeout(timer);
    source?.close();
    viewer = undefined;
    held = null;
    source = new EventSource(address);
    for (const name of ["snapshot", "change", "here", "seats"]) {
      source.addEventListener(name, (message) => receive(name, JSON.parse(message.data)));
    }
    source.addEventListener("error", onError);
    expectEvent();
  };
  const expectEvent = () => {
    clearTimeout(timer);
    timer = setTimeout(() => reopen(0), LONGEST_SILENCE_MS);
  };
  const reopen = (pause) => {
    clearTimeout(timer);
    source.close();
    showLost(true);
    timer = setTimeout(open, pause);
  };
  const receive = (name, part) => {
    heardAt = Date.now();
    expectEvent();
    if (name === "snapshot") showLost(false);
    if (name === "seats") receiveSeats(part);
    else if (name === "snapshot" && isSeat) held = part;
    else if (name !== "here") store.apply(part, name === "snapshot");
  };
  const receiveSeats = (part) => {
    if (viewer !== undefined && viewer !== part.seats.mine) open();
    else {
      store.apply({ ...held, ...part }, held !== null);
      viewer = part.seats.mine;
      held = null;
    }
  };
  const onError = ({ target }) => {
    if (target !== source) return;
    // The browser connects again by itself, unless the server refused the request.
    if (source.readyState === EventSource.CLOSED) reopen(AGAIN_MS);
    else {
      showLost(true);
      expectEvent();
    }
  };
  const wake = (event) => {
    if (document.hidden) return;
    const isBroken = source.readyState !== EventSource.OPEN || Date.now() - heardAt > STALE_MS;
    if (event.type === "online" || event.persisted || isBroken) open();
  };
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", wake);
  open();
  // Whoever follows has what this returns before the first view comes.
  queueMicrotask(() => {
    if ($("first-view")) store.apply(JSON.parse($("first-view").content), true);
  });
  return open;
}
