// SPDX-License-Identifier: MIT
// A button that was touched or clicked must not keep the focus, or the next Enter would press it again.

export function mountClicks() {
  document.addEventListener("click", (event) => {
    if (event.detail > 0) event.target.closest("button")?.blur();
  });
}
