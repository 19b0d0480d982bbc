// SPDX-License-Identifier: MIT
// The live picture, always the newest that the line can carry.

import { $, show } from "../dom.js";

const SHORTEST_PAUSE_MS = 60;
const NOTHING_NEW_MS = 150;
const FAILED_MS = 1500;

export function mountPicture() {
  $("tray-picture").addEventListener("load", fit);
  loadForever(0);
}

async function loadForever(number) {
  let newest = number;
  let pause = NOTHING_NEW_MS;
  if (!document.hidden) {
    try {
      const answer = await fetch(`/tray.jpg?after=${newest}`, { cache: "no-store" });
      if (answer.status === 200) {
        showPicture(await answer.blob());
        newest = answer.headers.get("X-Picture-Number");
        pause = SHORTEST_PAUSE_MS;
      }
    } catch {
      pause = FAILED_MS;
    }
  }
  setTimeout(() => loadForever(newest), pause);
}

function showPicture(blob) {
  const picture = $("tray-picture");
  const before = picture.src;
  picture.src = URL.createObjectURL(blob);
  if (before) URL.revokeObjectURL(before);
  show($("tray-none"), false);
}

/** Places are in pixels of the picture: the drawing takes its measure from it. */
function fit() {
  const { naturalWidth: width, naturalHeight: height } = $("tray-picture");
  const box = `0 0 ${width} ${height}`;
  if ($("tray-marks").getAttribute("viewBox") === box) return;
  $("tray-marks").setAttribute("viewBox", box);
  $("tray").style.setProperty("--aspect", width / height);
}
