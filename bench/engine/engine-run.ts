import { resolve } from 'node:path';
import type { Command } from '../../src/engine/command.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { ByteReader, ByteWriter } from '../../src/engine/numbers/bytes.ts';
import { decodeCommand, encodeCommand } from '../../src/log/codec.ts';
import { type PairedRatio, pairedRatio } from '../pairs.ts';
import { BATCH, commandTime } from './mix.ts';

/** Batches per slice of a comparison. */
const SLICE = 60;

/** The parts of an engine that a run needs. */
interface Engine {
  readonly Exchange: typeof Exchange;
  readonly ByteReader: typeof ByteReader;
  readonly decodeCommand: typeof decodeCommand;
}

export const ownEngine: Engine = { Exchange, ByteReader, decodeCommand };

/** Returns the engine of another working tree of this repository. */
export async function loadEngine(directory: string): Promise<Engine> {
  const source = resolve(directory, 'src');
  return {
    ...(await import(`${source}/engine/exchange.ts`)),
    ...(await import(`${source}/engine/numbers/bytes.ts`)),
    ...(await import(`${source}/log/codec.ts`)),
  };
}

export interface EncodedBatch {
  readonly bytes: Uint8Array;
  readonly count: number;
}

export function encodeBatches(commands: readonly Command[]): EncodedBatch[] {
  const writer = new ByteWriter();
  return Array.from({ length: Math.ceil(commands.length / BATCH) }, (_, index) => {
    const batch = commands.slice(index * BATCH, (index + 1) * BATCH);
    writer.reset();
    for (const command of batch) encodeCommand(writer, command);
    return { bytes: writer.bytes().slice(), count: batch.length };
  });
}

/** A new exchange, opened, that applies batches. */
export class EngineRun {
  private readonly exchange: Exchange;
  private applied = 0;
  private nextBatch = 0;

  constructor(
    private readonly engine: Engine,
    opening: readonly Command[],
    private readonly batches: readonly EncodedBatch[],
  ) {
    this.exchange = new engine.Exchange();
    for (const command of opening) this.exchange.apply(command, commandTime(this.applied++));
  }

  get isDone(): boolean {
    return this.nextBatch === this.batches.length;
  }

  get digest(): number {
    return this.exchange.state.digest;
  }

  /**
   * Applies the next batches. They are decoded one by one, outside the measured time, because an engine gets its
   * commands freshly decoded, not from a list far larger than any cache.
   * @returns The milliseconds it took.
   */
  apply(count: number): number {
    const { exchange, engine } = this;
    let elapsed = 0;
    const end = Math.min(this.nextBatch + count, this.batches.length);
    while (this.nextBatch < end) {
      const batch = this.batches[this.nextBatch++]!;
      const reader = new engine.ByteReader(batch.bytes);
      const commands = Array.from({ length: batch.count }, () => engine.decodeCommand(reader));
      const start = performance.now();
      exchange.prefetch(commands);
      for (const command of commands) exchange.apply(command, commandTime(this.applied++));
      elapsed += performance.now() - start;
    }
    return elapsed;
  }
}

/** Returns how many times as fast as `other` this engine is, in slices that take turns. */
export function compare(
  other: Engine,
  opening: readonly Command[],
  batches: readonly EncodedBatch[],
  runs: number,
): PairedRatio {
  const own: number[] = [];
  const others: number[] = [];
  for (let count = 0; count <= runs; count++) {
    const pair = [ownEngine, other].map((engine) => new EngineRun(engine, opening, batches));
    const turns = [own, others].map((times, index) => () => {
      const time = pair[index]!.apply(SLICE);
      // The first run compiles the code.
      if (count > 0) times.push(time);
    });
    Bun.gc(true);
    while (!pair[0]!.isDone) {
      for (const turn of turns) turn();
      turns.reverse();
    }
    if (pair[0]!.digest !== pair[1]!.digest) throw new Error('The engines differ.');
  }
  return pairedRatio(others, own);
}
