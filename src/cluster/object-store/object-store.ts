import {
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
} from '@nats-io/jetstream';
import { type ObjectStore as NatsObjectStore, Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { SKIP_API_CHECK } from '../log/jetstream.ts';
import { isStreamMissing } from '../stream/connection.ts';
import { type BlobPlace, readBlob } from './blob.ts';

/** The object store next to the log: named blobs, such as snapshots and marks. */
export class ObjectStore {
  private constructor(
    private readonly connection: NatsConnection,
    private readonly log: string,
    private readonly objects: NatsObjectStore,
  ) {}

  /** Opens the store of a log; creates it if there is none. @param log Name of the log's stream. */
  static async open(
    connection: NatsConnection,
    log: string,
    replicas: number,
  ): Promise<ObjectStore> {
    const objects = await new Objm(jetstream(connection, SKIP_API_CHECK)).create(storeName(log), {
      storage: StorageType.File,
      replicas,
      description: `Snapshots of the exchange whose log is the stream ${log}.`,
    });
    return new ObjectStore(connection, log, objects);
  }

  /** Opens the store if it exists. Creates nothing. */
  static async find(connection: NatsConnection, log: string): Promise<ObjectStore | undefined> {
    const manager = await jetstreamManager(connection, SKIP_API_CHECK);
    try {
      await manager.streams.info(`OBJ_${storeName(log)}`);
    } catch (error) {
      if (isStreamMissing(error)) return undefined;
      throw error;
    }
    const objects = await new Objm(jetstream(connection, SKIP_API_CHECK)).open(
      storeName(log),
      false,
    );
    return new ObjectStore(connection, log, objects);
  }

  /** Returns the names of all objects. */
  async names(): Promise<string[]> {
    return (await this.objects.list()).filter(({ deleted }) => !deleted).map(({ name }) => name);
  }

  /** Returns where an object is stored; undefined if there is none of that name. */
  async locate(name: string): Promise<BlobPlace | undefined> {
    const place = await this.objects.info(name);
    return place === null || place.deleted ? undefined : place;
  }

  /** Reads an object; returns undefined if parts of it are missing. @throws errors of NATS */
  read(place: BlobPlace): Promise<Uint8Array | undefined> {
    return readBlob(this.connection, storeName(this.log), place);
  }

  /** Writes an object durably. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.objects.putBlob({ name }, bytes);
  }

  /** Writes an object whose name is all it says. */
  async mark(name: string): Promise<void> {
    await this.put(name, new Uint8Array(1));
  }

  async delete(name: string): Promise<void> {
    await this.objects.delete(name);
  }

  /**
   * Removes the messages of the log up to a sequence, and garbage from the store: markers of deleted objects, and
   * chunks of writers that were killed. Nothing newer than the object `name` is removed: another node may be writing it.
   */
  async trim(sequence: number, name: string): Promise<void> {
    const manager = await jetstreamManager(this.connection, SKIP_API_CHECK);
    await manager.streams.purge(this.log, { seq: sequence + 1 });
    await this.sweep(manager, name);
  }

  /** Returns the sequence of the oldest message of the log. */
  async firstMessage(): Promise<number> {
    const manager = await jetstreamManager(this.connection, SKIP_API_CHECK);
    return (await manager.streams.info(this.log)).state.first_seq;
  }

  private async sweep({ streams }: JetStreamManager, name: string): Promise<void> {
    const store = storeName(this.log);
    const stream = `OBJ_${store}`;
    const place = await this.objects.info(name);
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

function storeName(log: string): string {
  return `${log}-snapshots`;
}

/** Encodes a name as in the subjects of the object store. */
function encoded(name: string): string {
  return Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
