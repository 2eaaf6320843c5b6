import { msg, t } from '../i18n/index.ts';
import { MIN_LENGTH } from './password.ts';
import { estimateStrength, type Strength } from './strength.ts';

/** The parts of the bar that are reached, and what to do. */
const LEVELS: Readonly<Record<Strength, readonly [reached: number, text: string]>> = {
  empty: [0, msg('At least {count} characters. Use a unique passphrase.')],
  short: [1, msg('Too short: at least {count} characters.')],
  guessable: [2, msg('Easy to guess. Add more words that do not belong together.')],
  fair: [3, msg('Fair. More words make it stronger.')],
  good: [4, msg('Strong')],
};

interface PasswordStrengthProps {
  readonly password: string;
  readonly email: string;
}

/** The strength of a new password while it is typed. */
export function PasswordStrength({ password, email }: PasswordStrengthProps) {
  const strength = estimateStrength(password, email);
  const [reached, text] = LEVELS[strength];
  return (
    <span class="strength">
      <span class={`strength-bar is-${strength}`} aria-hidden="true">
        {[1, 2, 3, 4].map((part) => (
          <i key={part} class={part <= reached ? 'reached' : undefined} />
        ))}
      </span>
      <span role="status">{t(text, { count: MIN_LENGTH })}</span>
    </span>
  );
}
