// SPDX-License-Identifier: MIT
// The controls of the simulated tray. A click on a die in the tray picture picks it up or turns it,
// depending on the selected tool.

import { $ } from "./dom.js";
import { isTyping } from "./typing.js";
import { runSimulator } from "./send.js";

export function mountSimulator() {
  if (!$("simulator")) return;
  const buttons = [...$("simulator").querySelectorAll("button")];
  const tools = buttons.filter((button) => button.dataset.tool);
  for (const button of buttons) {
    const { hand, tool } = button.dataset;
    button.addEventListener("click", () => (tool ? chooseTool(tools, tool) : runSimulator({ do: hand })));
  }
  chooseTool(tools, "take");
  $("tray-picture").addEventListener("click", (event) => {
    runSimulator({ do: document.body.dataset.tool, ...placeInPicture(event) });
  });
  $("fault").addEventListener("change", () => {
    runSimulator({ do: "fault", name: $("fault").value || null });
    $("fault").blur();
  });
  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.repeat) return;
    buttons.find((button) => button.dataset.shortcut === event.key.toLowerCase())?.click();
  });
}

function chooseTool(tools, chosen) {
  document.body.dataset.tool = chosen;
  for (const tool of tools) tool.setAttribute("aria-pressed", tool.dataset.tool === chosen);
}

/** The position of a click, in pixels of the camera's picture. */
function placeInPicture(event) {
  const picture = $("tray-picture");
  const box = picture.getBoundingClientRect();
  return {
    x: ((event.clientX - box.left) / box.width) * picture.width,
    y: ((event.clientY - box.top) / box.height) * picture.height,
  };
}
