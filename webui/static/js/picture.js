// SPDX-License-Identifier: MIT
// The live picture of the tray, always the newest that the line can carry.
//
// It is drawn on a canvas and freed at once. A browser keeps what an <img> has shown: at ten
// pictures a second that is half a gigabyte within a minute, more than a small Pi can spare.

import { $, show } from "./dom.js";

const SHORTEST_PAUSE_MS = 90;
const NOTHING_NEW_MS = 180;
const FAILED_MS = 1500;

/** `onSize` is told the picture's width and height with the first one, and when they change. */
export function mountPicture(onSize = () => {}) {
  loadForever(0, onSize);
}

/** Places are in pixels of the picture: what is drawn on it takes its measure from it. */
export function fitMarks(width, height) {
  $("tray-marks").setAttribute("viewBox", `0 0 ${width} ${height}`);
  $("tray").style.setProperty("--aspect", width / height);
}

/** Ask for the next picture only after the last one came: a slow line gets fewer of them. */
async function loadForever(number, onSize) {
  let newest = number;
  let pause = NOTHING_NEW_MS;
  if (!document.hidden) {
    try {
      const answer = await fetch(`/tray.jpg?after=${newest}`, { cache: "no-store" });
      if (answer.status === 200) {
        draw(await createImageBitmap(await answer.blob()), onSize);
        newest = answer.headers.get("X-Picture-Number");
        pause = SHORTEST_PAUSE_MS;
      }
    } catch {
      pause = FAILED_MS;
    }
  }
  setTimeout(() => loadForever(newest, onSize), pause);
}

function draw(bitmap, onSize) {
  const canvas = $("tray-picture");
  const { width, height } = bitmap;
  const isOther = canvas.width !== width || canvas.height !== height;
  if (isOther) Object.assign(canvas, { width, height });
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  show($("tray-none"), false);
  if (isOther) {
    fitMarks(width, height);
    onSize();
  }
}
