// SPDX-License-Identifier: MIT
// The sounds of the table, made while they play: tones and knocks that die away.

/** Partials of a small cast bell: their pitch against the strike note, their level and how long they ring against the lowest. */
const PARTIALS = [[0.5, 0.5, 1], [1, 1, 0.8], [1.19, 0.55, 0.6], [1.5, 0.35, 0.5], [2, 0.5, 0.4], [2.74, 0.25, 0.25], [3.76, 0.15, 0.15]];
const ATTACK_S = 0.004;
/** A decay ends this much quieter than it began. */
const END_LEVEL = 0.001;
const NOISE_S = 0.5;

/** Each sound as strokes: the kind, when it begins (s), its pitch (Hz), how long it rings (s) and its level. */
const SOUNDS = {
  bell: [["bell", 0, 1046.5, 2.6, 0.24]],
  "roll taken": [
    ["knock", 0, 2100, 0.05, 0.9], ["knock", 0.05, 1700, 0.05, 0.75], ["knock", 0.11, 2400, 0.045, 0.6], ["knock", 0.16, 1900, 0.04, 0.5],
    ["knock", 0.25, 1500, 0.05, 0.4],
  ],
  choice: [["knock", 0, 1200, 0.05, 0.6], ["tone", 0, 784, 0.12, 0.25]],
  "your turn": [["tone", 0, 659.3, 0.5, 0.32], ["tone", 0.16, 987.8, 0.7, 0.32]],
  doubt: [["tone", 0, 233.1, 0.3, 0.42], ["tone", 0, 246.9, 0.3, 0.3], ["tone", 0.34, 233.1, 0.45, 0.42], ["tone", 0.34, 246.9, 0.45, 0.3]],
  end: [["bell", 0, 784, 1.6, 0.13], ["bell", 0.18, 987.8, 1.6, 0.13], ["bell", 0.36, 1174.7, 1.8, 0.13], ["bell", 0.62, 1568, 2.6, 0.16]],
};

/** How long a sound rings, in seconds. */
export function lengthOf(cue) {
  return Math.max(...SOUNDS[cue].map(([, at, , ring]) => at + ring));
}

/** Play a sound into a node of its context; an unknown one is silent. */
export function playCue(cue, node, from = node.context.currentTime) {
  for (const [kind, at, hz, ring, level] of SOUNDS[cue] ?? []) STROKES[kind](node, from + at, hz, ring, level);
}

const STROKES = {
  tone: (node, at, hz, ring, level) => {
    const tone = new OscillatorNode(node.context, { frequency: hz });
    tone.connect(dieAway(node, at, ring, level));
    tone.start(at);
    tone.stop(at + ring);
  },
  bell: (node, at, hz, ring, level) => {
    for (const [pitch, part, length] of PARTIALS) STROKES.tone(node, at, hz * pitch, ring * length, level * part);
  },
  knock: (node, at, hz, ring, level) => {
    const noise = new AudioBufferSourceNode(node.context, { buffer: makeNoise(node.context) });
    noise.connect(new BiquadFilterNode(node.context, { type: "bandpass", frequency: hz, Q: 2 })).connect(dieAway(node, at, ring, level));
    noise.start(at, 0, ring);
  },
};

function dieAway(node, at, ring, level) {
  const gain = new GainNode(node.context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(level, at + ATTACK_S);
  gain.gain.exponentialRampToValueAtTime(level * END_LEVEL, at + ring);
  gain.connect(node);
  return gain;
}

function makeNoise(context) {
  const buffer = context.createBuffer(1, NOISE_S * context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = 2 * Math.random() - 1;
  return buffer;
}
