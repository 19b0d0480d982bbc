// SPDX-License-Identifier: MIT
// The newest view of the table, and the functions that show its parts.

export class Store {
  constructor() {
    this.view = null;
    this.watchers = [];
  }

  /** Call `show(view)` whenever one of these keys has changed; without keys at every change. */
  watch(keys, show) {
    this.watchers.push({ keys, show });
  }

  /** Apply a whole view (`snapshot`) or the keys that changed. */
  apply(part, isWhole) {
    // The seats come apart from the view.
    this.view = isWhole ? { seats: this.view?.seats, ...part } : { ...this.view, ...part };
    for (const { keys, show } of this.watchers) {
      if (isWhole || keys.length === 0 || keys.some((key) => key in part)) show(this.view);
    }
  }
}
