import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectToNats, type NatsSettings } from '../../src/cluster/connection.ts';
import { ensureStream } from '../../src/cluster/stream.ts';
import { StreamState } from '../../src/log/stream-state.ts';
import { ObjectSnapshots } from '../../src/replica/object-snapshots.ts';
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

  /** A stream of so many messages that nobody reads, and its snapshots. */
  async function begin(messages = 0) {
    const stream = `s${++streams}`;
    await ensureStream(connection, stream, 1);
    for (let n = 0; n < messages; n++) await connection.request(`${stream}.batches`, 'x');
    const snapshots = await ObjectSnapshots.open(connection, stream, 1);
    const write = (sequence: number, recorded: number, bytes = 10) => {
      const state = new StreamState();
      state.sequence = sequence;
      return snapshots.write(state.encode(), sequence, new Uint8Array(bytes), recorded);
    };
    const first = async () => (await manager.streams.info(stream)).state.first_seq;
    return { stream, snapshots, write, first };
  }

  test('nothing is forgotten that history has yet to pass', async () => {
    const { snapshots, write, first } = await begin(60);
    const left = async () => [await first(), ...(await snapshots.sequences())];
    await write(10, 0);
    await write(20, 0);
    await write(30, 9);
    expect(await left()).toEqual([1, 30, 20, 10]);
    await write(40, 25);
    expect(await left()).toEqual([21, 40, 30, 20]);
    // Behind all of them at once: the newest may be damaged.
    await write(50, 50);
    expect(await left()).toEqual([41, 50, 40]);
    // Of another database, or one that was put back.
    await write(60, 5);
    expect(await left()).toEqual([41, 60, 50, 40]);
  });
});
