import {
  type Command,
  CommandKind,
  type CreateAccount,
  type CreateAsset,
  type ListMarket,
  SYSTEM_ACTOR,
  type Transfer,
} from '../../engine/command.ts';
import { product } from '../../engine/numbers/exact.ts';
import { MAKER, MAKER_LIMIT_CLASS, TAKER } from '../makers/maker-accounts.ts';
import { makerGenesis } from '../makers/maker-genesis.ts';
import { COMMON_RULES, SANDBOX_ASSETS, sandboxGenesis, TRADERS } from '../sandbox.ts';
import { decimalsOfNewAsset } from './markets.ts';
import { BUYERS, SELLERS } from './recorded-accounts.ts';
import type { RecordedMarket, Recording } from './recording.ts';

/** Funds of each account of the recording, in whole coins: more than any recorded account trades. */
const RECORDED_FUNDS = 100_000_000_000;
/** Funds of alice and bob in assets that a sandbox usually does not have. */
const TRADER_FUNDS = 1_000_000;

/**
 * Returns the first commands of a sandbox that plays a recording, except for keys: those of every sandbox, the recorded
 * markets that it does not have, and the accounts that trade in them.
 */
export function recordedGenesis({ markets }: Recording): Command[] {
  const genesis = sandboxGenesis().map((command) => withFirstPrice(command, markets));
  const assets = newAssets(markets);
  const decimals = [...SANDBOX_ASSETS, ...assets];
  const accounts = genesis.filter(({ kind }) => kind === CommandKind.createAccount).length;
  const makers = makerGenesis([accounts, accounts + 1]);
  const others = hasOrders(markets) ? [...BUYERS, ...SELLERS] : [];
  const traded = [...new Set(markets.flatMap(({ base, quote }) => [base, quote]))];
  const fund = (accountId: string, owner: number, asset: string, coins: number): Transfer => {
    const index = decimals.findIndex((each) => each.asset === asset);
    return {
      kind: CommandKind.transfer,
      ...SYSTEM_ACTOR,
      owner,
      asset: index,
      amount: product(coins, 1, 10 ** decimals[index]!.decimals),
      reference: `recorded-${accountId}-${asset}`,
      reason: 'sandbox funds',
    };
  };
  return [
    ...genesis,
    ...assets,
    ...markets.filter(({ isListed }) => !isListed).map(listing),
    ...makers,
    ...others.map(account),
    ...[MAKER, TAKER, ...others].flatMap((id, index) =>
      traded.map((asset) => fund(id, accounts + index, asset, RECORDED_FUNDS)),
    ),
    ...TRADERS.flatMap((id, index) =>
      assets.map(({ asset }) => fund(id, index + 1, asset, TRADER_FUNDS)),
    ),
  ];
}

function hasOrders(markets: readonly RecordedMarket[]): boolean {
  return markets.some(({ format }) => format === 'l3' || format === 'bitstamp');
}

/** Lists a market of the sandbox at the first price of its recording. */
function withFirstPrice(command: Command, markets: readonly RecordedMarket[]): Command {
  if (command.kind !== CommandKind.listMarket) return command;
  const recorded = markets.find(({ symbol }) => symbol === command.symbol);
  return recorded === undefined ? command : { ...command, referencePrice: recorded.firstPrice };
}

/** Returns the assets of the markets that a sandbox does not have. */
function newAssets(markets: readonly RecordedMarket[]): CreateAsset[] {
  const decimals = new Map<string, number>();
  const need = (asset: string, needed: number) => {
    if (SANDBOX_ASSETS.some((known) => known.asset === asset)) return;
    decimals.set(asset, Math.max(needed, decimals.get(asset) ?? 0));
  };
  for (const market of markets) {
    need(market.base, decimalsOfNewAsset(false, market));
    need(market.quote, decimalsOfNewAsset(true, market));
  }
  return [...decimals].map(([asset, digits]) => ({
    kind: CommandKind.createAsset,
    ...SYSTEM_ACTOR,
    asset,
    name: asset,
    decimals: digits,
  }));
}

function listing(market: RecordedMarket): ListMarket {
  const { symbol, base, quote, priceDecimals, amountDecimals } = market;
  return {
    kind: CommandKind.listMarket,
    ...SYSTEM_ACTOR,
    symbol,
    base,
    quote,
    ...COMMON_RULES,
    priceDecimals,
    amountDecimals,
    maxPrice: market.maxPrice,
    maxAmount: market.maxAmount,
    referencePrice: market.firstPrice,
    // A recorded trade may be worth less than any minimum.
    minNotional: 0,
  };
}

function account(accountId: string): CreateAccount {
  return {
    kind: CommandKind.createAccount,
    ...SYSTEM_ACTOR,
    accountId,
    limitClass: MAKER_LIMIT_CLASS,
  };
}
