// SPDX-License-Identifier: MIT
// The buttons that change the look of this screen: its theme, and how much moves.

const KEPT_S = 400 * 24 * 3600;

export function mountAppearance() {
  const { dataset } = document.documentElement;
  const groups = document.querySelectorAll(".looks");
  const show = () => {
    for (const button of document.querySelectorAll("[data-pick-theme]")) button.ariaPressed = button.dataset.pickTheme === dataset.theme;
    for (const button of document.querySelectorAll("[data-pick-motion]")) button.ariaPressed = dataset.motion === "less";
  };
  const pick = (event) => {
    // A tap on the help closes it.
    event.stopPropagation();
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.pickTheme) keep("theme", button.dataset.pickTheme);
    else keep("motion", dataset.motion === "less" ? "full" : "less");
    show();
  };
  for (const group of groups) group.addEventListener("click", pick);
}

function keep(name, value) {
  document.documentElement.dataset[name] = value;
  document.cookie = `dicebell-${name}=${value};path=/;max-age=${KEPT_S};samesite=strict`;
}
