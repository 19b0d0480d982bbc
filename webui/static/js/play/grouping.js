// SPDX-License-Identifier: MIT
// Which dice belong to a choice of Choice, and which choice two tapped pairs make. What is legal is
// in the offers of the server.

const PAIRS = /^(\d+)\+(\d+)\/([1-6])$/;
const TRIPLE = /^3:1 (\d+)\+(\d+)\/([1-6])$/;
const SPLITS = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2]];

/** The group of each die for an action; null where it has none. Of equal dice the first ones. */
export function findGroups(faces, action) {
  if (action === "terminator") return faces.map(() => "thrown");
  const triple = TRIPLE.exec(action);
  if (triple) return findTriple(faces, ...triple.slice(1).map(Number));
  const pairs = PAIRS.exec(action);
  return pairs ? findPairs(faces, ...pairs.slice(1).map(Number)) : faces.map(() => null);
}

/** The groups of tapped dice: two pairs of two places, null where a place is free. */
export function groupTapped(faces, places) {
  const groups = faces.map(() => null);
  places.forEach((die, place) => {
    if (die !== null) groups[die] = place < 2 ? "a" : "b";
  });
  if (places.every((die) => die !== null)) groups[groups.indexOf(null)] = "fifth";
  return groups;
}

/** The choice that two whole pairs make, in the notation of records. */
export function writeChoice(faces, places) {
  const [a, b, c, d] = places.map((die) => faces[die]);
  const fifth = faces.find((_, die) => !places.includes(die));
  const [low, high] = [a + b, c + d].sort((one, other) => one - other);
  return `${low}+${high}/${fifth}`;
}

function findPairs(faces, low, high, fifth) {
  for (const [out, rest] of leaveEach(faces, fifth)) {
    for (const [a, b, c, d] of SPLITS) {
      const [one, other] = [[rest[a], rest[b]], [rest[c], rest[d]]];
      for (const [first, second] of [[one, other], [other, one]]) {
        if (sum(faces, first) === low && sum(faces, second) === high) return label(faces, first, second, out);
      }
    }
  }
  return faces.map(() => null);
}

function findTriple(faces, triple, single, fifth) {
  for (const [out, rest] of leaveEach(faces, fifth)) {
    for (const alone of rest) {
      const three = rest.filter((die) => die !== alone);
      if (faces[alone] === single && sum(faces, three) === triple) return label(faces, three, [alone], out);
    }
  }
  return faces.map(() => null);
}

/** Every way to leave out a die with this face: the die, and the four others. */
function leaveEach(faces, fifth) {
  const places = faces.map((_, die) => die);
  return places.filter((die) => faces[die] === fifth).map((out) => [out, places.filter((die) => die !== out)]);
}

function label(faces, first, second, out) {
  return faces.map((_, die) => (first.includes(die) ? "a" : second.includes(die) ? "b" : die === out ? "fifth" : null));
}

function sum(faces, dice) {
  return dice.reduce((total, die) => total + faces[die], 0);
}
