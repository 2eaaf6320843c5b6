/**
 * Runs an exchange on a small in-memory disk that fills up under load repeatedly, and prints a report.
 * `fullDiskRounds` runs it in a separate mount namespace.
 *
 * full-disk.ts DIRECTORY ROUNDS SEED CLIENTS
 */
import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { addRound, check, NO_ROUNDS, type Tally } from './crash-check.ts';
import { emptyRecord, loadUntilEnd } from './crash-load.ts';
import { ExchangeProcess } from './exchange-process.ts';
import { checkEnd, HISTORY_FAILED, LOG_FAILED } from './injected-faults.ts';

export interface FullDiskReport extends Tally {
  /** Rounds in which a log write failed first; in the others, a history write. */
  logFailedFirst: number;
  /** Partial batches that recovery truncated. */
  tornBatches: number;
}

const ROOM_BYTES = 300_000;

async function run(directory: string, rounds: number, seed: number, clients: number) {
  const data = join(directory, 'data');
  const filler = join(directory, 'filler');
  const random = seededRandom(seed);
  const report: FullDiskReport = {
    ...NO_ROUNDS,
    logFailedFirst: 0,
    tornBatches: 0,
  };
  /** Fills the disk except for a number of bytes. */
  const fill = (roomBytes: number) => {
    rmSync(filler, { force: true });
    const { bavail, bsize } = statfsSync(directory);
    return Bun.write(filler, new Uint8Array(Math.max(0, bavail * bsize - roomBytes)));
  };
  // Fill the disk faster than the node checks it.
  const start = () =>
    ExchangeProcess.start(data, {}, ['--preload', './test/process/no-disk-reserve.ts']);
  let exchange = await start();
  for (let number = 0; number < rounds; number++) {
    const record = emptyRecord();
    // History is written once a second, so that with long ids the log fills the disk first.
    const prefix = `d${number}-`.padEnd(50, '.');
    await fill(number % 2 === 0 ? 0 : below(ROOM_BYTES, random));
    const load = { prefix, buyer: 'alice', clients, random, record } as const;
    const end = await loadUntilEnd(exchange, load);
    checkEnd(end, new RegExp(`${LOG_FAILED.source}|${HISTORY_FAILED.source}`, 'm'));
    if (LOG_FAILED.test(end.output)) report.logFailedFirst++;
    await fill(0);
    await expectNoStart(data);
    rmSync(filler);
    exchange = await start();
    const found = await check(exchange, record, prefix);
    addRound(report, found);
  }
  // A stop writes key usage, history and a snapshot; any of them may fail first.
  const path = '/api/orders?all=true';
  await exchange.send(exchange.credential('alice'), 'DELETE', path);
  await fill(0);
  checkEnd(await exchange.stop(), /^buttonwood: .*(?:See to|Check) the disk .*then start again/m);
  rmSync(filler);
  exchange = await start();
  const { exitCode, output } = await exchange.stop();
  if (exitCode !== 0) throw new Error(`with free space it ended with ${exitCode}: ${output}`);
  const names = readdirSync(dataPaths(data).log);
  report.tornBatches = names.filter((name) => name.endsWith('.broken')).length;
  return report;
}

async function expectNoStart(data: string): Promise<void> {
  const started = await ExchangeProcess.start(data).catch((error: Error) => error);
  if (!(started instanceof Error)) throw new Error('it started on a full disk');
  if (!/^the exchange ended: \s*buttonwood: .*(?:See to|Check) the disk/.test(started.message))
    throw started;
}

if (import.meta.main) {
  const [directory, rounds, seed, clients] = process.argv.slice(2);
  console.log(JSON.stringify(await run(directory!, Number(rounds), Number(seed), Number(clients))));
}
