import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyBatch } from '../../src/archivist/recovery.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event, Outcome } from '../../src/engine/event.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { ByteWriter } from '../../src/engine/numbers/bytes.ts';
import { readSnapshot, writeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { encodeCommand } from '../../src/log/codec.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { GENESIS_HASH } from '../../src/log/hash.ts';
import { segmentName } from '../../src/log/segment.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import type { Timed } from '../reference/scenario.ts';

/**
 * Logs as an engine version wrote them, with the state that they led to. Those of a released version are never
 * recorded again: a release that replays one to other bytes would halt on its users' data.
 */

/** The results of replaying a log. */
export interface Recorded {
  /** The state's digest after every 50th batch. */
  readonly digests: readonly number[];
  /** SHA-256 of all orders, trades and ledger entries, in order. */
  readonly events: string;
  /** SHA-256 of the snapshot after half of the batches, and after all. */
  readonly halfway: string;
  readonly end: string;
}

const DIGEST_EVERY = 50;

/** Writes commands to a new log and returns the bytes of its only segment. */
export async function recordLog(
  commands: readonly Timed[],
  maxCommandsPerBatch: number,
): Promise<Uint8Array> {
  return inTemporaryDirectory(async (directory) => {
    const storage = new DiskStorage();
    const log = await FileLog.open({ storage, directory });
    const writer = new ByteWriter();
    for (let at = 0; at < commands.length; ) {
      const { time } = commands[at]!;
      writer.reset();
      let count = 0;
      while (at < commands.length && commands[at]!.time === time && count < maxCommandsPerBatch) {
        encodeCommand(writer, commands[at++]!.command);
        count++;
      }
      await log.append(time, count, writer.bytes());
    }
    await log.close();
    return readFileSync(join(directory, segmentName(1)));
  });
}

/** A command of a log after its replay. */
export interface Replayed {
  readonly command: Command;
  readonly outcome: Outcome;
  readonly events: readonly Event[];
}

/** Replays the segment of a log and returns the results. */
export async function replayLog(
  segment: Uint8Array,
  visit: (replayed: Replayed) => void = () => {},
): Promise<Recorded> {
  return inTemporaryDirectory(async (directory) => {
    writeFileSync(join(directory, segmentName(1)), segment);
    const storage = new DiskStorage();
    const log = await FileLog.open({ storage, directory });
    let exchange = new Exchange();
    const digests: number[] = [];
    const events = new Bun.SHA256();
    let halfway = '';
    for (const batch of log.read(0, GENESIS_HASH)) {
      applyBatch(exchange, batch, new Set(), (_batch, _index, command, outcome) => {
        for (const event of exchange.events) events.update(toText(event));
        visit({ command, outcome, events: exchange.events });
      });
      if (batch.sequence % DIGEST_EVERY === 0) digests.push(exchange.state.digest);
      if (batch.sequence !== Math.floor(log.lastSequence / 2)) continue;
      const snapshot = writeSnapshot(exchange).slice();
      halfway = Bun.SHA256.hash(snapshot, 'hex');
      // Replay after a snapshot must lead to the same bytes as replay from the beginning.
      exchange = readSnapshot(snapshot);
    }
    await log.close();
    const end = Bun.SHA256.hash(writeSnapshot(exchange), 'hex');
    return { digests, events: events.digest('hex'), halfway, end };
  });
}

/** Returns the values of an event in a fixed order, independent of its object. */
function toText(event: Event): string {
  return `${Object.entries(event)
    .map(
      ([name, value]) =>
        `${name}=${typeof value === 'object' ? JSON.stringify(value, bigintAsText) : value}`,
    )
    .sort()
    .join(' ')}\n`;
}

async function inTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-recorded-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const bigintAsText = (_: string, value: unknown) =>
  typeof value === 'bigint' ? `${value}` : value;
