import { memoRules } from '../../../engine/custody/statuses.ts';
import { MARKET_RULES } from '../../../engine/markets/market-rules.ts';
import type { Asset } from '../../../engine/markets/markets.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { ApprovalAction, approvalActionNames } from '../../../engine/operators/approval-policy.ts';
import type { State } from '../../../engine/state.ts';
import { sides } from '../../../engine/terms.ts';
import { toPermissionNames } from '../../auth/permissions.ts';
import {
  type FixedRules,
  RATE_DECIMALS,
  RULE_FIELDS,
  ruleDecimals,
} from '../../openapi/market-rules.ts';

/** The fields of an audited command, with the engine's indexes and units. */
export type CommandDetails = Readonly<Record<string, unknown>>;

/** Email addresses by user id. Users who were removed have none. */
export type UserEmails = ReadonlyMap<string, string>;

/**
 * Returns the account, market or asset that a command changed, undefined if none of them. A request for approval is about
 * that of its command.
 */
export function auditSubject(details: CommandDetails, state: State): string | undefined {
  const { accountId, symbol, asset } = withNames(details, state);
  const [subject] = [accountId, symbol, asset].filter((name) => typeof name === 'string');
  if (subject === undefined && isFields(details.command)) {
    return auditSubject(details.command, state);
  }
  return subject as string | undefined;
}

/** Returns the readable details as JSON. @param users Email addresses by user id */
export function detailsText(details: CommandDetails, state: State, users: UserEmails): string {
  return JSON.stringify(readableDetails(details, state, users));
}

/** Returns the details with names instead of indexes and decimals instead of units. */
export function readableDetails(
  details: CommandDetails,
  state: State,
  users: UserEmails,
): CommandDetails {
  const { permissions, expiresAt, rules, tiers, limits, ...rest } = withNames(details, state);
  const readable: Record<string, unknown> = rest;
  // The command of a request for approval.
  if (isFields(rest.command)) readable.command = readableDetails(rest.command, state, users);
  // A change of a key has null for what stays.
  for (const term of ['label', 'addresses']) if (rest[term] === null) delete readable[term];
  if (typeof rest.user === 'string') readable.user = users.get(rest.user) ?? rest.user;
  nameNetwork(readable, details, state);
  if (typeof details.addressId === 'number') nameAddress(readable, details.addressId, state);
  const { amount, market, asset, from, to } = details;
  if ('clientId' in details && typeof from === 'number' && typeof to === 'number') {
    readable.from = state.accounts[from]?.id;
    readable.to = state.accounts[to]?.id;
  }
  if (limits !== undefined) readable.limits = readableLimits(limits, state);
  if (typeof details.actions === 'number') readable.actions = nameActions(details.actions);
  if (typeof permissions === 'number') readable.permissions = toPermissionNames(permissions);
  if (typeof details.requestedAt === 'number') {
    readable.requestedAt = new Date(details.requestedAt).toISOString();
  }
  if (typeof expiresAt === 'number') readable.expiresAt = timeOrNull(expiresAt);
  if (typeof details.until === 'number') readable.until = timeOrNull(details.until);
  if ('mode' in details) {
    readable.from = timeOrNull(details.from as number);
    readable.to = timeOrNull(details.to as number);
  }
  if (typeof asset === 'number' && typeof amount === 'string') {
    readable.amount = toDecimal(amount, state.assets[asset]!.decimals);
  }
  const { minBalance, rate, share, referrer } = details;
  if (typeof asset === 'number' && minBalance !== undefined) {
    readable.minBalance = toDecimal(minBalance, state.assets[asset]!.decimals);
    readable.rate = toDecimal(rate, RATE_DECIMALS);
  }
  if (typeof share === 'number') readable.share = toDecimal(share, RATE_DECIMALS);
  if (typeof details.assignee === 'number') {
    readable.assignee = state.accounts[details.assignee]?.id ?? null;
  }
  if (typeof referrer === 'number') readable.referrer = state.accounts[referrer]?.id;
  if (typeof market === 'number' && isFields(rules)) {
    const { rules: current, quote } = state.markets[market]!;
    readable.rules = readableRules(rules, current, quote);
  }
  if (typeof asset === 'number' && Array.isArray(tiers)) {
    readable.tiers = tiers.map((tier: CommandDetails) => readableTier(tier, state.assets[asset]!));
  }
  if (typeof details.priceDecimals === 'number') {
    const quote = state.assetsByName.get(String(details.quote))!;
    return readableRules(readable, details as unknown as FixedRules, quote);
  }
  return readable;
}

/** The amounts of a network's rules, in minor units of its asset. */
const NETWORK_AMOUNTS = [
  ...['minDeposit', 'minWithdrawal', 'withdrawalFee', 'dailyLimit', 'approvalAbove'],
] as const;

/** Names the network of a command, and shows the rules of one as the API has them. */
function nameNetwork(
  readable: Record<string, unknown>,
  { network, asset, minWithdrawal, memo }: CommandDetails,
  state: State,
): void {
  if (typeof network === 'number') {
    const found = state.parts.custody.store.networks.get(network);
    if (found === undefined) return;
    readable.asset = state.assets[found.asset]!.asset;
    readable.network = found.name;
  }
  if (typeof asset !== 'number' || minWithdrawal === undefined) return;
  for (const name of NETWORK_AMOUNTS) {
    readable[name] = toDecimal(readable[name], state.assets[asset]!.decimals);
  }
  readable.memo = memoRules[memo as number];
}

/**
 * Names the address of a withdrawal, by which its amount is converted. One that was removed from the address book is not
 * known any more.
 */
function nameAddress(
  readable: Record<string, unknown>,
  addressId: number,
  { assets, parts }: State,
): void {
  const { amount } = readable;
  const entry = parts.custody.store.book.get(addressId);
  if (entry === undefined) {
    delete readable.amount;
    return;
  }
  const network = parts.custody.store.networks.get(entry.network)!;
  const { asset, decimals } = assets[network.asset]!;
  delete readable.addressId;
  Object.assign(readable, { asset, network: network.name, address: entry.address });
  if (amount !== undefined) readable.amount = toDecimal(amount, decimals);
}

/** Returns a time of the engine, or null for none. */
function timeOrNull(time: number): string | null {
  return time === 0 ? null : new Date(time).toISOString();
}

function withNames(details: CommandDetails, { accounts, markets, assets }: State): CommandDetails {
  const { owner, market, asset, trade, ...rest } = details;
  return {
    ...(isFields(trade) ? tradeNames(trade, { accounts, markets }) : {}),
    ...(typeof owner === 'number' ? { accountId: accounts[owner]?.id } : {}),
    ...(typeof market === 'number' ? { symbol: markets[market]?.symbol } : {}),
    ...(asset === undefined ? {} : { asset: assets[asset as number]?.asset ?? asset }),
    ...rest,
  };
}

/** Returns the market and the terms of a busted trade. */
function tradeNames(
  trade: CommandDetails,
  { accounts, markets }: Pick<State, 'accounts' | 'markets'>,
): CommandDetails {
  const { symbol, rules } = markets[trade.market as number]!;
  return {
    symbol,
    tradeId: String(trade.id),
    side: sides[trade.takerSide as number],
    price: toDecimal(trade.price, rules.priceDecimals),
    amount: toDecimal(trade.amount, rules.amountDecimals),
    maker: accounts[trade.makerAccount as number]?.id,
    taker: accounts[trade.takerAccount as number]?.id,
  };
}

function readableRules(rules: CommandDetails, market: FixedRules, quote: Asset): CommandDetails {
  const decimals = ruleDecimals(market, quote);
  const readable = Object.entries(rules).map(([name, value]) => {
    if (!isRule(name)) return [name, value];
    return [RULE_FIELDS[name].field, toDecimal(value, decimals[MARKET_RULES[name]])];
  });
  return Object.fromEntries(readable);
}

/** Returns the limits of an approval policy, or of trading, with names of assets. */
function readableLimits(limits: unknown, { assets }: State): unknown {
  if (Array.isArray(limits)) {
    return limits.map(({ asset: index, amount }: CommandDetails) => {
      const { asset, decimals } = assets[index as number]!;
      return { asset, amount: toDecimal(amount, decimals) };
    });
  }
  if (!isFields(limits) || !Array.isArray(limits.openNotional)) return limits;
  const openNotional = limits.openNotional.map(({ asset: index, limit }: CommandDetails) => {
    const { asset, decimals } = assets[index as number]!;
    return { asset, amount: toDecimal(limit, decimals) };
  });
  return { ...limits, openNotional };
}

/** Returns the names of the actions of an approval policy. @param actions Sum of ApprovalAction values. */
function nameActions(actions: number): readonly string[] {
  return approvalActionNames.filter((name) => (actions & ApprovalAction[name]) !== 0);
}

function isRule(name: string): name is keyof typeof RULE_FIELDS {
  return Object.hasOwn(RULE_FIELDS, name);
}

function readableTier(tier: CommandDetails, asset: Asset): CommandDetails {
  return {
    minVolume: toDecimal(tier.minVolume, asset.decimals),
    makerFee: toDecimal(tier.makerFee, RATE_DECIMALS),
    takerFee: toDecimal(tier.takerFee, RATE_DECIMALS),
  };
}

/** Returns units as an exact JSON number. @param units A number, or digits as text. */
function toDecimal(units: unknown, decimals: number): unknown {
  const text = formatUnits(BigInt(units as number | string), decimals);
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

function isFields(value: unknown): value is CommandDetails {
  return typeof value === 'object' && value !== null;
}
