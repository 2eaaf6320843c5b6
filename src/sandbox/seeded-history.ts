import { dirname } from 'node:path';
import { applyCommand, type Recovered } from '../archivist/recovery.ts';
import type { SnapshotStore } from '../archivist/snapshots/snapshots.ts';
import { MINUTE_MS } from '../config/durations.ts';
import type { Command } from '../engine/command.ts';
import type { Event } from '../engine/event.ts';
import { Exchange } from '../engine/exchange.ts';
import { ByteWriter } from '../engine/numbers/bytes.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { encodeCommand } from '../log/codec.ts';
import type { FileLog } from '../log/file-log.ts';
import type { Storage } from '../storage/storage.ts';
import { makerGenesis } from './makers/maker-genesis.ts';
import { HISTORY_MINUTES, seededTrading, type TimedCommands } from './makers/seeded-trading.ts';
import { OPERATOR, sandboxGenesis, TRADERS } from './sandbox.ts';

/** Batches per sync: enough to make syncs cheap, few enough for a single write. */
const BATCHES_PER_SYNC = 4_096;

export interface SeedHistoryOptions {
  readonly storage: Storage;
  /** An empty log. */
  readonly log: FileLog;
  readonly snapshots: SnapshotStore;
  /** A file that exists until the history is complete. If it is found, the data directory is rebuilt. */
  readonly marker: string;
  readonly seed: number;
  /** The end of the history, milliseconds since 1970. */
  readonly now: number;
  /** Called with the events of every command, in order. */
  readonly onEvents: (events: readonly Event[]) => void;
}

/**
 * Fills an empty log with the sandbox's first commands, dated thirty days ago, and its trading since. Returns the
 * exchange at the end of the log, after writing a snapshot of it.
 */
export async function seedHistory(options: SeedHistoryOptions): Promise<Recovered> {
  const { storage, log, snapshots, marker, seed, now, onEvents } = options;
  const directory = dirname(marker);
  storage.create(marker).close();
  await storage.syncDirectory(directory);
  const exchange = new Exchange();
  const writer = new ByteWriter();
  let pending: { time: number; count: number; payload: Uint8Array }[] = [];
  for (const { time, commands } of historyCommands(seed, now)) {
    const batch = { sequence: log.lastSequence + pending.length + 1, time };
    writer.reset();
    for (let index = 0; index < commands.length; index++) {
      const command = commands[index]!;
      const outcome = applyCommand(exchange, batch, index, command);
      if (outcome.kind === 'rejected')
        throw new Error(`a command of the seeded history was rejected: ${outcome.code}`);
      encodeCommand(writer, command);
      onEvents(exchange.events);
    }
    pending.push({ time, count: commands.length, payload: writer.bytes().slice() });
    if (pending.length < BATCHES_PER_SYNC) continue;
    await log.appendAll(pending);
    pending = [];
  }
  if (pending.length > 0) await log.appendAll(pending);
  const position = { sequence: log.lastSequence, hash: log.lastHash };
  await snapshots.write(position, writeSnapshot(exchange));
  storage.remove(marker);
  await storage.syncDirectory(directory);
  return { exchange, position };
}

/** Yields the sandbox's first commands, then its trading up to the minute before `now`. */
export function* historyCommands(seed: number, now: number): Generator<TimedCommands> {
  const start = now - (now % MINUTE_MS) - HISTORY_MINUTES * MINUTE_MS;
  const maker = [OPERATOR, ...TRADERS].length;
  const taker = maker + 1;
  const commands: Command[] = [...sandboxGenesis(), ...makerGenesis([maker, taker])];
  yield { time: start, commands };
  yield* seededTrading(seed, start, { maker, taker });
}
