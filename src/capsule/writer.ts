import { basename, dirname } from 'node:path';
import { version as release } from '../../package.json';
import type { Skips } from '../archivist/recovery.ts';
import { ENGINE_VERSION, Exchange } from '../engine/exchange.ts';
import { ByteWriter } from '../engine/numbers/bytes.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import type { Batch } from '../log/log.ts';
import { type Storage, type StorageFile, writeAll } from '../storage/storage.ts';
import { writeBatch } from './batches.ts';
import {
  BlockKind,
  encodeBlock,
  encodeJson,
  encodePreamble,
  HASH_BYTES,
  type Header,
  type Summary,
} from './format.ts';
import { traceBatch } from './trace.ts';

/** Size at which a block is written: large enough to compress well. */
const BLOCK_BYTES = 1 << 20;

/** The notes in a capsule that its log does not contain. */
export type About = Pick<Header, 'title' | 'seed' | 'scenario' | 'failures'>;

/** The batches of a log from the first on, and those of its commands that an operator has skipped. */
export interface CapsuleSource {
  readonly batches: Iterable<Batch> | AsyncIterable<Batch>;
  readonly skips: Skips;
}

/**
 * Replays a log and writes a capsule of it, with memory for a block and the state. The file gets its name once it is
 * complete and durable; a file of that name is replaced. A log that ends with a command that breaks an invariant is
 * written up to the batch of that command.
 * @throws EngineVersionError if the log was written by a newer release
 */
export async function writeCapsule(
  storage: Storage,
  path: string,
  source: CapsuleSource,
  about: About,
): Promise<Summary> {
  const directory = dirname(path);
  const partial = `${path}.part`;
  if (storage.list(directory).includes(basename(partial))) storage.remove(partial);
  const output = new Output(storage.create(partial));
  try {
    const summary = await writeContent(output, source, about);
    await output.finish();
    storage.rename(partial, path);
    await storage.syncDirectory(directory);
    return summary;
  } catch (error) {
    if (storage.list(directory).includes(basename(partial))) storage.remove(partial);
    throw error;
  } finally {
    output.close();
  }
}

async function writeContent(
  output: Output,
  { batches, skips }: CapsuleSource,
  about: About,
): Promise<Summary> {
  const places = [...skips].map((skip) => {
    const [sequence, index] = skip.split(' ').map(Number);
    return { sequence: sequence!, index: index! };
  });
  const { title, seed, scenario, failures } = about;
  const notes = { title, seed, scenario, failures: [...failures], skips: places };
  const header = { release, engineVersion: ENGINE_VERSION, ...notes };
  output.write(encodePreamble());
  output.write(encodeJson(BlockKind.header, header));
  const summary = await writeBatches(output, batches, skips);
  output.write(encodeJson(BlockKind.summary, summary));
  return summary;
}

async function writeBatches(
  output: Output,
  source: CapsuleSource['batches'],
  skips: Skips,
): Promise<Summary> {
  const exchange = new Exchange();
  const block = new ByteWriter(BLOCK_BYTES);
  let [batches, commands, time] = [0, 0, 0];
  let failure: Summary['failure'] = null;
  for await (const batch of source) {
    const traced = traceBatch(exchange, batch, skips);
    writeBatch(block, batch, traced);
    batches++;
    commands += batch.count;
    ({ time } = batch);
    failure = traced.failure ?? null;
    if (failure !== null) break;
    if (block.length < BLOCK_BYTES) continue;
    output.write(encodeBlock(BlockKind.batches, block.bytes()));
    block.reset();
  }
  if (block.length > 0) output.write(encodeBlock(BlockKind.batches, block.bytes()));
  return { batches, commands, time, failure, ...describeEnd(exchange, failure !== null) };
}

/** Describes the state after the last batch. A state that contradicts itself may have no snapshot. */
function describeEnd(exchange: Exchange, isBroken: boolean) {
  const { version, digest } = exchange.state;
  const stateHash = isBroken ? null : Bun.SHA256.hash(writeSnapshot(exchange), 'hex');
  return { engineVersion: version, digest, stateHash };
}

/** A file that is written from start to end and ends with the hash of its content. */
class Output {
  private readonly hasher = new Bun.SHA256();
  private offset = 0;

  constructor(private readonly file: StorageFile) {}

  write(bytes: Uint8Array): void {
    this.hasher.update(bytes);
    this.append(bytes);
  }

  async finish(): Promise<void> {
    const hash = new Uint8Array(HASH_BYTES);
    this.hasher.digest(hash);
    this.append(hash);
    await this.file.sync();
  }

  close(): void {
    this.file.close();
  }

  private append(bytes: Uint8Array): void {
    writeAll(this.file, bytes, this.offset);
    this.offset += bytes.length;
  }
}
