/**
 * kill -9 under load, again and again, on one data directory: every acknowledged order must be there
 * once, every acknowledged cancel and amend in force, nothing twice, and the books must balance.
 *
 * npm run test:crash -- --rounds 300 [--seed N] [--clients N]
 */

import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { wholeArguments } from '../whole-arguments.ts';
import { addRound, check, NO_ROUNDS, ordersOf, type Tally } from './crash-check.ts';
import { load, nothingTold } from './crash-load.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** Each round ended in a kill under load. */
export interface CrashReport extends Tally {
  answers: number;
  /** Sent, not answered, and found after the restart: allowed, at most once each. */
  unansweredButThere: number;
  /** Orders that the machine was too slow for; none of them was there. */
  overloaded: number;
}

/** Between the kills a few good stops, so that recovery starts from snapshots too. */
const ROUNDS_BETWEEN_STOPS = 10;

/**
 * @param onRound Told what there is so far, after each round.
 * @throws where something acknowledged was lost, or anything happened twice
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
    ...{ answers: 0, unansweredButThere: 0, overloaded: 0 },
  };
  /** By client order id, of all rounds: the order, and whether a cancel of it was acknowledged. */
  const all = new Map<string, { orderId: string; isCanceled: boolean }>();
  const start = () => ExchangeProcess.start(directory.path, {}, runtimeFlags);
  let exchange = await start();
  try {
    for (let number = 0; number < rounds; number++) {
      const told = nothingTold();
      const prefix = `r${number}-`;
      let isOver = false;
      const loaded = load(exchange, {
        ...{ prefix, clients, random, told, isEnd: () => isOver },
        buyer: number % 2 === 0 ? 'alice' : 'bob',
      });
      await Promise.race([Bun.sleep(150 + below(600, random)), loaded]);
      isOver = true;
      await exchange.kill();
      await loaded;
      exchange = await start();
      const found = await check(exchange, told, prefix);
      for (const [id, { orderId, isCanceled }] of told.acknowledged) {
        all.set(id, { orderId, isCanceled });
      }
      addRound(report, found);
      report.answers += told.answers;
      report.unansweredButThere += found.unansweredButThere;
      report.overloaded += told.refused.size;
      onRound(report);
      if (number % ROUNDS_BETWEEN_STOPS !== ROUNDS_BETWEEN_STOPS - 1) continue;
      await cancelAll(exchange);
      const { exitCode, output } = await exchange.stop();
      if (exitCode !== 0) throw new Error(`a good stop ended with ${exitCode}: ${output}`);
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

/** What is left open of many rounds must not come to an account's limit. */
async function cancelAll(exchange: ExchangeProcess): Promise<void> {
  for (const name of ['alice', 'bob']) {
    await exchange.send(exchange.credential(name), 'DELETE', '/api/orders?all=true');
  }
}

/** After the last round: nothing of an earlier one went by what came later. */
async function checkAll(
  exchange: ExchangeProcess,
  all: ReadonlyMap<string, { orderId: string; isCanceled: boolean }>,
): Promise<void> {
  const seen = new Set<string>();
  for (const name of ['alice', 'bob']) {
    for await (const order of ordersOf(exchange, exchange.credential(name))) {
      const id = order.clientOrderId!;
      if (seen.has(id)) throw new Error(`at the end ${id} is there twice`);
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
