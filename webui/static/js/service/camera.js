// SPDX-License-Identifier: MIT
// The exposure: the settings, and the values that the camera reports.

import { $, setText } from "../dom.js";
import { formatDecimal, gettext } from "../messages.js";
import { pollWhileOpen } from "./requests.js";
import { showSettings } from "./settings.js";

const AGAIN_MS = 1000;
const KEYS = ["exposure_us", "gain", "red_gain", "blue_gain", "focus_dioptre", "mains_hz"];
/** What a camera without a maker calls itself. */
const NAMES = { simulated: gettext("simulated") };

export function mountCamera() {
  pollWhileOpen("camera", "settings", AGAIN_MS, ({ problem, sections }) => {
    const { settings } = sections.find((section) => section.name === "camera");
    const shown = KEYS.map((key) => settings.find((setting) => setting.key === key));
    showSettings($("camera-settings"), shown, !problem);
  });
  pollWhileOpen("camera", "camera", AGAIN_MS, ({ name, exposure }) => {
    setText($("camera-name"), gettext("Camera: {name}", { name: NAMES[name] ?? name }));
    [...$("camera-settings").children].forEach((node, index) => {
      const reported = exposure[KEYS[index]];
      setText(node.querySelector(".now"), reported ? gettext("Reported: {value}", { value: formatDecimal(reported, Number.isInteger(reported) ? 0 : 2) }) : "");
    });
  });
}
