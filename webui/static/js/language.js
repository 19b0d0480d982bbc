// SPDX-License-Identifier: MIT
// The buttons that change the language of this screen. An address may name one, such as `/?language=de`: what the page asks
// for later has to come in the same language, so the screen keeps it.

const NAME = "language";
const COOKIE = "dicebell-language";
const KEPT_S = 400 * 24 * 3600;

export function mountLanguages() {
  if (new URLSearchParams(location.search).get(NAME) === document.documentElement.lang) {
    keep(document.documentElement.lang);
    // Without cookies a reload must still name it.
    if (document.cookie.includes(`${COOKIE}=`)) history.replaceState(null, "", unnamed());
  }
  for (const button of document.querySelectorAll("[data-language]")) {
    button.addEventListener("click", () => choose(button.dataset.language));
  }
}

function choose(language) {
  keep(language);
  location.reload();
}

function keep(language) {
  document.cookie = `${COOKIE}=${language};path=/;max-age=${KEPT_S};samesite=strict`;
}

/** The address of this page without its language: a reload shows the one that the screen keeps. */
function unnamed() {
  const address = new URL(location.href);
  address.searchParams.delete(NAME);
  return address;
}
