import { MIN_LENGTH } from './password.ts';

/** The page's estimate of a password; the exchange has the last word, with lists of common passwords. */
export type Strength = 'empty' | 'short' | 'guessable' | 'fair' | 'good';

/** A password of this length that is not guessable is good. */
const GOOD_LENGTH = 18;
/** Fewer different characters are guessable, such as in `abcabcabcabc`. */
const MIN_DISTINCT = 6;
const SEQUENCES = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl'];
/** Words that are guessed first. */
const COMMON = ['password', 'passwort', 'buttonwood', 'letmein', 'iloveyou', 'welcome', 'trustno'];

/** Estimates a password by its length, its repetitions, and what is guessed first. */
export function estimateStrength(password: string, email: string): Strength {
  const characters = [...password];
  if (characters.length === 0) return 'empty';
  if (characters.length < MIN_LENGTH) return 'short';
  const rest = withoutGuessed(password.toLowerCase(), email.toLowerCase());
  if ([...rest].length < MIN_LENGTH / 2 || new Set(rest).size < MIN_DISTINCT) return 'guessable';
  return [...rest].length >= GOOD_LENGTH ? 'good' : 'fair';
}

/** Removes the name of the address, common words, and four and more characters of a sequence. */
function withoutGuessed(password: string, email: string): string {
  const name = email.split('@')[0] ?? '';
  const words = [email, name, ...name.split(/[^\p{L}\p{N}]+/u), ...COMMON];
  let rest = password;
  for (const word of words) if (word.length > 2) rest = rest.replaceAll(word, '');
  for (const sequence of SEQUENCES) {
    for (let length = sequence.length; length >= 4; length--) {
      for (let start = 0; start + length <= sequence.length; start++) {
        const part = sequence.slice(start, start + length);
        rest = rest.replaceAll(part, '').replaceAll([...part].reverse().join(''), '');
      }
    }
  }
  return rest;
}
