// SPDX-License-Identifier: MIT
// The buttons that change the language of this screen.

const KEPT_S = 400 * 24 * 3600;

export function mountLanguages() {
  for (const button of document.querySelectorAll("[data-language]")) {
    button.addEventListener("click", () => choose(button.dataset.language));
  }
}

function choose(language) {
  document.cookie = `dicebell-language=${language};path=/;max-age=${KEPT_S};samesite=strict`;
  location.reload();
}
