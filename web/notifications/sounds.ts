import { preference, storedValue } from '../preferences.ts';

/** Whether this browser plays the sound of each kind. */
const choices = {
  trade: preference('sound-fill', ['off', 'on'], 'off'),
  filled: preference('sound-filled', ['off', 'on'], 'off'),
  alert: preference('sound-alert', ['off', 'on'], 'off'),
} as const;
/** The sounds of events, by the name of the event. */
export const SOUND_EVENTS: Readonly<Record<string, Sound>> = {
  'order.filled': 'filled',
  'fill.created': 'trade',
  'price.alert': 'alert',
};
/** Volume from 0 to 100. */
export const volume = storedValue<number>(
  'volume',
  (value) => (typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined),
  50,
);

export type Sound = keyof typeof TONES;

/**
 * Frequencies in hertz, one note after another: a rising fourth for a trade, a rising chord for a filled order, a bell struck
 * three times for an alert.
 */
const TONES = { trade: [659, 880], filled: [659, 880, 1109], alert: [988, 988, 988] } as const;
const NOTE_S = 0.12;
const FADE_S = 0.25;
/** Loudness at full volume; a sine at 1 would be painful. */
const MAX_GAIN = 0.4;
/** Sounds of the same kind that arrive within this time are one, in all tabs together. */
const QUIET_MS = 400;

let audio: AudioContext | undefined;

export function soundIsOn(sound: Sound): boolean {
  return choices[sound].value === 'on';
}

/** Returns whether any sound is on. */
export function soundsAreOn(): boolean {
  return (Object.keys(choices) as Sound[]).some(soundIsOn);
}

/** Turns a sound on, which plays it, or off. */
export function setSound(sound: Sound, isOn: boolean): void {
  choices[sound].value = isOn ? 'on' : 'off';
  playSound(sound);
}

/** The time that a trade waits for the news that it filled the order, which arrives on another channel. */
const SAME_EVENT_MS = 150;
let waitingTrade: ReturnType<typeof setTimeout> | undefined;
let filledAt = Number.NEGATIVE_INFINITY;

/** Plays the sound of a trade, unless that of the filled order takes its place. */
export function playTrade(): void {
  if (performance.now() - filledAt < SAME_EVENT_MS) return;
  waitingTrade ??= setTimeout(() => {
    waitingTrade = undefined;
    playSound('trade');
  }, SAME_EVENT_MS);
}

/** Plays the sound of a filled order in place of that of its last trade, with which it begins. */
export function playFilled(): void {
  if (!soundIsOn('filled')) return;
  clearTimeout(waitingTrade);
  waitingTrade = undefined;
  filledAt = performance.now();
  playSound('filled');
}

/** Plays a sound if it is on. Browsers are silent until the user has clicked or typed in the tab. */
export function playSound(sound: Sound): void {
  if (!soundIsOn(sound)) return;
  // The first tab that takes the lock plays the sound, and keeps the others from it.
  void navigator.locks.request(`buttonwood-${sound}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    await strike(sound);
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  });
}

async function strike(sound: Sound): Promise<void> {
  audio ??= new AudioContext();
  if (audio.state === 'suspended') {
    // Resuming waits for a click, after which an old sound would be misleading.
    void audio.resume();
    if (navigator.userActivation?.hasBeenActive !== true) return;
  }
  const gain = (volume.value / 100) ** 2 * MAX_GAIN;
  for (const [place, frequency] of TONES[sound].entries()) {
    playNote(audio, frequency, audio.currentTime + place * NOTE_S, gain);
  }
}

function playNote(context: AudioContext, frequency: number, start: number, gain: number): void {
  const oscillator = context.createOscillator();
  const envelope = context.createGain();
  oscillator.frequency.value = frequency;
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(gain, start + 0.01);
  envelope.gain.exponentialRampToValueAtTime(0.0001, start + FADE_S);
  oscillator.connect(envelope).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + FADE_S);
}
