import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { type ObjectStore, Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { ByteReader, ByteWriter } from '../engine/bytes.ts';
import { equalHashes, HASH_BYTES, hashInto } from '../log/hash.ts';
import { StreamState } from '../log/stream-state.ts';
import { SnapshotDamagedError } from '../replica/snapshots.ts';

const MAGIC = 0x53575742;
const FORMAT = 1;
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
    const objects = await new Objm(connection).create(`${stream}-snapshots`, {
      storage: StorageType.File,
      replicas,
      description: `Snapshots of the exchange whose log is the stream ${stream}.`,
    });
    return new ObjectSnapshots(connection, stream, objects);
  }

  /** Sequences of the snapshots there are, newest first. */
  async sequences(): Promise<number[]> {
    return (await this.objects.list())
      .filter(({ deleted }) => !deleted)
      .map(({ name }) => Number(name))
      .sort((a, b) => b - a);
  }

  /** @throws SnapshotDamagedError */
  async read(sequence: number): Promise<SharedSnapshot> {
    const damaged = (reason: string) =>
      new SnapshotDamagedError(
        `Snapshot ${sequence} of ${this.stream} is damaged (${reason}): an older one is used.`,
      );
    // Blobs are checked against their digest as they come.
    const bytes = await this.objects.getBlob(nameOf(sequence)).catch((error: Error) => {
      throw damaged(error.message);
    });
    if (bytes === null || bytes.length < HASH_BYTES) throw damaged('it is not there');
    const content = bytes.subarray(0, bytes.length - HASH_BYTES);
    if (!equalHashes(hashOf(content), bytes.subarray(content.length)))
      throw damaged('its hash is another');
    const reader = new ByteReader(content);
    if (reader.uint32() !== MAGIC) throw damaged('it is none of this program');
    const format = reader.byte();
    if (format !== FORMAT) throw damaged(`its format is ${format}, this release knows ${FORMAT}`);
    const log = StreamState.decode(reader.raw());
    const state = reader.raw();
    if (log.sequence !== sequence) throw damaged('it is of another place');
    return { log, state };
  }

  /**
   * Makes a snapshot durable and forgets all but the newest two, with what the stream holds behind the older of
   * them: whoever writes history has passed that one, so that history can always be gone on with.
   */
  async write(log: Uint8Array, sequence: number, state: Uint8Array): Promise<void> {
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
    for (const old of sequences.slice(KEPT)) await this.objects.delete(nameOf(old));
    const oldest = sequences[KEPT - 1];
    if (oldest === undefined) return;
    const manager = await jetstreamManager(this.connection);
    await manager.streams.purge(this.stream, { seq: oldest + 1 });
  }
}

function nameOf(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

function hashOf(bytes: Uint8Array): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  hashInto(hash, bytes);
  return hash;
}
