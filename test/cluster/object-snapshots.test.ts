import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { ObjectSnapshots } from '../../src/archivist/snapshots/object-snapshots.ts';
import { StreamState } from '../../src/cluster/log/stream-state.ts';
import {
  connectToNats,
  isUnavailable,
  type NatsSettings,
  retryTransient,
} from '../../src/cluster/stream/connection.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { writeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';

describeWithServers('snapshots in the object store', () => {
  let nats: Nats;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let streams = 0;
  beforeAll(async () => {
    nats = await startNats({ syncsAlways: false });
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    const settings: NatsSettings = { servers, isTls: false, user, password };
    connection = await connectToNats(settings, 'test');
    manager = await jetstreamManager(connection);
  });
  afterAll(async () => {
    await connection.close();
    await nats.stop();
  });

  /** Returns the snapshots of a new stream with that many messages, which have no consumer. */
  async function begin(messages = 0) {
    const stream = `s${++streams}`;
    await ensureStream(connection, stream, 1);
    for (let n = 0; n < messages; n++) await connection.request(`${stream}.batches`, 'x');
    const snapshots = await ObjectSnapshots.open(connection, stream, 1);
    const write = (sequence: number, recorded: number) => {
      const state = new StreamState();
      state.sequence = sequence;
      return snapshots.write(state.encode(), sequence, writeSnapshot(new Exchange()), recorded);
    };
    const first = async () => (await manager.streams.info(stream)).state.first_seq;
    return { stream, snapshots, write, first };
  }

  test('snapshots that history has not reached are kept', async () => {
    const { snapshots, write, first } = await begin(60);
    const left = async () => [await first(), ...(await snapshots.sequences())];
    await write(10, 0);
    await write(20, 0);
    await write(30, 9);
    expect(await left()).toEqual([1, 30, 20, 10]);
    await write(40, 25);
    expect(await left()).toEqual([21, 40, 30, 20]);
    // History has reached the newest at once: the one before is kept, because the newest may be damaged.
    await write(50, 50);
    expect(await left()).toEqual([41, 50, 40]);
    // A lower position, from another database or a restored backup.
    await write(60, 5);
    expect(await left()).toEqual([41, 60, 50, 40]);
  });

  /** Runs `work` once, between the next read of the metadata of a snapshot and the read of its bytes. */
  function runDuringRead(snapshots: ObjectSnapshots, work: () => Promise<unknown>): void {
    const objects = listObjects(snapshots);
    const info = objects.info.bind(objects);
    objects.info = async (name) => {
      const found = await info(name);
      objects.info = info;
      await work();
      return found;
    };
  }

  test('a damaged snapshot is skipped, and so is one that was replaced', async () => {
    const { stream, snapshots, write } = await begin();
    const newest = async () => (await snapshots.newest()).log.sequence;
    for (const sequence of [10, 20, 30]) await write(sequence, 0);
    const { nuid } = (await listObjects(snapshots).info(toName(30)))!;
    const store = `${stream}-snapshots`;
    await manager.streams.purge(`OBJ_${store}`, { filter: `$O.${store}.C.${nuid}` });
    expect(await newest()).toBe(20);
    await write(40, 40);
    runDuringRead(snapshots, async () => {
      await write(50, 50);
      await write(60, 60);
    });
    expect(await newest()).toBe(60);
  });

  test('nothing remains of deleted and unfinished snapshots', async () => {
    const { stream, snapshots, write } = await begin();
    const store = `${stream}-snapshots`;
    const subjects = async () => {
      const filter = { subjects_filter: `$O.${store}.>` };
      return Object.keys((await manager.streams.info(`OBJ_${store}`, filter)).state.subjects ?? {});
    };
    await snapshots.skip(3, 1);
    await write(10, 10);
    // Parts of a killed writer, and of one that is still writing.
    await connection.request(`$O.${store}.C.killed`, 'part');
    for (let sequence = 20; sequence <= 120; sequence += 10) await write(sequence, sequence);
    await connection.request(`$O.${store}.C.busy`, 'part');
    await write(130, 130);
    const left = await subjects();
    expect(left).not.toContain(`$O.${store}.C.killed`);
    expect(left).toContain(`$O.${store}.C.busy`);
    // Data and metadata of the newest two and of the mark; recent deletions leave metadata for a while.
    expect(left.length).toBeLessThanOrEqual(6 + 1 + 2);
    expect(await snapshots.sequences()).toEqual([130, 120]);
    expect([...(await snapshots.skips())]).toEqual(['3 1']);
    expect((await snapshots.newest(125)).log.sequence).toBe(120);
  });

  test('transient errors and later formats are not damage', async () => {
    const { snapshots, write } = await begin();
    await write(10, 0);
    runDuringRead(snapshots, async () => {
      nats.servers[0]!.pause();
      // The signal takes effect a moment later.
      const answers = () => connection.flush().then(() => true);
      while (await Promise.race([answers(), Bun.sleep(200).then(() => false)]));
    });
    const error = await snapshots.newest().catch((thrown) => thrown);
    nats.servers[0]!.resume();
    expect([`${error}`, isUnavailable(error)]).toEqual([`${error}`, true]);
    expect((await retryTransient(() => snapshots.newest())).log.sequence).toBe(10);
    const bytes = new Uint8Array(100);
    new DataView(bytes.buffer).setUint32(0, 0x53575742, true);
    bytes[4] = 2;
    bytes.set(Bun.SHA256.hash(bytes.subarray(0, 68)) as Uint8Array, 68);
    await listObjects(snapshots).putBlob({ name: toName(20) }, bytes);
    await expect(snapshots.newest()).rejects.toThrow('Start the release that wrote it');
  }, 30_000);
});

const listObjects = (snapshots: ObjectSnapshots) =>
  (snapshots as unknown as { store: { objects: ObjectStore } }).store.objects;
const toName = (sequence: number) => String(sequence).padStart(16, '0');
