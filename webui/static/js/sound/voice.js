// SPDX-License-Identifier: MIT
// Call a text aloud: with a voice of the browser, else with one of the table.

/** A voice from elsewhere would send what is said at the table to its maker. */
function findVoice() {
  const { lang } = document.documentElement;
  return window.speechSynthesis?.getVoices().find((voice) => voice.localService && voice.lang.startsWith(lang));
}

/** The newest sound that was to be spoken: the words of an older one may arrive later. */
let newest = null;

/** Speak what a sound of the table calls, through a node of its context, after this delay in seconds. */
export async function speak(sound, node, volume, delay_s) {
  newest = sound;
  const voice = findVoice();
  if (voice) {
    const words = new SpeechSynthesisUtterance(sound.spoken);
    Object.assign(words, { voice, lang: voice.lang, volume });
    // Only the newest state matters.
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
    return;
  }
  const from = node.context.currentTime + delay_s;
  const answer = await fetch(`/spoken.wav?number=${sound.number}`);
  if (!answer.ok) return;
  const buffer = await node.context.decodeAudioData(await answer.arrayBuffer());
  if (sound !== newest) return;
  const source = new AudioBufferSourceNode(node.context, { buffer });
  source.connect(node);
  source.start(Math.max(from, node.context.currentTime));
}
