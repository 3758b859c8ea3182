// @ts-check
// The sounds of the table, made on the spot: a card on felt, a trick gathered, "your turn", a match won.

import { settings } from "../settings.mjs";

/** @typedef {"card" | "trick" | "deal" | "bid" | "turn" | "score" | "win" | "refuse"} Sound */

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** Browsers let a page sound only after the first touch or key. */
export function unlockSound() {
  const unlock = () => {
    if (!settings.sound.value) return;
    if (!context && typeof AudioContext !== "undefined") context = new AudioContext();
    if (context?.state === "suspended") void context.resume();
  };
  window.addEventListener("pointerdown", unlock, { passive: true });
  window.addEventListener("keydown", unlock);
  return () => {
    window.removeEventListener("pointerdown", unlock);
    window.removeEventListener("keydown", unlock);
  };
}

/** @param {Sound} sound */
export function play(sound) {
  if (!settings.sound.value || context?.state !== "running") return;
  SOUNDS[sound](context, context.currentTime + 0.005);
}

/** @type {Record<Sound, (audio: AudioContext, at: number) => void>} */
const SOUNDS = {
  card: (audio, at) => brush(audio, at, 0.07, 2100, 0.22),
  deal: (audio, at) => {
    for (let card = 0; card < 6; card++) brush(audio, at + card * 0.085, 0.05, 2400, 0.12);
  },
  trick: (audio, at) => {
    brush(audio, at, 0.16, 1300, 0.16);
    brush(audio, at + 0.09, 0.12, 900, 0.12);
  },
  bid: (audio, at) => tone(audio, at, 0.09, 392, 0.06),
  turn: (audio, at) => {
    tone(audio, at, 0.16, 587.33, 0.09);
    tone(audio, at + 0.12, 0.26, 880, 0.08);
  },
  score: (audio, at) => {
    tone(audio, at, 0.18, 523.25, 0.06);
    tone(audio, at + 0.1, 0.3, 659.25, 0.06);
  },
  win: (audio, at) => {
    [523.25, 659.25, 783.99, 1046.5].forEach((pitch, step) => tone(audio, at + step * 0.13, 0.45, pitch, 0.08));
  },
  refuse: (audio, at) => tone(audio, at, 0.16, 174.6, 0.09),
};

/** A short breath of filtered noise. @param {AudioContext} audio @param {number} at @param {number} length @param {number} pitch @param {number} loud */
function brush(audio, at, length, pitch, loud) {
  const source = audio.createBufferSource();
  source.buffer = noiseOf(audio);
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.setValueAtTime(pitch, at);
  filter.frequency.exponentialRampToValueAtTime(pitch / 2.4, at + length);
  filter.Q.value = 0.8;
  source.connect(filter).connect(envelope(audio, at, length, loud));
  source.start(at, Math.random() * 0.5, length + 0.05);
}

/** @param {AudioContext} audio @param {number} at @param {number} length @param {number} pitch @param {number} loud */
function tone(audio, at, length, pitch, loud) {
  const oscillator = audio.createOscillator();
  oscillator.type = "triangle";
  oscillator.frequency.value = pitch;
  oscillator.connect(envelope(audio, at, length, loud));
  oscillator.start(at);
  oscillator.stop(at + length + 0.05);
}

/** @param {AudioContext} audio @param {number} at @param {number} length @param {number} loud */
function envelope(audio, at, length, loud) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0008, at + length);
  gain.connect(audio.destination);
  return gain;
}

/** @param {AudioContext} audio */
function noiseOf(audio) {
  if (noise) return noise;
  noise = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let index = 0; index < data.length; index++) data[index] = Math.random() * 2 - 1;
  return noise;
}
