// SPDX-License-Identifier: MIT
// Play each sound of the table once; mute it and set its volume on this screen.

import { $, show } from "../dom.js";
import { gettext } from "../messages.js";
import { isTyping } from "../typing.js";
import { playCue } from "./tones.js";
import { speak } from "./voice.js";

const MUTE_KEY = "m";
const KEPT = "dicebell-sound";
/** The first strokes of a sound are over by then. */
const SPEAK_AFTER_S = 0.4;

export function mountSound(store) {
  const own = readOwn();
  let context = null, output = null, heard = null;

  store.watch(["sound"], ({ sound }) => {
    const isNew = heard !== null && sound !== null && sound.number > heard;
    heard = sound?.number ?? 0;
    if (isNew && sound.percent > 0 && !own.isMuted) play(sound);
  });

  /** Until the first press on the page the browser holds it back. */
  function open() {
    if (context) return;
    context = new AudioContext();
    // Two sounds at once are limited, not distorted.
    output = new DynamicsCompressorNode(context, { threshold: -6, ratio: 12 });
    output.connect(context.destination);
    context.addEventListener("statechange", showState);
  }

  function play(sound) {
    open();
    // What waited for a press would come too late to mean anything.
    if (context.state !== "running") return showState();
    const volume = new GainNode(context, { gain: (sound.percent / 100) * (own.percent / 100) });
    volume.connect(output);
    playCue(sound.cue, volume);
    if (sound.spoken) speak(sound, volume, volume.gain.value, SPEAK_AFTER_S);
  }

  function showState() {
    const isWaiting = !own.isMuted && context?.state === "suspended";
    $("mute").ariaPressed = own.isMuted;
    $("mute").classList.toggle("waiting", isWaiting);
    $("mute").title = isWaiting ? gettext("The browser plays sounds after the first press") : gettext("Mute (M)");
    $("volume").value = own.percent;
    show($("volume-row"), !own.isMuted);
  }

  function keep(change) {
    Object.assign(own, change);
    localStorage.setItem(KEPT, JSON.stringify(own));
    showState();
  }

  $("mute").addEventListener("click", () => keep({ isMuted: !own.isMuted }));
  $("volume").addEventListener("change", () => {
    keep({ percent: Number($("volume").value) });
    play({ cue: "choice", percent: store.view?.sound?.percent ?? 100 });
  });
  // A tap on the help closes it.
  $("volume-row").addEventListener("click", (event) => event.stopPropagation());
  document.addEventListener("keydown", (event) => {
    if (event.key === MUTE_KEY && !isTyping(event) && !event.repeat) keep({ isMuted: !own.isMuted });
  });
  for (const name of ["pointerdown", "keydown"]) {
    addEventListener(name, () => {
      open();
      context.resume();
    }, { once: true });
  }
  open();
  showState();
}

function readOwn() {
  const fresh = { isMuted: false, percent: 100 };
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(KEPT)) };
  } catch {
    return fresh;
  }
}
