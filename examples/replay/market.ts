import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ApiRequestError, Client } from '../../src/client/index.ts';
import type { Side } from './recording.ts';
import { COST_DECIMALS } from './units.ts';

export const SYMBOL = 'BTC/USD';

/**
 * Number of accounts per side. An account can have 2,000 open orders, so this allows 8,000 resting orders per side; the
 * recording of five hours on Bitstamp has 130.
 */
const ACCOUNTS_PER_SIDE = 4;
/** Maximum rate-limit multiplier: 30,000 orders per minute if rate limits are on. */
const LIMIT_CLASS = 1000;
/** More than any recording needs. */
const FUNDS = { buy: ['USD', '1000000000000'], sell: ['BTC', '1000000000'] } as const;

/** Client whose prices and amounts are strings of their digits. */
export type ExactClient = Client<true>;

/** One client per account. Buying accounts never sell, so that self-trade prevention does not interfere. */
export type Traders = Readonly<Record<Side, readonly ExactClient[]>>;

const CREDENTIALS = z.object({
  baseUrl: z.string(),
  accounts: z.array(
    z.object({ apiKey: z.string(), apiSecret: z.string(), permissions: z.array(z.string()) }),
  ),
});

/** The client of the operator, and the URL of its exchange. */
export interface Operator {
  readonly client: ExactClient;
  readonly baseUrl: string;
}

/** Returns a client with the operator's key in a file like sandbox.json. */
export function connectOperator(credentialsPath: string, url: string | undefined): Operator {
  const { baseUrl, accounts } = CREDENTIALS.parse(
    JSON.parse(readFileSync(credentialsPath, 'utf8')),
  );
  const operator = accounts.find(({ permissions }) => permissions.includes('operate'));
  if (operator === undefined) {
    throw new Error(`${credentialsPath} has no key with the operate permission`);
  }
  const { apiKey, apiSecret } = operator;
  const target = url ?? baseUrl;
  return { client: connect(target, apiKey, apiSecret), baseUrl: target };
}

function connect(baseUrl: string, apiKey: string, apiSecret: string): ExactClient {
  return new Client({ baseUrl, apiKey, apiSecret, exactNumbers: true });
}

/**
 * Lists the market unless it exists.
 * @throws Error if it has resting orders, which would trade with the replayed ones
 */
export async function prepareMarket(operator: ExactClient): Promise<void> {
  try {
    const { prices } = await operator.getPrices({ symbol: SYMBOL });
    if (prices.every(({ bid, ask }) => bid === null && ask === null)) return;
  } catch (error) {
    if (!(error instanceof ApiRequestError) || error.code !== 'INVALID_SYMBOL') throw error;
    await listMarket(operator);
    return;
  }
  throw new Error(
    `${SYMBOL} has resting orders. Replay into an exchange where this market is not traded.`,
  );
}

async function listMarket(operator: ExactClient): Promise<void> {
  const { assets } = await operator.listKnownAssets();
  for (const [asset, name, decimals] of [
    ['BTC', 'Bitcoin', 8],
    ['USD', 'US dollar', COST_DECIMALS],
  ] as const) {
    if (assets.some((known) => known.asset === asset)) continue;
    await operator.createAsset({ asset, name, decimals });
  }
  await operator.listMarket({
    symbol: SYMBOL,
    tickSize: '0.01',
    stepSize: '0.00000001',
    maxAmount: '1000000',
    maxPrice: '1000000',
    minNotional: '0.01',
    makerFee: '0',
    takerFee: '0',
    referencePrice: '236.47',
  });
}

/**
 * Creates the accounts of one replay, with funds and keys.
 * @param run Part of the account ids, so that each replay in an exchange has its own accounts
 */
export async function openTraders(operator: Operator, run: string): Promise<Traders> {
  return {
    buy: await openSide(operator, 'buy', run),
    sell: await openSide(operator, 'sell', run),
  };
}

async function openSide(operator: Operator, side: Side, run: string): Promise<ExactClient[]> {
  const clients: ExactClient[] = [];
  for (let number = 1; number <= ACCOUNTS_PER_SIDE; number++) {
    clients.push(await openTrader(operator, `replay-${run}-${side}-${number}`, FUNDS[side]));
  }
  return clients;
}

async function openTrader(
  { client, baseUrl }: Operator,
  accountId: string,
  [asset, amount]: readonly [string, string],
): Promise<ExactClient> {
  await client.createAccount({ accountId, limitClass: LIMIT_CLASS });
  await client.createTransfer({
    account: accountId,
    asset,
    amount,
    reference: `${accountId}-funds`,
    reason: 'replay of a recording',
  });
  const { key, apiSecret } = await client.createKey({
    id: accountId,
    permissions: ['read', 'trade'],
  });
  return connect(baseUrl, key.apiKey, apiSecret!);
}

/** Whether balances, fees and external transfers of every asset add up to zero. */
export async function booksBalance(operator: ExactClient): Promise<boolean> {
  const { assets } = await operator.getState();
  return assets.every(({ balances }) => balances);
}
