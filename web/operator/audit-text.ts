import type { AccountName } from '../../src/client/index.ts';
import { duration, networkName } from '../custody/network-text.ts';
import { decimal } from '../decimal.ts';
import { capitalize, dateTime, grouped, rate } from '../format.ts';
import { t } from '../i18n/t.ts';
import { STATUS_NAMES } from '../trade/market-status.ts';
import { nameAccount } from './account-names.ts';
import { accountPath } from './account-path.ts';
import { withMinus } from './amount-text.ts';
import { describeAction } from './audit-actions.ts';
import { FAILED, FIELD_LABELS, POLICY_ACTIONS, RATES, REPORTED_STATES } from './audit-fields.ts';

export { describeAction } from './audit-actions.ts';

type Details = Readonly<Record<string, unknown>>;

/** A field of a command in words. */
export interface DetailLine {
  readonly name: string;
  /** The value before; undefined if it is not known, or the same. */
  readonly from?: string | undefined;
  readonly to: string;
  /** The place of the record that `to` names. */
  readonly path?: string | undefined;
  /** The id of the account that `to` names; undefined if that is the id, or no account. */
  readonly accountId?: string | undefined;
  /** Whether it reports a failure. */
  readonly isFailure: boolean;
}

/** Fields shown in other columns. */
const OMITTED = new Set(['accountId', 'symbol', 'user']);
/** Fields of commands that consist of several values, which are shown one by one. */
const SPREAD = new Set(['rules', 'limits']);

/** Formats details in one line: `Minimum notional 100 → 500, Reason: asked`. */
export function describeDetails(details: Details, current?: Details | null): string {
  return detailLines(details, current)
    .map(({ name, from, to }) =>
      from === undefined ? `${name}: ${to}` : `${name}: ${from} → ${to}`,
    )
    .join(', ');
}

/**
 * Returns the fields of a command with their values in words.
 * @param current The values of the same fields now, if they are known; fields that do not change are left out then
 * @param names Names of the accounts in the fields
 */
export function detailLines(
  details: Details,
  current?: Details | null,
  names: readonly AccountName[] = [],
): DetailLine[] {
  const units = readUnits(details);
  const lines = flatten(details).flatMap(([name, value]) => {
    if (name === 'command') return commandLines(value as Details, names);
    if (isAccount(name, value, details)) return [accountLine(name, value, names)];
    const to = valueText(name, value, units);
    const isFailure = name === 'reached' && String(value) === FAILED;
    const path = name === 'alert' ? alertPath(value) : undefined;
    return [{ key: name, name: findLabel(name, details), to, path, isFailure }];
  });
  if (current == null) return lines.filter(({ to }) => to !== '');
  const now = flatten(current);
  return lines.flatMap((line) => {
    const known = now.find(([name]) => name === line.key);
    if (known === undefined) return line.to === '' ? [] : [line];
    const from = valueText(line.key, known[1], units);
    if (from === line.to) return [];
    return [{ ...line, from: from || t('none'), to: line.to || t('none') }];
  });
}

type Line = DetailLine & { readonly key: string };

/** Returns the command of a request for approval. */
function commandLines({ action, ...details }: Details, names: readonly AccountName[]): Line[] {
  const name = t(describeAction(String(action)));
  const lines = detailLines(details, null, names).map((line) => ({ ...line, key: '' }));
  return [{ key: 'command', name: t('Request'), to: name, isFailure: false }, ...lines];
}

function flatten(details: Details): [name: string, value: unknown][] {
  // Amounts name their asset.
  const hasAmount = Object.keys(details).some((name) => IN_ASSET.has(name));
  return Object.entries(details).flatMap(([name, value]): [string, unknown][] => {
    if (OMITTED.has(name) || (name === 'asset' && hasAmount)) return [];
    const isSpread = SPREAD.has(name) && typeof value === 'object' && !Array.isArray(value);
    return isSpread && value !== null ? Object.entries(value) : [[name, value]];
  });
}

/** Units of amounts: the asset of the command, or base and quote of its market. */
interface Units {
  readonly asset: string | undefined;
  readonly base: string | undefined;
  readonly quote: string | undefined;
}

function readUnits({ asset, symbol }: Details): Units {
  const [base, quote] = typeof symbol === 'string' ? symbol.split('/') : [];
  return { asset: typeof asset === 'string' ? asset : undefined, base, quote };
}

const IN_BASE = new Set(['stepSize', 'minAmount', 'maxAmount']);
const IN_QUOTE = new Set([
  ...['tickSize', 'minPrice', 'maxPrice', 'minNotional', 'referencePrice', 'price'],
]);
const IN_ASSET = new Set([
  ...['amount', 'minBalance', 'minDeposit', 'minWithdrawal', 'withdrawalFee', 'dailyLimit'],
  ...['approvalAbove'],
]);

function findUnit(name: string, { asset, base, quote }: Units): string | undefined {
  if (IN_BASE.has(name)) return base;
  if (IN_QUOTE.has(name)) return quote;
  return IN_ASSET.has(name) ? (asset ?? base) : undefined;
}

/** Fields whose texts are accounts; `from` and `to` only in transfers, which have no mode. */
const ACCOUNT_FIELDS = new Set([
  ...['from', 'to', 'referrer', 'assignee', 'owner', 'maker', 'taker'],
]);

function isAccount(name: string, value: unknown, details: Details): value is string {
  const isText = typeof value === 'string' && value !== '';
  return isText && ACCOUNT_FIELDS.has(name) && !('mode' in details);
}

function accountLine(key: string, accountId: string, names: readonly AccountName[]): Line {
  const to = nameAccount(accountId, names);
  const id = to === accountId ? undefined : accountId;
  const path = accountPath(accountId);
  return { key, name: findLabel(key, {}), to, path, accountId: id, isFailure: false };
}

function alertPath(id: unknown): string | undefined {
  return typeof id === 'string' ? `#surveillance/${encodeURIComponent(id)}` : undefined;
}

function findLabel(name: string, details: Details): string {
  // A network's name is its own field; other commands call a network `network`.
  const key = name === 'name' && 'minWithdrawal' in details ? 'network' : name;
  const label = FIELD_LABELS[key];
  if (label !== undefined) return t(label);
  return capitalize(key.replace(/([A-Z])/g, ' $1').toLowerCase());
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Limits that 0 turns off. */
const NONE_IF_ZERO = new Set([
  ...['orderRate', 'ordersPerTrade', 'freeOrders', 'dailyLimit', 'hourlyCount'],
  ...['collar', 'staticBand', 'dynamicBand'],
]);

/** Fields whose values are codes: mostly those of the status of a market. */
const CODES = new Set(['status', 'mode', 'severity']);
const CODE_NAMES: Readonly<Record<string, string>> = STATUS_NAMES;

/** Returns a value in words; '' for none. */
function valueText(name: string, value: unknown, units: Units): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (Array.isArray(value)) {
    if (name === 'addresses' && value.length === 0) return t('Any');
    const elements = name === 'actions' ? chosenActions(value) : value;
    return elements.map((each) => elementText(name, each)).join(', ');
  }
  if (typeof value === 'object') return describeDetails(value as Details);
  const text = String(value);
  if (text === '0' && NONE_IF_ZERO.has(name)) return '';
  if (name === 'reached') return t(REPORTED_STATES[text] ?? text);
  if (ISO_TIME.test(text)) return dateTime(text);
  if (name.endsWith('Ms')) return duration(Number(text));
  if (name === 'tier' && text === '-1') return t('by volume');
  if (name === 'network') return networkName(text);
  if (CODES.has(name)) return t(CODE_NAMES[text] ?? capitalize(text));
  const number = decimal(text);
  if (number === undefined) return text;
  if (RATES.has(name)) return rate(number.toFixed());
  const unit = findUnit(name, units);
  if (unit === undefined) return text;
  return `${withMinus(grouped(number))} ${unit}`;
}

/** Returns the actions of a policy without those that it has because of others: a request names only the chosen ones. */
function chosenActions(actions: readonly unknown[]): readonly unknown[] {
  const named = actions.filter((action) => action !== 'policy');
  const chosen = named.filter((action) => action !== 'grants');
  return chosen.length === 0 ? named : chosen;
}

/** Returns an element of a list: an action of a policy, a limit, a tier, or a text. */
function elementText(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    const action = name === 'actions' ? POLICY_ACTIONS[String(value)] : undefined;
    return action === undefined ? String(value) : t(action);
  }
  const { asset, amount, minVolume, makerFee, takerFee } = value as Details;
  if (minVolume !== undefined) {
    const fees = { maker: rate(String(makerFee)), taker: rate(String(takerFee)) };
    return t('from {volume}: {maker} maker, {taker} taker', {
      volume: grouped(String(minVolume)),
      ...fees,
    });
  }
  if (amount === undefined) return describeDetails(value as Details);
  return `${grouped(String(amount))} ${asset}`;
}
