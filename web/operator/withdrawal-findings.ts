import type Big from 'big.js';
import type { User, Withdrawal, WithdrawalAddress } from '../../src/client/index.ts';
import { duration } from '../custody/network-text.ts';
import { rounded } from '../format.ts';
import { t } from '../i18n/t.ts';
import type { EarlierWithdrawals } from './earlier-withdrawals.ts';

/** The circumstances of a withdrawal: its account, its users and its recipient. */
export interface Circumstances {
  readonly users: readonly User[];
  readonly value: string;
  /** Share of the account's value in percent; undefined if a price is missing. */
  readonly percent: Big | undefined;
  /** The entry of the address book; undefined if it was removed. */
  readonly address: WithdrawalAddress | undefined;
  /** Completed withdrawals to the same address. */
  readonly earlier: EarlierWithdrawals;
  /** The exchange's time. */
  readonly now: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Returns how long ago a time was, in its largest unit: `3 hours ago`. */
export function ageText(time: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(time));
  const unit = [DAY_MS, HOUR_MS, MINUTE_MS].find((each) => ms >= each) ?? SECOND_MS;
  return t('{age} ago', { age: duration(Math.floor(ms / unit) * unit) });
}

/** Returns whether an address is so new that operators should look twice. */
export function isNewAddress(address: WithdrawalAddress, now: number): boolean {
  return isRecent(address.createdAt, now);
}

function isRecent(time: string, now: number): boolean {
  return now - Date.parse(time) < DAY_MS;
}

/** Returns whether all users of an account have two-factor authentication. */
export function haveSecondFactor(users: readonly User[]): boolean {
  return users.length > 0 && users.every(({ secondFactor }) => secondFactor);
}

/** Returns the text for a search that ended early and found nothing. */
export function noneOfNewest(searched: number): string {
  return t('Not among the last {count} withdrawals', { count: searched });
}

const TONES = ['warning', 'notice', 'fine'] as const;

interface Finding {
  readonly tone: (typeof TONES)[number];
  readonly text: string;
}

interface Examined extends Pick<Withdrawal<string>, 'waitsUntil'> {
  /** Undefined until they are known. */
  readonly circumstances: Circumstances | undefined;
}

/** Share of an account, in percent, from which a withdrawal stands out. */
const LARGE_SHARE = 50;

/** Returns the risks of a withdrawal: warnings, then notices, then what is fine. @param now The exchange's time, if it is known */
export function listFindings(
  { waitsUntil, circumstances }: Examined,
  now: number | undefined,
): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (tone: Finding['tone'], text: string) => findings.push({ tone, text });
  if (waitsUntil !== null) add('warning', t('New device'));
  if (circumstances !== undefined) {
    const { users, percent, address, earlier } = circumstances;
    const time = now ?? circumstances.now;
    const { firstUsed } = earlier;
    // A small withdrawal that tests an address often comes right before a theft.
    const isProven = firstUsed !== undefined && !isRecent(firstUsed, time);
    add(isProven ? 'fine' : 'warning', useText(earlier, time));
    if (address === undefined) add('warning', t('Not in the address book'));
    else {
      const age = ageText(address.createdAt, time);
      add(isNewAddress(address, time) ? 'warning' : 'fine', t('Address added {age}', { age }));
    }
    if (percent !== undefined) {
      add(
        percent.gte(LARGE_SHARE) ? 'warning' : 'fine',
        t('{percent}% of the account', { percent: rounded(percent, 1) }),
      );
    }
    if (haveSecondFactor(users)) add('fine', t('2FA on'));
    else add('notice', t('2FA off'));
  }
  return findings.toSorted((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone));
}

/** Returns whether the account has withdrawn to the address before, and since when. */
function useText({ firstUsed, searched, isComplete }: EarlierWithdrawals, now: number): string {
  if (firstUsed === undefined) {
    return isComplete ? t('First withdrawal to this address') : noneOfNewest(searched);
  }
  const age = ageText(firstUsed, now);
  return isComplete
    ? t('Address first used {age}', { age })
    : t('Address first used {age} or earlier', { age });
}
