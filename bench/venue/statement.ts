/**
 * A statement of an account with a million fills, under a steady load of orders. The account is the taker of half of its fills
 * and the maker of the others. First whole statements are timed. Then slices without a report take turns with slices in which
 * a statement is being made; `p99Ratio` is the median of the ratios of the p99 of orders in such a slice to the mean of those
 * right before and after it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Side, TimeInForce } from '../../src/engine/terms.ts';
import { limitOrder } from '../../src/testing/test-exchange.ts';
import { median, neighborMeans, pairedRatio } from '../pairs.ts';
import { append } from '../pauses/fill.ts';

const PORT = 4311;
const baseUrl = `http://127.0.0.1:${PORT}`;
const [ALICE, BOB] = [1, 2];
const PRICE = 11_800_000;
const FILLS_PER_ORDER = 10;
const ORDERS_PER_SECOND = 200;
const START_TIMEOUT_MS = 600_000;

export interface StatementOptions {
  readonly fills?: number;
  /** Number of whole statements. */
  readonly statements?: number;
  /** Number of slices with a statement, each between two slices without one. */
  readonly slices?: number;
  readonly sliceMs?: number;
}

/** Runs the bench. @returns Its figures. */
export async function benchStatement({
  fills = 1_000_000,
  statements = 3,
  slices = 20,
  sliceMs = 5_000,
}: StatementOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-statement-'));
  const data = join(directory, 'data');
  let child: Bun.Subprocess | undefined;
  try {
    child = await start(data);
    await stop(child);
    await append(data, () => trade(fills));
    child = await start(data);
    const alice = headers(data, 'alice');
    const load = new Load(headers(data, 'bob'));
    await Bun.sleep(sliceMs);
    const seconds: number[] = [];
    for (let n = 0; n < statements; n++) seconds.push(await makeStatement(alice, fills));
    const measure = async () => {
      load.clear();
      await Bun.sleep(sliceMs);
      return load.p99();
    };
    const busy: number[] = [];
    const quiet = [await measure()];
    for (let slice = 0; slice < slices; slice++) {
      const { reportId } = await beginStatement(alice);
      busy.push(await measure());
      const { status } = await request('DELETE', `/api/reports/${reportId}`, alice);
      if (status !== 'running') throw new Error(`the statement was ${status} after a slice`);
      quiet.push(await measure());
    }
    load.stop();
    const { ratio, ratioFrom, ratioTo } = pairedRatio(busy, neighborMeans(quiet));
    return {
      fills,
      seconds: median(seconds),
      maxSeconds: Math.max(...seconds),
      quietP99Ms: round(median(quiet)),
      statementP99Ms: round(median(busy)),
      p99Ratio: ratio,
      p99RatioSpread: [ratioFrom, ratioTo],
      ordersPerSecond: ORDERS_PER_SECOND,
    };
  } finally {
    child?.kill(9);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Makes trades of ALICE with BOB, ten per large order. */
function* trade(fills: number): Generator<Command> {
  for (const owner of [ALICE, BOB]) {
    for (const asset of [0, 1]) {
      const reference = `bench-${owner}-${asset}`;
      const terms = { owner, asset, amount: 10n ** 20n, reference, reason: 'bench' };
      yield { kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms };
    }
  }
  const order = (account: number, side: Side, amount: number, timeInForce: number): Command => ({
    ...limitOrder(account, side, PRICE, amount),
    timeInForce,
  });
  for (let block = 0; block < fills / FILLS_PER_ORDER; block++) {
    // Blocks take turns in which side is whose, and who is the maker.
    const [own, other] = block % 2 === 0 ? [Side.buy, Side.sell] : [Side.sell, Side.buy];
    const whole = order(
      ALICE,
      own,
      1000 * FILLS_PER_ORDER,
      block % 4 < 2 ? TimeInForce.gtc : TimeInForce.ioc,
    );
    if (block % 4 < 2) yield whole;
    for (let n = 0; n < FILLS_PER_ORDER; n++) {
      yield order(BOB, other, 1000, block % 4 < 2 ? TimeInForce.ioc : TimeInForce.gtc);
    }
    if (block % 4 >= 2) yield whole;
  }
}

/** Orders at a steady rate, whether earlier ones have been answered or not. */
class Load {
  private latencies: number[] = [];
  private readonly timer: Timer;
  private readonly startedAt = performance.now();
  private sent = 0;

  constructor(credentials: Record<string, string>) {
    this.timer = setInterval(() => {
      const due = ((performance.now() - this.startedAt) / 1000) * ORDERS_PER_SECOND;
      for (; this.sent < due; this.sent++) void this.place(credentials);
    }, 1);
  }

  /** Forgets the orders so far. */
  clear(): void {
    this.latencies = [];
  }

  /** Returns the p99 of the orders since they were forgotten, milliseconds. */
  p99(): number {
    const sorted = this.latencies.toSorted((a, b) => a - b);
    if (sorted.length < 100) throw new Error('too few orders in a slice');
    return sorted[Math.floor(sorted.length * 0.99)]!;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Places an order that expires at once, because there is nothing to trade with. */
  private async place(credentials: Record<string, string>): Promise<void> {
    const sentAt = performance.now();
    const answer = await fetch(`${baseUrl}/api/orders`, {
      method: 'POST',
      headers: { ...credentials, 'Content-Type': 'application/json' },
      body: '{"symbol":"ETH/USDT","side":"buy","type":"limit","timeInForce":"IOC","amount":0.001,"price":5000}',
    }).catch(() => undefined);
    // The exchange is being stopped.
    if (answer === undefined) return;
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
    this.latencies.push(performance.now() - sentAt);
  }
}

/** Makes a statement of everything. @returns How long that took, seconds. */
async function makeStatement(credentials: Record<string, string>, fills: number): Promise<number> {
  const startedAt = performance.now();
  const { reportId } = await beginStatement(credentials);
  for (;;) {
    await Bun.sleep(50);
    const report = await request('GET', `/api/reports/${reportId}`, credentials);
    if (report.status === 'failed') throw new Error(report.error);
    if (report.status !== 'done') continue;
    if (report.rows !== fills) throw new Error(`a statement of ${report.rows} fills, not ${fills}`);
    return Math.round((performance.now() - startedAt) / 100) / 10;
  }
}

function beginStatement(credentials: Record<string, string>): Promise<MadeReport> {
  const body = { kind: 'statement', format: 'html', from: '2020-01-01T00:00:00Z' };
  return request('POST', '/api/reports', credentials, body);
}

interface MadeReport {
  readonly reportId: string;
  readonly status: string;
  readonly rows: number;
  readonly error: string;
}

async function request(
  method: string,
  path: string,
  credentials: Record<string, string>,
  body?: object,
): Promise<MadeReport> {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { ...credentials, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return ((await answer.json()) as { data: MadeReport }).data;
}

async function start(data: string): Promise<Bun.Subprocess> {
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'start'], {
    cwd: join(import.meta.dir, '../..'),
    env: {
      ...process.env,
      PORT: `${PORT}`,
      BUTTONWOOD_DATA: data,
      BUTTONWOOD_RATE_LIMITS: 'off',
      BUTTONWOOD_MAKERS: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const until = performance.now() + START_TIMEOUT_MS;
  while ((await fetch(`${baseUrl}/api/time`).catch(() => undefined))?.ok !== true) {
    if (child.exitCode !== null || performance.now() > until) throw new Error('no exchange');
    await Bun.sleep(100);
  }
  return child;
}

async function stop(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGINT');
  await child.exited;
}

function headers(data: string, name: string): Record<string, string> {
  const file = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as {
    accounts: { name: string; apiKey: string; apiSecret: string }[];
  };
  const { apiKey, apiSecret } = file.accounts.find((account) => account.name === name)!;
  return { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
