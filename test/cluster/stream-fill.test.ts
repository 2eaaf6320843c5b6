import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectToNats } from '../../src/cluster/connection.ts';
import { checkStore, ensureStream, peersOf } from '../../src/cluster/stream.ts';
import { StreamFill } from '../../src/cluster/stream-fill.ts';
import { JetStream } from '../../src/log/jetstream.ts';
import { ObjectSnapshots } from '../../src/replica/object-snapshots.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';

describeWithServers('what a node asks NATS at its start', () => {
  let nats: Nats;
  let connection: NatsConnection;
  beforeAll(async () => {
    nats = await startNats({ syncsAlways: false });
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    connection = await connectToNats({ servers, isTls: false, user, password }, 'test');
  });
  afterAll(async () => {
    await connection.close();
    await nats.stop();
  });

  test('whether there is JetStream it asks once', async () => {
    const asked = spyOn(connection, 'request');
    await ensureStream(connection, 'once', 1);
    await peersOf(connection, 'once');
    const snapshots = await ObjectSnapshots.open(connection, 'once', 1);
    await checkStore(connection, 'once', 1);
    await snapshots.newest();
    await JetStream.open(connection, 'once');
    const fill = await StreamFill.watch(connection, 'once');
    fill.stop();
    const subjects = asked.mock.calls.map(([subject]) => subject);
    asked.mockRestore();
    expect(subjects).toContain('$JS.API.STREAM.CREATE.once');
    expect(subjects.filter((subject) => subject === '$JS.API.INFO')).toHaveLength(1);
  });
});
