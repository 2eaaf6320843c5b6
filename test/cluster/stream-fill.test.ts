import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { ObjectSnapshots } from '../../src/archivist/snapshots/object-snapshots.ts';
import { JetStream } from '../../src/cluster/log/jetstream.ts';
import { roomOf } from '../../src/cluster/stream/capacity.ts';
import { connectToNats, type NatsSettings } from '../../src/cluster/stream/connection.ts';
import { StreamFill } from '../../src/cluster/stream/fill-level.ts';
import { checkStore, ensureStream, peersOf } from '../../src/cluster/stream/stream.ts';
import { serversOf } from '../../src/cluster/stream/sync.ts';
import * as logger from '../../src/monitoring/logger.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';

const GIB = 1024 ** 3;
/** What the server for these tests is given. */
const ALL = 64 * GIB;

describeWithServers('what a node asks NATS at its start', () => {
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

  test('what it asks of the log it gives up after two seconds, as one that is out of reach never answers', async () => {
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

  test('a stream is made with three quarters of the room that its servers have left', async () => {
    const limits = [];
    for (const stream of ['first', 'second']) {
      await ensureStream(connection, stream, 1, await serversOf(systemUser()));
      const fill = await StreamFill.watch(connection, stream);
      fill.stop();
      limits.push(fill.maxBytes! / ALL);
    }
    expect(limits[0]).toBeCloseTo(3 / 4, 3);
    expect(limits[1]).toBeCloseTo(3 / 16, 3);
    expect(warnings()).toEqual([]);
  });

  test('a stream without a limit is warned of, and told at half of the room that there was', async () => {
    await ensureStream(connection, 'endless', 1);
    const look = async (room: number) => {
      warned.mockClear();
      const fill = await StreamFill.watch(connection, 'endless', room);
      fill.stop();
      return { fill, warnings: warnings() };
    };
    const begun = await look(20_000);
    expect([begun.fill.maxBytes, begun.warnings]).toEqual([
      20_000,
      [expect.stringContaining('an alarm at half of the 20000 bytes that they have room for now')],
    ]);
    for (let n = 0; n < 11; n++) {
      await connection.request('endless.batches', new Uint8Array(1000));
    }
    const { fill, warnings: told } = await look(8000);
    expect(fill.maxBytes).toBe(fill.bytes! + 8000);
    expect(told[0]).toMatch(/^The stream endless is half full: \d+ of \d+ bytes/);
  });

  test('where nobody says how much room there is there is no alarm, and that is told', async () => {
    await ensureStream(connection, 'unknown', 1);
    const fill = await StreamFill.watch(connection, 'unknown');
    fill.stop();
    expect([fill.maxBytes, warnings()]).toEqual([
      undefined,
      [expect.stringContaining('nobody says how full they are. Give it a limit')],
    ]);
  });

  test.each([
    ['no answer in time, the second time', new errors.TimeoutError(), 2],
    ['an answer that does not pass by itself, at once', new Error('permissions violation'), 1],
  ])('that it cannot be read is told once: %s', async (_, error, times) => {
    await ensureStream(connection, 'unread', 1);
    const fill = await StreamFill.watch(connection, 'unread', 1000);
    fill.stop();
    const { bytes, maxBytes } = fill;
    // It is stopped so that it asks only when it is told to.
    Reflect.set(fill, 'isStopped', false);
    const told = spyOn(logger, 'info').mockImplementation(() => {});
    const asked = spyOn(connection, 'request').mockRejectedValue(error);
    const all: number[] = [];
    for (let looks = 1; looks <= 3; looks++) {
      warned.mockClear();
      await fill.look();
      all.push(warnings().length);
    }
    asked.mockRestore();
    expect(all).toEqual([1, 2, 3].map((look) => (look === times ? 1 : 0)));
    expect([fill.bytes, fill.maxBytes]).toEqual([bytes, maxBytes]);
    await fill.look();
    expect(told.mock.calls).toEqual([['How full the stream unread is can be read again.']]);
    told.mockRestore();
  });

  test('where there is no room no stream is made, least of all one without a limit', async () => {
    const full = {
      server: { name: 'n', ver: '2.10.0' },
      data: { jetstream: { config: { max_storage: GIB }, stats: { storage: GIB } } },
    };
    await expect(ensureStream(connection, 'none', 1, [full])).rejects.toThrow(
      'There is no room for the stream none: the NATS servers, or the account, have 0 bytes left',
    );
    const { streams } = await jetstreamManager(connection);
    await expect(streams.info('none')).rejects.toThrow('stream not found');
  });

  test('the room is the least that a server or the account has left', () => {
    const server = (max_storage: number, storage: number, reserved_storage: number) => ({
      server: { name: 'n', ver: '2.10.0' },
      data: { jetstream: { config: { max_storage }, stats: { storage, reserved_storage } } },
    });
    const unlimited = { storage: 0, limits: { max_storage: -1 } };
    const servers = [server(100, 10, 0), server(100, 10, 30), server(100, 45, 30)];
    expect(roomOf(servers, unlimited, 3)).toBe(55);
    expect(roomOf(servers, { storage: 30, limits: { max_storage: 150 } }, 3)).toBe(40);
    expect(roomOf([server(100, 200, 0)], unlimited, 1)).toBe(0);
    expect(roomOf([], unlimited, 1)).toBeUndefined();
  });
});
