import { MAX_ASSET_TOTAL } from '../limits.ts';
import { type Exact, multiple } from '../numbers/exact.ts';
import { MemoRule } from './statuses.ts';

/** The rules of an asset's network. Amounts are in minor units of the asset. */
export interface NetworkRules {
  /** Unique among the networks of the asset, such as `bitcoin`. */
  readonly name: string;
  /** Decimals of amounts on the network, at most those of the asset; they never change. */
  readonly decimals: number;
  readonly minDeposit: Exact;
  readonly minWithdrawal: Exact;
  readonly withdrawalFee: Exact;
  /** Confirmations at which a deposit is credited, from 1. */
  readonly confirmations: number;
  readonly memo: MemoRule;
  /** Whether deposits are credited. */
  readonly deposits: boolean;
  /** Whether withdrawals are requested, approved and sent. */
  readonly withdrawals: boolean;
  /** Maximum that an account withdraws in 24 hours, without fees; 0 for no limit. */
  readonly dailyLimit: Exact;
  /** Maximum withdrawals of an account in an hour; 0 for no limit. */
  readonly hourlyCount: number;
  /** The time for which a new address of the address book cannot be used. */
  readonly addressCoolingMs: number;
  /** The time for which withdrawals wait that are requested with a new device. */
  readonly newDeviceDelayMs: number;
  /** Larger amounts need the approval of two operators. */
  readonly approvalAbove: Exact;
}

export interface Network extends NetworkRules {
  /** Place in the list of all networks. */
  readonly id: number;
  /** Index of the asset. */
  readonly asset: number;
  /** The minimum amount that the network can express, in minor units of the asset. */
  readonly unit: Exact;
}

/** An asset, as far as its networks need it. */
interface Divisible {
  /** One coin is 10^decimals minor units. */
  readonly decimals: number;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
const MAX_CONFIRMATIONS = 10_000;
const MAX_HOURLY_COUNT = 1_000;
/** Maximum cooling period and delay: 30 days. */
export const MAX_CUSTODY_DELAY_MS = 30 * 86_400_000;
/** Printable ASCII without spaces. */
const ADDRESS = /^[\x21-\x7e]{1,128}$/;
/** Printable ASCII; empty for none. */
const MEMO = /^[\x20-\x7e]{0,100}$/;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Returns whether a network accepts a memo, which is empty if there is none. */
export function fitsMemo({ memo: rule }: NetworkRules, memo: string): boolean {
  if (!MEMO.test(memo) || memo.trim() !== memo) return false;
  return memo === '' ? rule !== MemoRule.required : rule !== MemoRule.none;
}

/** Returns whether an amount is positive and whole on the network. */
export function fitsNetwork({ unit }: Network, amount: Exact): boolean {
  return amount > 0 && isMultiple(amount, unit);
}

/** Returns the minimum amount of a network in minor units of the asset. */
export function networkUnit(asset: Divisible, decimals: number): Exact {
  return multiple(1, 10 ** (asset.decimals - decimals));
}

/** Returns the rule that is broken, or undefined if all are valid. */
export function brokenNetworkRule(asset: Divisible, rules: NetworkRules): string | undefined {
  const { decimals, confirmations, hourlyCount, memo } = rules;
  if (!NAME.test(rules.name)) return 'a network name is 1 to 32 of a-z, 0-9 and -';
  if (!isWithin(decimals, 0, asset.decimals)) {
    return `decimals must be from 0 to ${asset.decimals}, those of the asset`;
  }
  if (!isWithin(confirmations, 1, MAX_CONFIRMATIONS)) {
    return `confirmations must be from 1 to ${MAX_CONFIRMATIONS}`;
  }
  if (!isWithin(hourlyCount, 0, MAX_HOURLY_COUNT)) {
    return `hourlyCount must be from 0 to ${MAX_HOURLY_COUNT}`;
  }
  if (!isWithin(memo, 0, MemoRule.required)) return 'memo must be none, optional or required';
  for (const name of ['addressCoolingMs', 'newDeviceDelayMs'] as const) {
    if (!isWithin(rules[name], 0, MAX_CUSTODY_DELAY_MS))
      return `${name} must be from 0 to ${MAX_CUSTODY_DELAY_MS} (30 days)`;
  }
  const unit = networkUnit(asset, decimals);
  for (const name of AMOUNTS) {
    if (rules[name] < 0 || rules[name] >= MAX_ASSET_TOTAL) return `${name} is out of bounds`;
    if (!isMultiple(rules[name], unit)) {
      return `${name} may have at most ${decimals} decimals, those of the network`;
    }
  }
  return undefined;
}

/** The rules that are amounts, in the order of the log. */
export const AMOUNTS = [
  'minDeposit',
  'minWithdrawal',
  'withdrawalFee',
  'dailyLimit',
  'approvalAbove',
] as const;

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

function isMultiple(amount: Exact, unit: Exact): boolean {
  if (unit === 1) return true;
  return typeof amount === 'number' && typeof unit === 'number'
    ? amount % unit === 0
    : BigInt(amount) % BigInt(unit) === 0n;
}
