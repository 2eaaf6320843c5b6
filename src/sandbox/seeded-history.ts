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
import { HISTORY_MINUTES, type PastCommand, past } from './makers/past-trading.ts';
import { OPERATOR, sandboxGenesis, TRADERS } from './sandbox.ts';

/** Made durable together: large enough that syncs cost little, small enough to be written in one piece. */
const BATCHES_A_SYNC = 4_096;

export interface PastOptions {
  readonly storage: Storage;
  /** Empty. */
  readonly log: FileLog;
  readonly snapshots: SnapshotStore;
  /** A file that is there until all is done: what is beside it is to be begun anew. */
  readonly marker: string;
  readonly seed: number;
  /** When the past ends: now, milliseconds since 1970. */
  readonly now: number;
  /** Sees the events of every command, in order. */
  readonly onEvents: (events: readonly Event[]) => void;
}

/**
 * Makes an empty log the sandbox as it began thirty days ago, and plays the market of all the time
 * since through the engine into it.
 * @returns The exchange at the end of the log; a snapshot of it is durable.
 */
export async function seedHistory(options: PastOptions): Promise<Recovered> {
  const { storage, log, snapshots, marker, seed, now, onEvents } = options;
  const directory = dirname(marker);
  storage.create(marker).close();
  await storage.syncDirectory(directory);
  const exchange = new Exchange();
  const writer = new ByteWriter();
  let waiting: { time: number; count: number; payload: Uint8Array }[] = [];
  for (const { time, commands } of historyCommands(seed, now)) {
    const place = { sequence: log.lastSequence + waiting.length + 1, time };
    writer.reset();
    for (let index = 0; index < commands.length; index++) {
      const command = commands[index]!;
      const outcome = applyCommand(exchange, place, index, command);
      if (outcome.kind === 'rejected') throw new Error(`the past was refused: ${outcome.code}`);
      encodeCommand(writer, command);
      onEvents(exchange.events);
    }
    waiting.push({ time, count: commands.length, payload: writer.bytes().slice() });
    if (waiting.length < BATCHES_A_SYNC) continue;
    await log.appendAll(waiting);
    waiting = [];
  }
  if (waiting.length > 0) await log.appendAll(waiting);
  const position = { sequence: log.lastSequence, hash: log.lastHash };
  await snapshots.write(position, writeSnapshot(exchange));
  storage.remove(marker);
  await storage.syncDirectory(directory);
  return { exchange, position };
}

/** All of it: what the sandbox begins with, then the market up to the minute that `now` is in. */
export function* historyCommands(seed: number, now: number): Generator<PastCommand> {
  const start = now - (now % MINUTE_MS) - HISTORY_MINUTES * MINUTE_MS;
  const maker = [OPERATOR, ...TRADERS].length;
  const taker = maker + 1;
  const commands: Command[] = [...sandboxGenesis(), ...makerGenesis([maker, taker])];
  yield { time: start, commands };
  yield* past(seed, start, { maker, taker });
}
