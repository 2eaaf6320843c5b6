import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { ObjectSnapshots } from '../../src/archivist/snapshots/object-snapshots.ts';
import { JetStream } from '../../src/cluster/log/jetstream.ts';
import { remainingBytes } from '../../src/cluster/stream/capacity.ts';
import { connectToNats, type NatsSettings } from '../../src/cluster/stream/connection.ts';
import { StreamFill } from '../../src/cluster/stream/fill-level.ts';
import { checkStore, ensureStream, listPeers } from '../../src/cluster/stream/stream.ts';
import { listServers } from '../../src/cluster/stream/sync.ts';
import * as logger from '../../src/monitoring/logger.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';

const GIB = 1024 ** 3;
/** The storage limit of the server. */
const ALL = 64 * GIB;

describeWithServers('requests of a node to NATS at its start', () => {
  let nats: Nats;
  let warned: ReturnType<typeof spyOn<typeof logger, 'warn'>>;
  let connection: NatsConnection;
  beforeAll(async () => {
    nats = await startNats({ syncsAlways: false });
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    connection = await connectToNats({ servers, isTls: false, user, password }, 'test');
  });
  beforeEach(() => {
    warned = spyOn(logger, 'warn').mockImplementation(() => {});
  });
  afterEach(() => warned.mockRestore());
  afterAll(async () => {
    await connection.close();
    await nats.stop();
  });

  test('JetStream is checked once', async () => {
    const asked = spyOn(connection, 'request');
    await ensureStream(connection, 'once', 1);
    await listPeers(connection, 'once');
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

  test('requests to the log time out after two seconds, because an unreachable server never answers', async () => {
    await ensureStream(connection, 'asked', 1);
    const stream = await JetStream.open(connection, 'asked');
    const asked = spyOn(connection, 'request');
    await stream.lastSequence();
    await stream.publish(new Uint8Array(1), 2000);
    const timeouts = asked.mock.calls.map(([, , options]) => options?.timeout);
    asked.mockRestore();
    expect(timeouts).toEqual([2000, 2000]);
  });

  const systemUser = (): NatsSettings => {
    const { host, username: user, password } = new URL(nats.systemUrls[0]!);
    return { servers: [host], isTls: false, user, password };
  };
  const warnings = () => warned.mock.calls.map(([message]) => `${message}`);

  test('a stream is created with three quarters of the remaining capacity', async () => {
    const limits = [];
    for (const stream of ['first', 'second']) {
      await ensureStream(connection, stream, 1, await listServers(systemUser()));
      const fill = await StreamFill.watch(connection, stream);
      fill.stop();
      limits.push(fill.maxBytes! / ALL);
    }
    expect(limits[0]).toBeCloseTo(3 / 4, 3);
    expect(limits[1]).toBeCloseTo(3 / 16, 3);
    expect(warnings()).toEqual([]);
  });

  test('a stream without a limit causes a warning, and an alarm at half of the capacity at the start', async () => {
    await ensureStream(connection, 'endless', 1);
    const watch = async (remaining: number) => {
      warned.mockClear();
      const fill = await StreamFill.watch(connection, 'endless', remaining);
      fill.stop();
      return { fill, warnings: warnings() };
    };
    const begun = await watch(20_000);
    expect([begun.fill.maxBytes, begun.warnings]).toEqual([
      20_000,
      [
        expect.stringContaining(
          'an alarm is raised at half of the 20000 bytes that they can hold now',
        ),
      ],
    ]);
    for (let n = 0; n < 11; n++) {
      await connection.request('endless.batches', new Uint8Array(1000));
    }
    const { fill, warnings: later } = await watch(8000);
    expect(fill.maxBytes).toBe(fill.bytes! + 8000);
    expect(later[0]).toMatch(/^The stream endless is half full: \d+ of \d+ bytes/);
  });

  test('if the capacity is unknown there is no alarm, and a warning says so', async () => {
    await ensureStream(connection, 'unknown', 1);
    const fill = await StreamFill.watch(connection, 'unknown');
    fill.stop();
    expect([fill.maxBytes, warnings()]).toEqual([
      undefined,
      [expect.stringContaining('how full they are is unknown, so there is no alarm. Set a limit')],
    ]);
  });

  test.each([
    ['a timeout, on the second failure', new errors.TimeoutError(), 2],
    ['a permanent error, at once', new Error('permissions violation'), 1],
  ])('a fill level that cannot be read causes one warning: %s', async (_, error, times) => {
    await ensureStream(connection, 'unread', 1);
    const fill = await StreamFill.watch(connection, 'unread', 1000);
    fill.stop();
    const { bytes, maxBytes } = fill;
    // Its timer is stopped, so that it polls only when called.
    Reflect.set(fill, 'isStopped', false);
    const infos = spyOn(logger, 'info').mockImplementation(() => {});
    const asked = spyOn(connection, 'request').mockRejectedValue(error);
    const all: number[] = [];
    for (let polls = 1; polls <= 3; polls++) {
      warned.mockClear();
      await fill.poll();
      all.push(warnings().length);
    }
    asked.mockRestore();
    expect(all).toEqual([1, 2, 3].map((poll) => (poll === times ? 1 : 0)));
    expect([fill.bytes, fill.maxBytes]).toEqual([bytes, maxBytes]);
    await fill.poll();
    expect(infos.mock.calls).toEqual([['The fill level of the stream unread can be read again.']]);
    infos.mockRestore();
  });

  test('no stream is created without remaining capacity', async () => {
    const full = {
      server: { name: 'n', ver: '2.10.0' },
      data: { jetstream: { config: { max_storage: GIB }, stats: { storage: GIB } } },
    };
    await expect(ensureStream(connection, 'none', 1, [full])).rejects.toThrow(
      'There is not enough space for the stream none: the NATS servers or the account have 0 bytes left',
    );
    const { streams } = await jetstreamManager(connection);
    await expect(streams.info('none')).rejects.toThrow('stream not found');
  });

  test('the remaining capacity is the minimum of the servers and the account', () => {
    const server = (max_storage: number, storage: number, reserved_storage: number) => ({
      server: { name: 'n', ver: '2.10.0' },
      data: { jetstream: { config: { max_storage }, stats: { storage, reserved_storage } } },
    });
    const unlimited = { storage: 0, limits: { max_storage: -1 } };
    const servers = [server(100, 10, 0), server(100, 10, 30), server(100, 45, 30)];
    expect(remainingBytes(servers, unlimited, 3)).toBe(55);
    expect(remainingBytes(servers, { storage: 30, limits: { max_storage: 150 } }, 3)).toBe(40);
    expect(remainingBytes([server(100, 200, 0)], unlimited, 1)).toBe(0);
    expect(remainingBytes([], unlimited, 1)).toBeUndefined();
  });
});
