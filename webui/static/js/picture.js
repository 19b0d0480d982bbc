// SPDX-License-Identifier: MIT
// The live picture of the tray, as often as the connection allows; while nothing moves the table has few new ones.
//
// It is drawn on a canvas and freed at once. A browser keeps every picture of an <img>. At ten a
// second these take half a gigabyte within a minute, too much for a small Pi.

import { $, show } from "./dom.js";

const SHORTEST_PAUSE_MS = 90;
const NOTHING_NEW_MS = 180;
const FAILED_MS = 1500;

/** `onSize` is called after the first picture and after every change of size. */
export function mountPicture(onSize = () => {}) {
  loadForever(0, onSize);
}

/** Marks use the picture's pixels, so their drawing gets its size. */
function fitMarks(width, height) {
  $("tray-marks").setAttribute("viewBox", `0 0 ${width} ${height}`);
  $("tray").style.setProperty("--aspect", width / height);
}

/** Request the next picture only after the last one arrived, so a slow connection gets fewer. */
async function loadForever(number, onSize) {
  let newest = number;
  let pause = NOTHING_NEW_MS;
  // While it cannot be seen, no picture is fetched.
  if (!document.hidden && !document.body.matches("[data-idle]") && $("tray-picture").checkVisibility()) {
    try {
      const answer = await fetch(`/tray.jpg?after=${newest}${isShownSmall() ? "&small" : ""}`, { cache: "no-store" });
      if (answer.status === 200) {
        draw(await createImageBitmap(await answer.blob()), Number(answer.headers.get("X-Picture-Scale")), onSize);
        newest = answer.headers.get("X-Picture-Number");
        pause = SHORTEST_PAUSE_MS;
      }
    } catch {
      pause = FAILED_MS;
    }
  }
  setTimeout(() => loadForever(newest, onSize), pause);
}

/** Whether half the pixels of a frame are enough on this screen. */
function isShownSmall() {
  const canvas = $("tray-picture");
  const zoom = devicePixelRatio * (window.visualViewport?.scale ?? 1);
  return canvas.width > 0 && canvas.clientWidth * zoom <= canvas.width / 2;
}

/** The canvas has the size of the frame, whose pixels marks and clicks use, also for a smaller picture. */
function draw(bitmap, scale, onSize) {
  const canvas = $("tray-picture");
  const width = bitmap.width * scale, height = bitmap.height * scale;
  const isOther = canvas.width !== width || canvas.height !== height;
  if (isOther) Object.assign(canvas, { width, height });
  canvas.getContext("2d").drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  show($("tray-none"), false);
  if (isOther) {
    fitMarks(width, height);
    onSize();
  }
}
