/**
 * Runs kill -9 under load repeatedly on one data directory. Every acknowledged order must exist once, every
 * acknowledged cancel and amend must have taken effect, nothing may happen twice, and the books must balance.
 *
 * npm run test:crash -- --rounds 300 [--seed N] [--clients N]
 */

import { retry } from '../../src/monitoring/retry.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { wholeArguments } from '../whole-arguments.ts';
import { addRound, check, listOrders, NO_ROUNDS, type Tally } from './crash-check.ts';
import { emptyRecord, load } from './crash-load.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** Rounds, each ended by a kill under load. */
export interface CrashReport extends Tally {
  answers: number;
  /** Orders found after a restart that got no answer, which is allowed, at most once each. */
  unansweredButThere: number;
  /** Orders rejected as overload; none of them existed later. */
  overloaded: number;
}

/** Rounds between orderly stops, so that recovery also starts from snapshots. */
const ROUNDS_BETWEEN_STOPS = 10;
const MIN_ANSWERS_PER_CLIENT = 4;
const MAX_WAIT_MS = 10_000;

/**
 * @param onRound Called with the report so far after each round.
 * @throws Error if an acknowledged request was lost, or anything happened twice.
 */
export async function crashRounds(
  rounds: number,
  seed: number,
  clients: number,
  onRound: (report: CrashReport) => void = () => {},
  runtimeFlags: readonly string[] = [],
): Promise<CrashReport> {
  const directory = temporaryDirectory();
  const random = seededRandom(seed);
  const report: CrashReport = {
    ...NO_ROUNDS,
    answers: 0,
    unansweredButThere: 0,
    overloaded: 0,
  };
  /** Orders of all rounds by client order id, and whether their cancel was acknowledged. */
  const all = new Map<string, { orderId: string; isCanceled: boolean }>();
  const start = () => ExchangeProcess.start(directory.path, {}, runtimeFlags);
  let exchange = await start();
  try {
    for (let number = 0; number < rounds; number++) {
      const record = emptyRecord();
      const prefix = `r${number}-`;
      let isOver = false;
      const loaded = load(exchange, {
        prefix,
        clients,
        random,
        record,
        isEnd: () => isOver,
        buyer: number % 2 === 0 ? 'alice' : 'bob',
      });
      await Promise.race([Bun.sleep(150 + below(600, random)), loaded]);
      // A busy machine may have answered hardly anything by then.
      await retry(() => record.answers, {
        every: 10,
        until: performance.now() + MAX_WAIT_MS,
        isDone: (answers) => answers >= MIN_ANSWERS_PER_CLIENT * clients,
      });
      isOver = true;
      await exchange.kill();
      await loaded;
      exchange = await start();
      const found = await check(exchange, record, prefix);
      for (const [id, { orderId, isCanceled }] of record.acknowledged) {
        all.set(id, { orderId, isCanceled });
      }
      addRound(report, found);
      report.answers += record.answers;
      report.unansweredButThere += found.unansweredButThere;
      report.overloaded += record.rejected.size;
      onRound(report);
      if (number % ROUNDS_BETWEEN_STOPS !== ROUNDS_BETWEEN_STOPS - 1) continue;
      await cancelAll(exchange);
      const { exitCode, output } = await exchange.stop();
      if (exitCode !== 0) throw new Error(`an orderly stop ended with ${exitCode}: ${output}`);
      exchange = await start();
    }
    await checkAll(exchange, all);
    await exchange.stop();
    const verified = await runForTest(['verify', '--data', directory.path]);
    if (verified.exitCode !== 0) throw new Error(`verify: ${verified.out}${verified.error}`);
    return report;
  } finally {
    await exchange.kill();
    directory.remove();
  }
}

/** Cancels open orders, which would reach an account's limit after many rounds. */
async function cancelAll(exchange: ExchangeProcess): Promise<void> {
  for (const name of ['alice', 'bob']) {
    await exchange.send(exchange.credential(name), 'DELETE', '/api/orders?all=true');
  }
}

/** Checks after the last round that no later round has changed orders of an earlier one. */
async function checkAll(
  exchange: ExchangeProcess,
  all: ReadonlyMap<string, { orderId: string; isCanceled: boolean }>,
): Promise<void> {
  const seen = new Set<string>();
  for (const name of ['alice', 'bob']) {
    for await (const order of listOrders(exchange, exchange.credential(name))) {
      const id = order.clientOrderId!;
      if (seen.has(id)) throw new Error(`at the end ${id} exists twice`);
      seen.add(id);
      const known = all.get(id);
      if (known === undefined) continue;
      if (known.orderId !== order.orderId) throw new Error(`at the end ${id} is another order`);
      if (known.isCanceled && order.status !== 'canceled') {
        throw new Error(`at the end ${id} is ${order.status}, and was canceled`);
      }
    }
  }
  for (const id of all.keys()) if (!seen.has(id)) throw new Error(`at the end ${id} is lost`);
}

if (import.meta.main) {
  const { rounds, seed, clients } = wholeArguments(
    'npm run test:crash -- [--rounds N] [--seed S] [--clients N]',
    {
      rounds: { default: 100, least: 1 },
      seed: { default: 1, least: 0 },
      clients: { default: 64, least: 1 },
    },
  );
  const report = await crashRounds(rounds, seed, clients, (soFar) => {
    if (soFar.rounds % 10 === 0) console.error(JSON.stringify(soFar));
  });
  console.log(JSON.stringify(report));
}
