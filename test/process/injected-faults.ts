import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { CommandKind } from '../../src/engine/command.ts';
import { ByteReader } from '../../src/engine/numbers/bytes.ts';
import { decodeCommand } from '../../src/log/codec.ts';
import { readBatches } from '../../src/log/reader.ts';
import { findEnd } from '../../src/log/recovery.ts';
import { segmentName } from '../../src/log/segment.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import { addRound, check, NO_ROUNDS, type Tally } from './crash-check.ts';
import { emptyRecord, loadUntilEnd } from './crash-load.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { type Injection, injecting } from './strace.ts';

/** A system call to fail under load, and the message with which the exchange must end. */
export interface Fault {
  readonly call: 'pwrite64' | 'fdatasync';
  readonly file: 'log' | 'marker' | 'history';
  readonly error: string;
  readonly message: RegExp;
}

export const LOG_FAILED =
  /^buttonwood: The log could not be written: .*(?:See to|Check) the disk, then start again/m;
export const HISTORY_FAILED =
  /^buttonwood: History or a snapshot could not be written: .*(?:See to|Check) the disk .*then start again/m;

const on = (
  call: Fault['call'],
  file: Fault['file'],
  message: RegExp,
  ...errors: string[]
): Fault[] => errors.map((error) => ({ call, file, error, message }));

/** EINTR is only used with `fdatasync`, because the runtime repeats an interrupted write. */
export const FAULTS: readonly Fault[] = [
  ...on('pwrite64', 'log', LOG_FAILED, 'EIO', 'ENOSPC', 'EDQUOT', 'EAGAIN', 'EROFS'),
  ...on('fdatasync', 'log', LOG_FAILED, 'EIO', 'ENOSPC', 'EDQUOT', 'EINTR', 'EROFS'),
  ...on('pwrite64', 'marker', LOG_FAILED, 'EIO', 'ENOSPC'),
  ...on('pwrite64', 'history', HISTORY_FAILED, 'EIO', 'ENOSPC'),
];

export interface FaultReport extends Tally {
  /** Counts of faults, by `call file error`. */
  readonly faults: Record<string, number>;
}

/**
 * Runs an exchange under load once for each fault, on one data directory. The seed selects the failing call.
 * Each start recovers from the previous fault.
 * @throws Error if a request was acknowledged after the fault or lost, or the exchange ended in another way.
 */
export async function faultRounds(
  faults: readonly Fault[],
  seed: number,
  clients: number,
  onRound: (report: FaultReport) => void = () => {},
): Promise<FaultReport> {
  const directory = temporaryDirectory();
  const data = join(directory.path, 'data');
  const output = join(directory.path, 'calls');
  const random = seededRandom(seed);
  const report: FaultReport = {
    ...NO_ROUNDS,
    faults: {},
  };
  let exchange = await ExchangeProcess.start(data);
  try {
    for (const [number, fault] of faults.entries()) {
      await exchange.stop();
      const injection = toInjection(fault, data, random);
      exchange = await ExchangeProcess.start(data, {}, [], injecting(output, injection));
      const record = emptyRecord();
      const prefix = `f${number}-`;
      const name = `${fault.call} ${fault.file} ${fault.error}`;
      const place = `${name} at call ${injection.when} (seed ${seed}, round ${number})`;
      try {
        const load = { prefix, buyer: 'alice', clients, random, record } as const;
        checkEnd(await loadUntilEnd(exchange, load), fault.message);
        checkCalls(readFileSync(output, 'latin1'), fault);
        if (leavesBatch(fault)) {
          for (const id of lastBatchIds(dataPaths(data).log)) {
            if (record.acknowledged.has(id))
              throw new Error(`${id} was acknowledged after the fault`);
          }
        }
        exchange = await ExchangeProcess.start(data);
        const found = await check(exchange, record, prefix);
        addRound(report, found);
        report.faults[name] = (report.faults[name] ?? 0) + 1;
      } catch (error) {
        throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
      }
      onRound(report);
    }
    return report;
  } finally {
    await exchange.kill();
    directory.remove();
  }
}

function toInjection({ call, file, error }: Fault, data: string, random: Random): Injection {
  const paths = dataPaths(data);
  const path = {
    log: join(paths.log, segmentName(1)),
    marker: join(paths.log, 'acknowledged'),
    history: `${paths.history}-wal`,
  }[file];
  // After the calls of the start itself; syncs are distributed over a thread pool.
  const when = call === 'fdatasync' ? 3 + below(10, random) : 5 + below(30, random);
  return { call, path, error, when };
}

/** @throws Error unless the exchange exited with code 1 and the expected message. */
export function checkEnd(
  { exitCode, output }: { exitCode: number; output: string },
  message: RegExp,
): void {
  if (exitCode !== 1) throw new Error(`ended with ${exitCode}: ${output}`);
  if (!message.test(output)) throw new Error(`unexpected output: ${output}`);
}

/** Checks that nothing is written to the log after a failed call on it. */
function checkCalls(calls: string, { call, file }: Fault): void {
  const [, after] = calls.split('(INJECTED)\n', 2);
  if (after === undefined) throw new Error('the fault never took place');
  if (file === 'history') return;
  if (/\d+ +(pwrite64|fdatasync)\(/.test(after)) throw new Error(`after ${call} failed: ${after}`);
}

/** Whether the log holds the batch that must not be acknowledged, written and perhaps synced. */
function leavesBatch({ call, file }: Fault): boolean {
  return file === 'marker' || (file === 'log' && call === 'fdatasync');
}

/** Returns the content of the last batch of the log, at which it failed. */
function lastBatchIds(directory: string): string[] {
  const storage = new DiskStorage();
  const { sequence } = findEnd(storage, directory).end;
  const [batch] = readBatches(storage, directory, { sequence: sequence - 1 }, sequence);
  const reader = new ByteReader(batch!.payload);
  return Array.from({ length: batch!.count }, () => decodeCommand(reader)).flatMap((command) =>
    command.kind === CommandKind.placeOrder ? (command.clientOrderId ?? []) : [],
  );
}
