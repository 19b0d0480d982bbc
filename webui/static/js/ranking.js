// SPDX-License-Identifier: MIT
// The order of the players at the end of a game.

/** Winners first, then by total. */
export function rankPlayers(players) {
  return [...players].sort((one, other) => other.winner - one.winner || other.total - one.total);
}

/** Equal totals share a place. */
export function findPlace(player, players) {
  return rankPlayers(players).findIndex((other) => other.total === player.total) + 1;
}
