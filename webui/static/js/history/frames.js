// SPDX-License-Identifier: MIT
// The steps of a replay as views of the table.

/** A view for each step, as the table's own screen has one: every sheet as it stood. */
export function makeFrames(replay, gone) {
  let sheets = {};
  return replay.steps.map((step, index) => {
    sheets = { ...sheets, ...step.sheets };
    const isEnd = index === replay.steps.length - 1;
    const players = replay.players.map((name) => ({
      name, state: step.by === name ? "rolls" : "idle", winner: isEnd && replay.winners.includes(name), ...sheets[name],
    }));
    const outcome = isEnd && replay.result ? { winners: replay.winners, losers: replay.losers, text: replay.result } : null;
    return {
      index, step, players, outcome, board: step.board, phase: "choosing", choices: [], dice: [], joker: "",
      gone: gone[step.picture.digest] ?? "", stopped: isEnd ? replay.stopped : "",
    };
  });
}
