import Big from 'big.js';
import type { Network } from '../../src/client/index.ts';
import { FieldError } from '../components/field-error.ts';
import { localNumber, parseNumber } from '../components/typed-number.ts';
import { msg, t } from '../i18n/t.ts';
import { NETWORK_LABELS } from './rule-labels.ts';

/** The rules of a network that operators set. */
export type NetworkRules = Omit<Network<string>, 'typicalDepositMs' | 'explorerUrl'>;

interface NetworkField {
  readonly name: NetworkFieldName;
  readonly label: string;
  readonly hint?: string;
  readonly kind: 'text' | 'count' | 'amount' | 'minutes';
  /** Whether it is an amount that is often so large that it needs separators. */
  readonly isLarge?: true;
}

export type NetworkFieldName = Exclude<keyof NetworkRules, 'deposits' | 'withdrawals' | 'memo'>;
export type NetworkTexts = Readonly<Record<NetworkFieldName, string>>;

/** The fields that are typed, in the order of the form. */
export const NETWORK_FIELDS: readonly NetworkField[] = [
  { name: 'asset', label: NETWORK_LABELS.asset, kind: 'text' },
  {
    name: 'network',
    label: NETWORK_LABELS.network,
    hint: msg('A to z, digits and hyphens, such as bitcoin'),
    kind: 'text',
  },
  {
    name: 'decimals',
    label: NETWORK_LABELS.decimals,
    hint: msg('Decimals used on the network. Cannot be changed later.'),
    kind: 'count',
  },
  {
    name: 'confirmations',
    label: NETWORK_LABELS.confirmations,
    hint: msg('Until a deposit is credited'),
    kind: 'count',
  },
  { name: 'minDeposit', label: NETWORK_LABELS.minDeposit, kind: 'amount' },
  { name: 'minWithdrawal', label: NETWORK_LABELS.minWithdrawal, kind: 'amount' },
  { name: 'withdrawalFee', label: NETWORK_LABELS.withdrawalFee, kind: 'amount' },
  {
    name: 'dailyLimit',
    label: NETWORK_LABELS.dailyLimit,
    hint: msg('Over all networks of the asset; 0 for none'),
    kind: 'amount',
    isLarge: true,
  },
  {
    name: 'hourlyCount',
    label: NETWORK_LABELS.hourlyCount,
    hint: msg('0 for no limit'),
    kind: 'count',
  },
  {
    name: 'approvalAbove',
    label: NETWORK_LABELS.approvalAbove,
    hint: msg('In 24 hours, counted per account'),
    kind: 'amount',
    isLarge: true,
  },
  { name: 'addressCoolingMs', label: NETWORK_LABELS.addressCoolingMs, kind: 'minutes' },
  { name: 'newDeviceDelayMs', label: NETWORK_LABELS.newDeviceDelayMs, kind: 'minutes' },
];

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/** Returns the rules as the user would type them: times in minutes. */
export function networkTexts(network: NetworkRules): NetworkTexts {
  const texts = NETWORK_FIELDS.map(({ name, kind }) => {
    const value = network[name];
    const text = kind === 'minutes' ? `${Number(value) / MINUTE_MS}` : `${value}`;
    return [name, kind === 'text' ? text : localNumber(text)];
  });
  return Object.fromEntries(texts) as NetworkTexts;
}

/** Returns the unit of a field; undefined if it has none. */
export function networkUnit({ kind }: NetworkField, asset: string): string | undefined {
  if (kind === 'minutes') return t('minutes');
  return kind === 'amount' && asset !== '' ? asset : undefined;
}

/** Reads the form. @throws FieldError */
export function readNetworkRules(texts: NetworkTexts) {
  const text = (name: NetworkFieldName) => texts[name].trim();
  const amount = (name: NetworkFieldName) => parseNumber(text(name), name);
  const count = (name: NetworkFieldName) => {
    if (!/^\d{1,10}$/.test(text(name))) throw new FieldError(name, t('Enter a whole number.'));
    return Number(text(name));
  };
  const time = (name: NetworkFieldName) => {
    const ms = new Big(parseNumber(text(name), name)).times(MINUTE_MS);
    if (ms.gte(0) && ms.mod(SECOND_MS).eq(0)) return ms.toNumber();
    throw new FieldError(name, t('Enter minutes that are whole seconds, such as 1440 or 0.5.'));
  };
  const rules = {
    ...{ asset: text('asset'), network: text('network'), decimals: count('decimals') },
    ...{ confirmations: count('confirmations'), hourlyCount: count('hourlyCount') },
    addressCoolingMs: time('addressCoolingMs'),
    newDeviceDelayMs: time('newDeviceDelayMs'),
    minDeposit: amount('minDeposit'),
    minWithdrawal: amount('minWithdrawal'),
    withdrawalFee: amount('withdrawalFee'),
    dailyLimit: amount('dailyLimit'),
    approvalAbove: amount('approvalAbove'),
  };
  // The engine accepts it; a withdrawal that costs more than it pays is a typing error.
  if (new Big(rules.minWithdrawal).lt(rules.withdrawalFee)) {
    throw new FieldError(
      'minWithdrawal',
      t('The minimum withdrawal is below the fee of {fee}. Raise it, or lower the fee.', {
        fee: rules.withdrawalFee,
      }),
    );
  }
  return rules;
}
