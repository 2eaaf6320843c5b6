import { StreamState } from '../../cluster/log/stream-state.ts';
import { ObjectStore } from '../../cluster/object-store/object-store.ts';
import type { NatsConnection } from '../../cluster/stream/connection.ts';
import { Exchange } from '../../engine/exchange.ts';
import { ByteReader, ByteWriter } from '../../engine/numbers/bytes.ts';
import { invariant } from '../../engine/rejection.ts';
import { readSnapshot } from '../../engine/snapshot/snapshot.ts';
import { equalHashes, HASH_BYTES, hashInto } from '../../log/hash.ts';
import * as logger from '../../monitoring/logger.ts';
import type { Skips } from '../recovery.ts';
import { SnapshotDamagedError } from './snapshots.ts';

const MAGIC = 0x53575742;
const FORMAT = 1;
const SNAPSHOT = /^\d{16}$/;
const EXCHANGE = /^exchange-([0-9a-f-]+)$/;
const SKIP = /^skip-(\d+)-(\d+)$/;
const OUTVOTED = /^outvoted-(\d+)-(.+)$/;
/** The second newest is used if the newest is damaged. */
const KEPT = 2;

/** The states of the exchange and of the log right after a message of the stream. */
export interface SharedSnapshot {
  readonly log: StreamState;
  readonly state: Uint8Array;
}

/** The snapshots of a cluster, in an object store next to its log. */
export class ObjectSnapshots {
  private constructor(
    private readonly stream: string,
    private readonly store: ObjectStore,
  ) {}

  /** Opens the store; creates it if there is none. */
  static async open(
    connection: NatsConnection,
    stream: string,
    replicas: number,
  ): Promise<ObjectSnapshots> {
    return new ObjectSnapshots(stream, await ObjectStore.open(connection, stream, replicas));
  }

  /** Opens the store if it exists. Creates nothing. */
  static async find(
    connection: NatsConnection,
    stream: string,
  ): Promise<ObjectSnapshots | undefined> {
    const store = await ObjectStore.find(connection, stream);
    return store && new ObjectSnapshots(stream, store);
  }

  /** Returns the sequences of all snapshots, newest first. */
  async sequences(): Promise<number[]> {
    const names = await this.store.names();
    return names
      .filter((name) => SNAPSHOT.test(name))
      .map(Number)
      .sort((a, b) => b - a);
  }

  /** Returns the commands that an operator has skipped. Call it before applying anything. */
  async skips(): Promise<Skips> {
    const names = await this.store.names();
    return new Set(names.flatMap((name) => SKIP.exec(name)?.slice(1).join(' ') ?? []));
  }

  /** Skips a command. The log holds who did so and why. */
  async skip(sequence: number, index: number): Promise<void> {
    await this.store.mark(`skip-${sequence}-${index}`);
  }

  /** Returns the ids of the exchanges that use this log: one, once a node has created it. */
  async exchanges(): Promise<string[]> {
    return (await this.store.names()).flatMap((name) => EXCHANGE.exec(name)?.[1] ?? []);
  }

  async noteExchange(id: string): Promise<void> {
    await this.store.mark(`exchange-${id}`);
  }

  /** Returns the batch after which most nodes held a different state than this one; undefined if it may start. */
  async outvotedAt(node: string): Promise<number | undefined> {
    const sequences = (await this.outvoted()).filter((each) => each.node === node);
    return sequences.length === 0 ? undefined : Math.max(...sequences.map(({ at }) => at));
  }

  /** Returns all nodes that may not start until an operator readmits them. */
  async outvoted(): Promise<{ readonly node: string; readonly at: number }[]> {
    const found = (await this.store.names()).map((name) => OUTVOTED.exec(name));
    return found.flatMap((match) => (match ? { at: Number(match[1]), node: match[2]! } : []));
  }

  /** Blocks a node from starting, because most nodes held a different state after this batch. */
  async noteOutvoted(node: string, at: number): Promise<void> {
    await this.store.mark(`outvoted-${at}-${node}`);
  }

  /** Lets a node start again. */
  async readmit(node: string): Promise<void> {
    for (const each of await this.outvoted()) {
      if (each.node === node) await this.store.delete(`outvoted-${each.at}-${node}`);
    }
  }

  /**
   * Loads the newest undamaged snapshot at or before `limit`, or an empty exchange if there is none. Running nodes may
   * delete a snapshot while it is read: then a newer one is used.
   * @throws InvariantError for a snapshot of a later release, and errors of NATS
   */
  async newest(
    limit = Number.POSITIVE_INFINITY,
  ): Promise<{ readonly log: StreamState; readonly exchange: Exchange }> {
    const damaged = new Set<number>();
    for (;;) {
      const sequences = await this.sequences();
      const sequence = sequences.find((each) => each <= limit && !damaged.has(each));
      if (sequence === undefined) return { log: new StreamState(), exchange: new Exchange() };
      try {
        const { log, state } = await this.read(sequence);
        return { log, exchange: readSnapshot(state) };
      } catch (error) {
        if (!(error instanceof SnapshotDamagedError)) throw error;
        damaged.add(sequence);
        if ((await this.sequences()).includes(sequence)) logger.warn(error.message);
      }
    }
  }

  /**
   * @throws SnapshotDamagedError if it is damaged or deleted, InvariantError for a snapshot of a later release, and
   * errors of NATS
   */
  async read(sequence: number): Promise<SharedSnapshot> {
    const damaged = (reason: string) =>
      new SnapshotDamagedError(
        `Snapshot ${sequence} of ${this.stream} is damaged (${reason}). An older one is used.`,
      );
    const place = await this.store.locate(snapshotName(sequence));
    if (place === undefined) throw damaged('it does not exist');
    const bytes = await this.store.read(place);
    if (bytes === undefined || bytes.length < HASH_BYTES) throw damaged('parts of it are missing');
    const content = bytes.subarray(0, bytes.length - HASH_BYTES);
    if (!equalHashes(hashSnapshot(content), bytes.subarray(content.length)))
      throw damaged('its hash does not match');
    const reader = new ByteReader(content);
    if (reader.uint32() !== MAGIC) throw damaged('it is not a snapshot');
    const format = reader.byte();
    invariant(
      format === FORMAT,
      `Snapshot ${sequence} of ${this.stream} has format ${format}, but this release reads ${FORMAT}. Start the release that wrote it, or a later one`,
    );
    const log = StreamState.decode(reader.raw());
    const state = reader.raw();
    if (log.sequence !== sequence) throw damaged('it is of another batch');
    return { log, state };
  }

  /**
   * Writes a snapshot durably, deletes old ones, and trims the stream up to the oldest that is left. Keeps the newest
   * two, and all from the newest snapshot that history has reached, because history can only be continued from there. Without such a snapshot nothing is deleted.
   * @param recorded The last batch in history's store.
   * @param keep Archives the messages after a state of the log up to a sequence, before they are trimmed. If it returns
   * false, nothing is trimmed, and the snapshot from which the archive continues stays.
   */
  async write(
    log: Uint8Array,
    sequence: number,
    state: Uint8Array,
    recorded: number,
    keep?: (from: StreamState, through: number) => Promise<boolean>,
  ): Promise<void> {
    const writer = new ByteWriter(state.length + log.length + 64);
    writer.uint32(MAGIC);
    writer.byte(FORMAT);
    writer.raw(log);
    writer.raw(state);
    const content = writer.bytes();
    const bytes = new Uint8Array(content.length + HASH_BYTES);
    bytes.set(content);
    bytes.set(hashSnapshot(content), content.length);
    await this.store.put(snapshotName(sequence), bytes);
    const sequences = await this.sequences();
    const oldest = oldestNeeded(sequences, recorded);
    if (oldest === undefined) return;
    const first = sequences.at(-1)!;
    const isKept = keep === undefined || (await keep(await this.startOfLog(first), oldest));
    for (const old of sequences) {
      if (old < oldest && (isKept || old !== first)) await this.store.delete(snapshotName(old));
    }
    if (isKept) await this.store.trim(oldest, snapshotName(oldest));
  }

  /** Returns the state of the log from which it can be read: of its beginning, or of the oldest snapshot if it was trimmed. */
  private async startOfLog(first: number): Promise<StreamState> {
    return (await this.store.firstMessage()) <= 1
      ? new StreamState()
      : (await this.read(first)).log;
  }
}

/**
 * Returns the oldest snapshot that must be kept, with all of the log after it; undefined if nothing may be trimmed.
 * @param sequences All snapshots, newest first.
 */
export function oldestNeeded(sequences: readonly number[], recorded: number): number | undefined {
  const reached = sequences.find((sequence) => sequence <= recorded);
  const second = sequences[KEPT - 1];
  if (reached === undefined || second === undefined) return undefined;
  return Math.min(reached, second);
}

function snapshotName(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

function hashSnapshot(bytes: Uint8Array): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  hashInto(hash, bytes);
  return hash;
}
