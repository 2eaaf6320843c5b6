import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
} from '@nats-io/jetstream';
import { type ObjectStore, Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { SKIP_API_CHECK } from '../../cluster/log/jetstream.ts';
import { StreamState } from '../../cluster/log/stream-state.ts';
import { Exchange } from '../../engine/exchange.ts';
import { ByteReader, ByteWriter } from '../../engine/numbers/bytes.ts';
import { invariant } from '../../engine/rejection.ts';
import { readSnapshot } from '../../engine/snapshot/snapshot.ts';
import { equalHashes, HASH_BYTES, hashInto } from '../../log/hash.ts';
import * as logger from '../../monitoring/logger.ts';
import type { Skips } from '../recovery.ts';
import { readBlob } from './object-blob.ts';
import { SnapshotDamagedError } from './snapshots.ts';

const MAGIC = 0x53575742;
const FORMAT = 1;
const SNAPSHOT = /^\d{16}$/;
const EXCHANGE = /^exchange-([0-9a-f-]+)$/;
const SKIP = /^skip-(\d+)-(\d+)$/;
const OUTVOTED = /^outvoted-(\d+)-(.+)$/;
/** Should the newest be damaged, the one before it does. */
const KEPT = 2;

/** The state of the exchange right after a message of the stream, and what the log had come to there. */
export interface SharedSnapshot {
  readonly log: StreamState;
  readonly state: Uint8Array;
}

/** The snapshots of an exchange of many nodes, in the object store beside its log. */
export class ObjectSnapshots {
  private constructor(
    private readonly connection: NatsConnection,
    private readonly stream: string,
    private readonly objects: ObjectStore,
  ) {}

  /** Makes the store where there is none. */
  static async open(
    connection: NatsConnection,
    stream: string,
    replicas: number,
  ): Promise<ObjectSnapshots> {
    const objects = await new Objm(jetstream(connection, SKIP_API_CHECK)).create(storeOf(stream), {
      storage: StorageType.File,
      replicas,
      description: `Snapshots of the exchange whose log is the stream ${stream}.`,
    });
    return new ObjectSnapshots(connection, stream, objects);
  }

  /** Those that there are; undefined where there is no store for them. Makes nothing. */
  static async find(
    connection: NatsConnection,
    stream: string,
  ): Promise<ObjectSnapshots | undefined> {
    const manager = await jetstreamManager(connection, SKIP_API_CHECK);
    try {
      await manager.streams.info(`OBJ_${storeOf(stream)}`);
    } catch (error) {
      const isMissing =
        error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
      if (isMissing) return undefined;
      throw error;
    }
    const objects = await new Objm(jetstream(connection, SKIP_API_CHECK)).open(
      storeOf(stream),
      false,
    );
    return new ObjectSnapshots(connection, stream, objects);
  }

  /** Sequences of the snapshots there are, newest first. */
  async sequences(): Promise<number[]> {
    const names = await this.names();
    return names
      .filter((name) => SNAPSHOT.test(name))
      .map(Number)
      .sort((a, b) => b - a);
  }

  /** Commands that an operator has had passed over, as `sequence index`: known before anything is applied. */
  async skips(): Promise<Skips> {
    const names = await this.names();
    return new Set(names.flatMap((name) => SKIP.exec(name)?.slice(1).join(' ') ?? []));
  }

  /** Notes that a command is passed over; the log says by whom and why. */
  async skip(sequence: number, index: number): Promise<void> {
    await this.objects.putBlob({ name: `skip-${sequence}-${index}` }, new Uint8Array(1));
  }

  /** Names of the exchanges whose log this is: one, once a node has begun. */
  async exchanges(): Promise<string[]> {
    return (await this.names()).flatMap((name) => EXCHANGE.exec(name)?.[1] ?? []);
  }

  async noteExchange(id: string): Promise<void> {
    await this.objects.putBlob({ name: `exchange-${id}` }, new Uint8Array(1));
  }

  /** The batch after which most nodes found that a node holds another state; undefined if it may run. */
  async outvotedAt(node: string): Promise<number | undefined> {
    const sequences = (await this.outvoted()).filter((each) => each.node === node);
    return sequences.length === 0 ? undefined : Math.max(...sequences.map(({ at }) => at));
  }

  /** Every node that may not start until an operator has readmitted it. */
  async outvoted(): Promise<{ readonly node: string; readonly at: number }[]> {
    const found = (await this.names()).map((name) => OUTVOTED.exec(name));
    return found.flatMap((match) => (match ? { at: Number(match[1]), node: match[2]! } : []));
  }

  /** Keeps a node from starting again: most nodes found after a batch that it holds another state. */
  async noteOutvoted(node: string, at: number): Promise<void> {
    await this.objects.putBlob({ name: `outvoted-${at}-${node}` }, new Uint8Array(1));
  }

  /** Lets a node start again. */
  async readmit(node: string): Promise<void> {
    for (const each of await this.outvoted()) {
      if (each.node === node) await this.objects.delete(`outvoted-${each.at}-${node}`);
    }
  }

  private async names(): Promise<string[]> {
    return (await this.objects.list()).filter(({ deleted }) => !deleted).map(({ name }) => name);
  }

  /**
   * The newest whole one at or before `limit`, a damaged one passed over; the empty exchange where there is none.
   * Nodes that run may forget the one that is read: then the newest is another.
   * @throws InvariantError for one of a later release, and what NATS fails with
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
   * @throws SnapshotDamagedError, also where it is not there any more; InvariantError for one of a later release; and
   * what NATS fails with
   */
  async read(sequence: number): Promise<SharedSnapshot> {
    const damaged = (reason: string) =>
      new SnapshotDamagedError(
        `Snapshot ${sequence} of ${this.stream} is damaged (${reason}): an older one is used.`,
      );
    const place = await this.objects.info(nameOf(sequence));
    if (place === null || place.deleted) throw damaged('it is not there');
    const bytes = await readBlob(this.connection, storeOf(this.stream), place);
    if (bytes === undefined || bytes.length < HASH_BYTES) throw damaged('parts of it are missing');
    const content = bytes.subarray(0, bytes.length - HASH_BYTES);
    if (!equalHashes(hashOf(content), bytes.subarray(content.length)))
      throw damaged('its hash is another');
    const reader = new ByteReader(content);
    if (reader.uint32() !== MAGIC) throw damaged('it is none of this program');
    const format = reader.byte();
    invariant(
      format === FORMAT,
      `Snapshot ${sequence} of ${this.stream} has format ${format}, this release knows ${FORMAT}: start the release that wrote it, or a later one`,
    );
    const log = StreamState.decode(reader.raw());
    const state = reader.raw();
    if (log.sequence !== sequence) throw damaged('it is of another place');
    return { log, state };
  }

  /**
   * Makes a snapshot durable, forgets those that nobody can need any more, and trims the stream behind the oldest
   * that is left: the newest two are kept, and whatever is not older than the newest that history has passed, from
   * which alone it can be gone on with. Where there is none of those nothing is forgotten.
   * @param recorded Where history stands in its store.
   */
  async write(
    log: Uint8Array,
    sequence: number,
    state: Uint8Array,
    recorded: number,
  ): Promise<void> {
    const writer = new ByteWriter(state.length + log.length + 64);
    writer.uint32(MAGIC);
    writer.byte(FORMAT);
    writer.raw(log);
    writer.raw(state);
    const content = writer.bytes();
    const bytes = new Uint8Array(content.length + HASH_BYTES);
    bytes.set(content);
    bytes.set(hashOf(content), content.length);
    await this.objects.putBlob({ name: nameOf(sequence) }, bytes);
    const sequences = await this.sequences();
    const oldest = oldestNeeded(sequences, recorded);
    if (oldest === undefined) return;
    for (const old of sequences) {
      if (old < oldest) await this.objects.delete(nameOf(old));
    }
    const manager = await jetstreamManager(this.connection, SKIP_API_CHECK);
    await manager.streams.purge(this.stream, { seq: oldest + 1 });
    await this.sweep(manager, oldest);
  }

  /**
   * Removes what leads nowhere: the store's notes of what was deleted, and what a writer had put there when it was
   * killed. Nothing that is newer than a snapshot: another may be at work on it.
   */
  private async sweep({ streams }: JetStreamManager, snapshot: number): Promise<void> {
    const store = storeOf(this.stream);
    const stream = `OBJ_${store}`;
    const place = await this.objects.info(nameOf(snapshot));
    if (place === null) return;
    const { state } = await streams.info(stream, { subjects_filter: `$O.${store}.>` });
    const needed = new Set(
      (await this.objects.list()).flatMap(({ name, nuid }) => [
        `$O.${store}.M.${encoded(name)}`,
        `$O.${store}.C.${nuid}`,
      ]),
    );
    for (const subject of Object.keys(state.subjects ?? {})) {
      if (needed.has(subject)) continue;
      const last = await streams.getMessage(stream, { last_by_subj: subject });
      if (last !== null && last.seq < place.revision) {
        await streams.purge(stream, { filter: subject });
      }
    }
  }
}

/**
 * The oldest of some snapshots, newest first, that must be kept with all that follows it in the log; undefined as
 * long as nothing may be trimmed.
 */
export function oldestNeeded(sequences: readonly number[], recorded: number): number | undefined {
  const reached = sequences.find((sequence) => sequence <= recorded);
  const second = sequences[KEPT - 1];
  if (reached === undefined || second === undefined) return undefined;
  return Math.min(reached, second);
}

function storeOf(stream: string): string {
  return `${stream}-snapshots`;
}

function nameOf(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

/** A name as the object store has it in subjects. */
function encoded(name: string): string {
  return Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

function hashOf(bytes: Uint8Array): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  hashInto(hash, bytes);
  return hash;
}
