import fc from 'fast-check';
import {
  type Command,
  CommandKind,
  type CreateKey,
  type ListedRules,
  type ListMarket,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import { MAX_ASSET_TOTAL, MAX_UNITS } from '../../src/engine/limits.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import { Permission } from '../../src/engine/terms.ts';
import type { NaiveState } from './naive-state.ts';
import { firstNetworks } from './scenario-networks.ts';
import { USUAL_STEPS } from './scenario-parts.ts';

/** The world of a scenario: assets, markets, accounts, keys and funds. */

export interface World {
  /** Decimals of the assets A, B and C. */
  readonly decimals: readonly number[];
  /** In the order A/B, C/B, A/C, B/A, C/A. */
  readonly markets: readonly MarketShape[];
  readonly accounts: number;
  /** Balances by account and asset, in orders of usual size that they pay for. */
  readonly funds: readonly number[];
  /** Engine version at the start; an older one is upgraded later. */
  readonly version: number;
}

export interface MarketShape {
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  readonly tick: number;
  readonly step: number;
  /** The reference price, in ticks. */
  readonly middle: number;
  readonly hasLargeAmounts: boolean;
  /** In steps at the reference price. */
  readonly minNotional: number;
  readonly makerFee: number;
  readonly takerFee: number;
  readonly collar: number;
  readonly staticBand: number;
  readonly dynamicBand: number;
  readonly auctionMs: number;
}

export const START = 1_700_000_000_000;

const PAIRS = [
  [0, 1],
  [2, 1],
  [0, 2],
  [1, 0],
  [2, 0],
] as const;

const TICKERS = ['A', 'B', 'C'] as const;

const fee = fc.constantFrom(0, 1, 250, 1000, 99_999, 100_000);
const marketShape: fc.Arbitrary<MarketShape> = fc.record({
  priceDecimals: fc.nat(4),
  amountDecimals: fc.nat(8),
  tick: fc.constantFrom(1, 1, 5, 7),
  step: fc.constantFrom(1, 1, 3, 10),
  middle: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 7, max: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(11_800_000, 1e11, 1e14) },
  ),
  hasLargeAmounts: fc.boolean(),
  minNotional: fc.constantFrom(0, 0, 1, 3),
  makerFee: fc.oneof(fee, fc.constantFrom(-1, -250, -100_000)),
  takerFee: fee,
  collar: fc.constantFrom(0, 0, 1, 99_999, 150_000, 1_000_000),
  staticBand: fc.constantFrom(0, 0, 0, 0, 60_000, 150_000, 400_000),
  dynamicBand: fc.constantFrom(0, 0, 0, 0, 1, 50_000, 120_000),
  auctionMs: fc.constantFrom(1, 5, 20, 60),
});

/** Generates worlds with `accounts` accounts (at least 2) and up to `maxMarkets` markets. */
export function arbitraryWorld(
  accounts: fc.Arbitrary<number>,
  maxMarkets: number,
): fc.Arbitrary<World> {
  return fc.record({
    decimals: fc.tuple(...TICKERS.map(() => fc.constantFrom(0, 2, 8, 10, 18, 22))),
    markets: fc.array(marketShape, { minLength: 1, maxLength: maxMarkets, size: 'max' }),
    accounts,
    funds: fc.array(fc.constantFrom(0, 3, 40, 1e9, 1e30, 1e30), { minLength: 18, maxLength: 18 }),
    version: fc.constantFrom(ENGINE_VERSION, ENGINE_VERSION, ENGINE_VERSION, 1),
  });
}

export const NEW_MARKET: MarketShape = {
  priceDecimals: 1,
  amountDecimals: 1,
  tick: 1,
  step: 1,
  middle: 10,
  hasLargeAmounts: false,
  minNotional: 0,
  makerFee: 10,
  takerFee: 20,
  collar: 100_000,
  staticBand: 0,
  dynamicBand: 0,
  auctionMs: 0,
};

export function makeListing(
  shape: MarketShape,
  pair: number,
  decimals: readonly number[],
  version: number,
): ListMarket {
  const [base, quote] = PAIRS[pair]!;
  const amountDecimals = Math.min(shape.amountDecimals, decimals[base]!, decimals[quote]!);
  const priceDecimals = Math.min(shape.priceDecimals, decimals[quote]! - amountDecimals);
  const { tick, step } = shape;
  const middle = shape.middle * tick;
  const scale = 10n ** BigInt(decimals[quote]! - priceDecimals - amountDecimals);
  const rules: ListedRules = {
    priceDecimals,
    amountDecimals,
    tick,
    step,
    minPrice: middle - 5 * tick,
    maxPrice: middle + 5 * tick,
    minAmount: step,
    maxAmount: shape.hasLargeAmounts ? MAX_UNITS - (MAX_UNITS % step) : step * USUAL_STEPS,
    minNotional: exact(BigInt(middle) * BigInt(step * shape.minNotional) * scale),
    // Version 1 has no rebates, and takers always pay for them.
    makerFee: Math.max(shape.makerFee, version < 2 ? 0 : 0 - shape.takerFee),
    takerFee: shape.takerFee,
    referencePrice: middle,
    collar: shape.collar,
    ...(version >= 2 && selectAuctionRules(shape)),
  };
  const names = {
    symbol: `${TICKERS[base]}/${TICKERS[quote]}`,
    base: TICKERS[base],
    quote: TICKERS[quote],
  };
  return { kind: CommandKind.listMarket, ...SYSTEM_ACTOR, ...names, ...rules };
}

function selectAuctionRules({ staticBand, dynamicBand, auctionMs }: MarketShape) {
  return { staticBand, dynamicBand, auctionMs };
}

/**
 * Returns the commands that create the world. Account 0 belongs to the operator; key n belongs to
 * account n, and the last two keys cannot trade for long or at all.
 */
export function prologue({ decimals, markets, accounts, funds, version }: World): Command[] {
  const commands: Command[] = [{ kind: CommandKind.open, version, sandbox: true }];
  TICKERS.forEach((asset, index) => {
    const terms = { asset, name: asset, decimals: decimals[index]! };
    commands.push({ kind: CommandKind.createAsset, ...SYSTEM_ACTOR, ...terms });
  });
  const listings = markets.map((shape, pair) => makeListing(shape, pair, decimals, version));
  commands.push(...listings);
  for (let owner = 0; owner <= accounts; owner++) {
    const accountId = `account-${owner}`;
    commands.push({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    const withdraws = version >= 2 && owner % 2 === 1 ? Permission.withdraw : 0;
    const trades = Permission.read + Permission.trade + withdraws;
    const permissions = owner === 0 ? Permission.operate : trades;
    commands.push(newKey(owner, `key-${owner}`, permissions, 0));
  }
  commands.push(newKey(1, 'read-only', Permission.read, 0));
  commands.push(newKey(2, 'short-lived', Permission.trade, START + 20));
  if (version >= 2) commands.push(...firstNetworks(decimals));
  if (version >= 2) commands.push(newSignedKey(1, 'signing', Permission.trade, 0));
  // Together the balances stay below the maximum total of an asset.
  const maximum = MAX_ASSET_TOTAL / BigInt(accounts + 4);
  for (let owner = 1; owner <= accounts; owner++) {
    for (let asset = 0; asset < TICKERS.length; asset++) {
      const orders = funds[((owner - 1) * 3 + asset) % funds.length]!;
      const wanted = BigInt(orders) * usualNeed(asset, listings, decimals);
      const amount = wanted < maximum ? wanted : maximum;
      const reference = `funds-${owner}-${asset}`;
      if (amount > 0n) commands.push(makeTransfer(owner, asset, amount, reference));
    }
  }
  return commands;
}

/** Returns the amount of an asset that an order of usual size needs, in minor units. */
function usualNeed(
  asset: number,
  listings: readonly ListMarket[],
  decimals: readonly number[],
): bigint {
  const ticker = TICKERS[asset];
  const market = listings.find(({ base, quote }) => base === ticker || quote === ticker);
  if (market === undefined) return 1000n;
  const amount = BigInt(market.step * USUAL_STEPS);
  if (market.base === ticker)
    return amount * 10n ** BigInt(decimals[asset]! - market.amountDecimals);
  const scale = 10n ** BigInt(decimals[asset]! - market.priceDecimals - market.amountDecimals);
  return amount * BigInt(market.referencePrice) * scale;
}

/** Returns `usualNeed` for the current assets and markets. */
export function minimumNeed(state: NaiveState): (asset: number) => bigint {
  const listings = state.markets.map(
    (each) => ({ ...each.rules, base: each.base.asset, quote: each.quote.asset }) as ListMarket,
  );
  return (asset) => usualNeed(asset, listings, listDecimals(state));
}

export function listDecimals(state: NaiveState): number[] {
  return state.assets.map((each) => each.decimals);
}

export function newKey(
  owner: number,
  apiKey: string,
  permissions: number,
  expiresAt: number,
): Command {
  const secretHash = new Uint8Array(32).fill(owner + 1);
  const addresses = owner % 2 === 0 ? [] : ['10.0.0.0/8', '::1'];
  const terms = {
    owner,
    apiKey,
    secretHash,
    permissions,
    label: `of ${owner}`,
    addresses,
    expiresAt,
  };
  return { kind: CommandKind.createKey, ...SYSTEM_ACTOR, ...terms };
}

/** Returns the command that creates a key with a public key instead of a secret. */
export function newSignedKey(...terms: Parameters<typeof newKey>): Command {
  const { kind, secretHash, ...rest } = newKey(...terms) as CreateKey;
  return { kind: CommandKind.createSignedKey, publicKey: secretHash, ...rest };
}

/** Returns the command that creates a key with a sealed secret. */
export function newHmacKey(...terms: Parameters<typeof newKey>): Command {
  const { kind, secretHash, ...rest } = newKey(...terms) as CreateKey;
  return { kind: CommandKind.createHmacKey, sealedSecret: secretHash, ...rest };
}

export function makeTransfer(
  owner: number,
  asset: number,
  amount: bigint,
  reference: string,
): Command {
  const terms = { owner, asset, amount: exact(amount), reference, reason: 'test' };
  return { kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms };
}

/** Returns new terms of one of the keys that there were, rarely of a key that never was. */
export function newTerms(
  move: {
    readonly which: number;
    readonly label: number;
    readonly addresses: 'none' | 'same' | 'other' | 'both' | 'kept' | 'first';
  },
  { keys }: NaiveState,
) {
  const key = keys[move.which % (keys.length + 1)];
  const own = key?.addresses ?? [];
  const other = ['192.0.2.7'];
  const addresses = {
    ...{ none: [], same: own, other, both: [...own, ...other] },
    ...{ kept: null, first: own.slice(0, 1) },
  }[move.addresses];
  const label = move.label === 0 ? null : `label ${move.label}`;
  return { apiKey: key?.apiKey ?? 'unknown', label, addresses };
}
