import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ApiRequestError } from '../../src/client/errors.ts';
import { type ExactNumber, exactNumber } from '../../src/client/exact-number.ts';
import { RestClient } from '../../src/client/rest-client.ts';
import type { Side } from './recording.ts';
import { COST_DECIMALS } from './units.ts';

export const SYMBOL = 'BTC/USD';

/**
 * Number of accounts per side. An account can have 2,000 open orders, so this allows 8,000 resting orders per side; the
 * recording of five hours on Bitstamp has 130.
 */
const ACCOUNTS_PER_SIDE = 4;
/** Maximum rate-limit multiplier: 30,000 orders per minute if rate limits are on. */
const LIMIT_CLASS = '1000';
/** More than any recording needs. */
const FUNDS = { buy: ['USD', '1000000000000'], sell: ['BTC', '1000000000'] } as const;

/** One client per account. Buying accounts never sell, so that self-trade prevention does not interfere. */
export type Traders = Readonly<Record<Side, readonly RestClient[]>>;

const CREDENTIALS = z.object({
  baseUrl: z.string(),
  accounts: z.array(
    z.object({ apiKey: z.string(), apiSecret: z.string(), permissions: z.array(z.string()) }),
  ),
});

/** Returns a client with the operator's key in a file like sandbox.json. */
export function connectOperator(credentialsPath: string, url: string | undefined): RestClient {
  const { baseUrl, accounts } = CREDENTIALS.parse(
    JSON.parse(readFileSync(credentialsPath, 'utf8')),
  );
  const operator = accounts.find(({ permissions }) => permissions.includes('operate'));
  if (operator === undefined) {
    throw new Error(`${credentialsPath} has no key with the operate permission`);
  }
  const { apiKey, apiSecret } = operator;
  return new RestClient({ baseUrl: url ?? baseUrl, apiKey, apiSecret });
}

/**
 * Lists the market unless it exists.
 * @throws Error if it has resting orders, which would trade with the replayed ones
 */
export async function prepareMarket(operator: RestClient): Promise<void> {
  try {
    const { prices } = await operator.request<Prices>('GET', '/api/prices', {
      query: { symbol: SYMBOL },
    });
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

interface Prices {
  readonly prices: readonly {
    readonly bid: ExactNumber | null;
    readonly ask: ExactNumber | null;
  }[];
}

async function listMarket(operator: RestClient): Promise<void> {
  const { assets } = await operator.request<{ assets: readonly { asset: string }[] }>(
    'GET',
    '/api/admin/assets',
  );
  for (const [asset, name, decimals] of [
    ['BTC', 'Bitcoin', 8],
    ['USD', 'US dollar', COST_DECIMALS],
  ] as const) {
    if (assets.some((known) => known.asset === asset)) continue;
    const body = { asset, name, decimals: exactNumber(`${decimals}`) };
    await operator.request('POST', '/api/admin/assets', { body });
  }
  await operator.request('POST', '/api/admin/markets', {
    body: {
      symbol: SYMBOL,
      tickSize: exactNumber('0.01'),
      stepSize: exactNumber('0.00000001'),
      maxAmount: exactNumber('1000000'),
      maxPrice: exactNumber('1000000'),
      minNotional: exactNumber('0.01'),
      makerFee: exactNumber('0'),
      takerFee: exactNumber('0'),
      referencePrice: exactNumber('236.47'),
    },
  });
}

/**
 * Creates the accounts of one replay, with funds and keys.
 * @param run Part of the account ids, so that each replay in an exchange has its own accounts
 */
export async function openTraders(operator: RestClient, run: string): Promise<Traders> {
  return {
    buy: await openSide(operator, 'buy', run),
    sell: await openSide(operator, 'sell', run),
  };
}

async function openSide(operator: RestClient, side: Side, run: string): Promise<RestClient[]> {
  const clients: RestClient[] = [];
  for (let number = 1; number <= ACCOUNTS_PER_SIDE; number++) {
    clients.push(await openTrader(operator, `replay-${run}-${side}-${number}`, FUNDS[side]));
  }
  return clients;
}

async function openTrader(
  operator: RestClient,
  accountId: string,
  [asset, amount]: readonly [string, string],
): Promise<RestClient> {
  await operator.request('POST', '/api/admin/accounts', {
    body: { accountId, limitClass: exactNumber(LIMIT_CLASS) },
  });
  await operator.request('POST', '/api/admin/transfers', {
    body: {
      account: accountId,
      asset,
      amount: exactNumber(amount),
      reference: `${accountId}-funds`,
      reason: 'replay of a recording',
    },
  });
  const { key, apiSecret } = await operator.request<{ key: { apiKey: string }; apiSecret: string }>(
    'POST',
    `/api/admin/accounts/${accountId}/keys`,
    { body: { permissions: ['read', 'trade'] } },
  );
  return new RestClient({ baseUrl: operator.baseUrl, apiKey: key.apiKey, apiSecret });
}

/** Whether balances, fees and external transfers of every asset add up to zero. */
export async function booksBalance(operator: RestClient): Promise<boolean> {
  const { assets } = await operator.request<{ assets: readonly { balances: boolean }[] }>(
    'GET',
    '/api/admin/state',
  );
  return assets.every(({ balances }) => balances);
}
