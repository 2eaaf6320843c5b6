import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import { ObjectSnapshots } from '../../src/archivist/snapshots/object-snapshots.ts';
import { connectToNats } from '../../src/cluster/stream/connection.ts';
import { checkStore, ensureStream } from '../../src/cluster/stream/stream.ts';
import { identify } from '../../src/node/identity.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

describeWithServers('the identity of a log and a database', () => {
  let nats: Nats;
  let postgres: PostgresServer;
  let connection: NatsConnection;

  beforeAll(async () => {
    [nats, postgres] = await Promise.all([startNats({ syncsAlways: false }), startPostgres()]);
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    const { user, pass: password } = EXCHANGE_USER;
    connection = await connectToNats({ servers, isTls: false, user, password }, 'test');
  }, 60_000);
  afterAll(async () => {
    await connection.close();
    await Promise.all([nats.stop(), postgres.stop()]);
  });

  const store = async (stream: string) => {
    await ensureStream(connection, stream, 1);
    return ObjectSnapshots.open(connection, stream, 1);
  };

  test('is stored at the first start, even of several nodes at once', async () => {
    const [one, other] = [await store('one'), await store('other')];
    const [mine, yours] = await Promise.all(
      ['mine', 'yours', 'empty'].map((name) => postgres.createDatabase(name)),
    );
    await Promise.all([1, 2, 3].map(() => identify(one, mine!)));
    await identify(other, yours!);
    await identify(one, mine!);
    expect(await one.exchanges()).toHaveLength(1);
    await expect(identify(one, yours!)).rejects.toThrow('belongs to another exchange than the log');
    const empty = new URL(mine!);
    empty.pathname = '/empty';
    await expect(identify(one, empty.href)).rejects.toThrow('has never belonged to the exchange');
    // An interrupted first start continues; history shows whether the database has more.
    await expect(identify(await store('third'), mine!)).resolves.toBeUndefined();
  }, 60_000);

  test('a snapshot store with too few replicas is rejected', async () => {
    await store('safe');
    await checkStore(connection, 'safe', 1);
    await expect(checkStore(connection, 'safe', 3)).rejects.toThrow(
      'The stream OBJ_safe-snapshots has 1 replica(s) instead of 3. Fix it: nats stream edit OBJ_safe-snapshots --replicas=3',
    );
  });
});
