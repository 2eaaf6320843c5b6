import { afterAll, beforeAll, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { GENESIS } from '../../src/archivist/recovery.ts';
import { ObjectSnapshots } from '../../src/archivist/snapshots/object-snapshots.ts';
import { openStreamArchive } from '../../src/archivist/stream-archive.ts';
import { EnvelopeKind, encodeEnvelope, NOTHING_APPLIED } from '../../src/cluster/log/envelope.ts';
import { connectToNats, type NatsSettings } from '../../src/cluster/stream/connection.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { HistoryOvertakenError } from '../../src/history/errors.ts';
import { History, type Recorder } from '../../src/history/history.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';

const STREAM = 'buttonwood';

describeWithServers('an archive of a log on NATS', () => {
  let nats: Nats;
  beforeAll(async () => {
    nats = await startNats({ syncsAlways: false });
  });
  afterAll(() => nats.stop());

  test('starts again if history advanced in the meantime, and rejects a history before the start of the log', async () => {
    const stream = 'overtaken';
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    const settings: NatsSettings = { servers, isTls: false, user, password };
    const connection = await connectToNats(settings, 'test');
    await ensureStream(connection, stream, 1);
    for (let n = 0; n < 5; n++) await connection.request(`${stream}.batches`, 'x');
    const manager = await jetstreamManager(connection);
    await manager.streams.purge(stream, { seq: 4 });
    const begin = (stands: () => number) =>
      openStreamArchive({
        source: { log: 'jetstream', nats: settings, stream, replicas: 1, node: 'one' },
        history: {
          position: () => ({ sequence: stands(), hash: new Uint8Array(32) }),
          resumesFrom: () => 0,
          settle: async () => {},
        } as unknown as Recorder,
        elapsedMs: () => 0,
        keepDelivered: () => 0,
        onFailure: () => {},
      });
    let position = 0;
    await expect(begin(() => position++)).rejects.toThrow(HistoryOvertakenError);
    await expect(begin(() => 2)).rejects.toThrow('the log starts at 4');
    await connection.close();
  });

  test('stores no snapshot of a disputed state', async () => {
    const stream = 'disputed';
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    const settings: NatsSettings = { servers, isTls: false, user, password };
    const connection = await connectToNats(settings, 'test');
    await ensureStream(connection, stream, 1);
    const sign = encodeEnvelope({
      kind: EnvelopeKind.batch,
      node: 'a',
      incarnation: 1,
      counter: 1,
      deadline: 0,
      clock: 0,
      applied: NOTHING_APPLIED,
      count: 0,
      payload: new Uint8Array(0),
    });
    await connection.request(`${stream}.batches`, sign);
    const history = {
      position: () => GENESIS,
      settle: async () => {},
      begin() {},
      record() {},
      detectors: () => [],
      resumesFrom: () => 0,
      watch() {},
      isWriter: true,
      isShared: true,
      hasCapacity: true,
    } as unknown as Recorder;
    const { archive } = await openStreamArchive({
      source: { log: 'jetstream', nats: settings, stream, replicas: 1, node: 'one' },
      terms: { commands: 1, batches: 1, everyMs: 0, afterAuditMs: 0, heldMs: 50 },
      history,
      elapsedMs: () => 0,
      keepDelivered: () => 0,
      onFailure: () => {},
    });
    const snapshots = await ObjectSnapshots.open(connection, stream, 1);
    for (const [isDisputed, expected] of [
      [true, []],
      [false, [1]],
    ] as const) {
      const writing = archive.snapshot();
      archive.isDisputed = isDisputed;
      await writing;
      expect(await snapshots.sequences()).toEqual([...expected]);
    }
    await connection.close();
  });

  test('fails if its access is revoked, because it could neither trim nor store', async () => {
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    const settings: NatsSettings = { servers, isTls: false, user, password };
    const connection = await connectToNats(settings, 'test');
    await ensureStream(connection, STREAM, 1);
    await connection.close();
    const failure = Promise.withResolvers<Error>();
    await openStreamArchive({
      source: { log: 'jetstream', nats: settings, stream: STREAM, replicas: 1, node: 'one' },
      history: await History.open('sqlite://:memory:'),
      elapsedMs: () => 0,
      keepDelivered: () => 0,
      onFailure: failure.resolve,
    });
    const [server] = nats.servers;
    await server!.stop();
    const accounts = 'authorization { user: "exchange", password: "another" }';
    Object.assign(Reflect.get(server!, 'settings'), { accounts });
    await server!.start();
    expect((await failure.promise).message).toMatch(/closed permanently.*credentials of this node/);
  }, 30_000);
});
