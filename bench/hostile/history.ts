import type { Command } from '../../src/engine/command.ts';
import { Side, TimeInForce } from '../../src/engine/terms.ts';
import { limitOrder } from '../../src/testing/test-exchange.ts';
import { append } from '../pauses/fill.ts';
import type { Trader } from '../rest/orders.ts';
import { get, TRADER } from './attacks.ts';

/** Reads of one account with a long history, sent in one burst. */

/** Accounts of the sandbox. */
const ALICE = 1;
const BOB = 2;
const FILLS = 10_000;
/** Each holds and releases funds: two ledger entries. */
const UNFILLED = 7_500;
const PRICE = 11_800_000;
/** The limit of each endpoint per minute. */
const REQUESTS_PER_ENDPOINT = 60;
const ENDPOINTS = ['portfolio/history?interval=1m&', 'orders?', 'ledger?', 'fills?'];
const POLL_EVERY_MS = 50;

/** Gives alice 10,000 fills and more than 50,000 ledger entries, in the log of a stopped sandbox. */
export function fillHistory(dataDirectory: string): Promise<void> {
  return append(dataDirectory, function* () {
    for (let index = 0; index < UNFILLED; index++) {
      yield order(ALICE, Side.buy, PRICE / 2, TimeInForce.ioc);
    }
    for (let index = 0; index < FILLS; index++) {
      yield order(BOB, Side.sell, PRICE, TimeInForce.gtc);
      yield order(ALICE, Side.buy, PRICE, TimeInForce.ioc);
    }
  });
}

function order(account: number, side: Side, price: number, timeInForce: number): Command {
  return { ...limitOrder(account, side, price, 10_000), timeInForce };
}

/** Requests for whole pages, no two alike: the response cache has none of the answers. */
export function historyReads(trader: Trader): string[] {
  return Array.from({ length: REQUESTS_PER_ENDPOINT }, (_, index) =>
    ENDPOINTS.map((path) => get(`/api/${path}limit=${1000 - index}`, ...keyHeaders(trader))),
  ).flat();
}

export interface Watched {
  /** Highest time of a read of the trader's own history, milliseconds. */
  readonly traderReadMaxMs: number;
  /** Reads of the trader that were not answered with 200. */
  readonly traderReadsFailed: number;
  readonly archivistLagMaxMs: number;
}

/** Reads a trader's history, and the archivist's lag, again and again for so many seconds. */
export async function watchReads(
  baseUrl: string,
  metricsUrl: string,
  trader: Trader,
  seconds: number,
): Promise<Watched> {
  const until = performance.now() + seconds * 1000;
  const [reads, archivistLagMaxMs] = await Promise.all([
    readUntil(until, baseUrl, trader),
    maxLagMs(until, metricsUrl),
  ]);
  return { ...reads, archivistLagMaxMs };
}

async function readUntil(until: number, baseUrl: string, trader: Trader) {
  const headers = Object.fromEntries(keyHeaders(trader).map((line) => line.split(': ')));
  headers['X-Forwarded-For'] = TRADER;
  let maxMs = 0;
  let traderReadsFailed = 0;
  for (let index = 0; performance.now() < until; index++) {
    const path = ['orders', 'ledger', 'fills', 'portfolio/history'][index % 4];
    const sentAt = performance.now();
    const answer = await fetch(`${baseUrl}/api/${path}?limit=${1 + (index % 100)}`, { headers });
    await answer.text();
    maxMs = Math.max(maxMs, performance.now() - sentAt);
    if (answer.status !== 200) traderReadsFailed++;
    await Bun.sleep(POLL_EVERY_MS);
  }
  return { traderReadMaxMs: Math.round(maxMs), traderReadsFailed };
}

async function maxLagMs(until: number, metricsUrl: string): Promise<number> {
  let maxSeconds = 0;
  while (performance.now() < until) {
    const metrics = await (await fetch(metricsUrl)).text();
    const [, lag] = /^buttonwood_archivist_lag_seconds (\S+)/m.exec(metrics)!;
    maxSeconds = Math.max(maxSeconds, Number(lag));
    await Bun.sleep(POLL_EVERY_MS);
  }
  return Math.round(maxSeconds * 1000);
}

function keyHeaders({ apiKey, apiSecret }: Trader): string[] {
  return [`Authorization: Bearer ${apiKey}`, `X-API-Secret: ${apiSecret}`];
}
