// SPDX-License-Identifier: MIT
// What is not certain, each thing told once: several places of which the same is to be said
// share a number, on their rings in the picture and in the list beside it.

export function toldOnce(doubts) {
  return doubts.filter((doubt, index) => numberOf(doubt, doubts.slice(0, index)) === 0);
}

/** The number of a doubt in a list of what is told, from 1; 0 where it is not in it. */
export function numberOf(doubt, told) {
  return told.findIndex((other) => other.kind === doubt.kind && other.text === doubt.text) + 1;
}
