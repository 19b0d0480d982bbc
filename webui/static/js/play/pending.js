// SPDX-License-Identifier: MIT
// A sheet of Choice with the marks that a choice would add, at once and without asking the server. It
// is a preview: what counts is what the server marks.

const CHOICE = /^(3:1 )?(\d+)\+(\d+)\/([1-6])$/;
const PAR = 5;
const MOST = 10;
const PENALTY = -200;

/** `paper` is the sheet of the stream, `actions` are jokers and the choice after them. */
export function addPending(paper, actions) {
  const choice = CHOICE.exec(actions.at(-1) ?? "");
  const uses = actions.map((action) => action.split(" ")[0]).concat(choice?.[1] ? ["3:1"] : []);
  const jokers = paper.jokers.map((joker) => (uses.includes(joker.name) && joker.state === "unused" ? { ...joker, state: "pending" } : joker));
  const [low, high, fifth] = choice ? choice.slice(2).map(Number) : [];
  const rows = paper.rows.map((row) => addMarks(row, [low, high].filter((sum) => sum === row.sum).length));
  const gain = rows.reduce((total, row) => total + row.points_after - row.points, 0) - costOf(paper, jokers);
  return { ...paper, rows, jokers, fifth: fifth ? addFifth(paper.fifth, fifth) : paper.fifth, total_after: paper.total + gain };
}

function addMarks(row, pending) {
  if (pending === 0) return row;
  const marks = row.marks + pending;
  const points = marks < PAR ? PENALTY : (Math.min(marks, MOST) - PAR) * row.value;
  return { ...row, pending, points_after: points, tone_after: marks < PAR ? "red" : marks === PAR ? "grey" : "green" };
}

/** The die goes to its row, or to the first free one; on a full table it leaves no mark. */
function addFifth(rows, face) {
  const own = rows.findIndex((row) => row.face === face);
  const place = own < 0 ? rows.findIndex((row) => row.face === 0) : own;
  return rows.map((row, index) => (index === place ? { ...row, face, pending: 1 } : row));
}

function costOf({ jokers_points: points, jokers }, after) {
  const unused = (list) => list.filter((joker) => joker.state === "unused").length;
  return unused(jokers) ? (points / unused(jokers)) * (unused(jokers) - unused(after)) : 0;
}
