// SPDX-License-Identifier: MIT
// For whom this page acts: the player of a phone, one of those who share a browser, or any for an
// official. The address says it, so each player's page begins without anything of another's.

const asked = new URLSearchParams(location.search);

/** Whether this is the own screen of a table, where players sit whom an official seated there. */
export const IS_KIOSK = document.body.dataset.kiosk !== undefined;
export const IS_OFFICIAL = asked.has("official");
export const PLAYER = asked.get("player");
/** Whether a further player joins in this browser. */
export const JOINS = asked.has("join") && !IS_KIOSK;
/** Where one says who one is. */
export const WHO = IS_OFFICIAL ? "/play?official" : "/play";

const query = new URLSearchParams({ ...(IS_OFFICIAL && { official: "" }), ...(PLAYER && { player: PLAYER }) });

/** The address of a request for the player of this page. */
export function addSeat(path, more = {}) {
  const all = new URLSearchParams([...query, ...Object.entries(more)]).toString();
  return all ? `${path}?${all}` : path;
}

/** The address of a player's page. */
export function findPage(player) {
  return `${WHO}${IS_OFFICIAL ? "&" : "?"}player=${player}`;
}

/** The name under which this page stores something; each player has another one. */
export function nameStored(name) {
  return PLAYER ? `${name}-${PLAYER}` : name;
}
