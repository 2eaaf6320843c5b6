import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  checkContent,
  copyStream,
  restoreStream,
  streamNames,
} from '../../src/cluster/backup/stream-copy.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';

const MESSAGES = 10_000;

describeWithServers('copies of streams', () => {
  let nats: Nats;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'buttonwood-copies-'));
    // With sync_interval: always each restored message is a sync; docs/operating/backup-and-restore.md turns it off.
    nats = await startNats({ syncsAlways: false });
    connection = await connect({ servers: [...nats.urls] });
    manager = await jetstreamManager(connection);
  });
  afterAll(async () => {
    await connection?.close();
    await nats?.stop();
    rmSync(directory, { recursive: true });
  });

  /** Sequence, time in nanoseconds and bytes of every message, as text. */
  async function contents(stream: string): Promise<string[]> {
    const { state } = await manager.streams.info(stream);
    const consumer = await jetstream(connection).consumers.get(stream);
    const found: string[] = [];
    const messages = await consumer.consume();
    for await (const { seq, info, data } of messages) {
      found.push(`${seq} ${info.timestampNanos} ${Buffer.from(data).toString('base64')}`);
      if (seq === state.last_seq) break;
    }
    return found;
  }

  test('10,000 messages are restored with their sequences, times and bytes', async () => {
    await manager.streams.add({
      name: 'orders',
      subjects: ['orders'],
      deny_delete: true,
      discard: 'new',
    });
    const client = manager.jetstream();
    for (let from = 0; from < MESSAGES; from += 500) {
      const batch = Array.from({ length: 500 }, (_, index) =>
        client.publish('orders', `order ${from + index} `.repeat(1 + ((from + index) % 40))),
      );
      await Promise.all(batch);
    }
    await manager.streams.purge('orders', { seq: 100 });
    const before = await contents('orders');
    expect(before).toHaveLength(MESSAGES - 99);
    const path = join(directory, 'orders.stream');

    const copy = await copyStream(connection, 'orders', path);
    expect(copy.state).toMatchObject({ first_seq: 100, last_seq: MESSAGES });
    await checkContent(copy, path);
    await expect(restoreStream(connection, copy, path, 1)).rejects.toThrow(/already in use/);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    const { config } = await manager.streams.info('orders');
    await manager.streams.delete('orders');
    await restoreStream(connection, copy, path, 1);
    expect(await contents('orders')).toEqual(before);
    expect((await manager.streams.info('orders')).config).toEqual(config);
    expect((await client.publish('orders', 'next')).seq).toBe(MESSAGES + 1);
  });

  test('an object bucket is restored', async () => {
    const objects = await new Objm(connection).create('states', { replicas: 1 });
    const bytes = new Uint8Array(3_000_000).map((_, index) => index * 31);
    await objects.putBlob({ name: '0000000000000042' }, bytes);
    const { digest } = (await objects.info('0000000000000042'))!;
    expect(await streamNames(connection)).toContain('OBJ_states');
    const path = join(directory, 'states.stream');
    const copy = await copyStream(connection, 'OBJ_states', path);
    await objects.destroy();
    await restoreStream(connection, copy, path, 1);
    const again = await new Objm(connection).open('states');
    expect((await again.info('0000000000000042'))!.digest).toBe(digest);
    expect((await again.getBlob('0000000000000042'))!).toEqual(bytes);
  });

  test.each([0, 3])('an empty stream that had %i messages is restored', async (count) => {
    const name = `empty-${count}`;
    await manager.streams.add({ name, subjects: [name] });
    for (let index = 0; index < count; index++) await manager.jetstream().publish(name, 'gone');
    await manager.streams.purge(name);
    const path = join(directory, name);
    const copy = await copyStream(connection, name, path);
    await manager.streams.delete(name);
    await restoreStream(connection, copy, path, 1);
    expect((await manager.jetstream().publish(name, 'next')).seq).toBe(count + 1);
  });

  test('a truncated copy, or one whose server stops, is rejected', async () => {
    await manager.streams.add({ name: 'cut', subjects: ['cut'] });
    for (let index = 0; index < 50; index++) {
      await manager.jetstream().publish('cut', crypto.getRandomValues(new Uint8Array(60_000)));
    }
    const path = join(directory, 'cut.stream');
    const copy = await copyStream(connection, 'cut', path);
    expect(copy.bytes).toBeGreaterThan(1_000_000);
    truncateSync(path, copy.bytes - 1);
    await expect(checkContent(copy, path)).rejects.toThrow(/is damaged/);

    const own = await connect({ servers: [...nats.urls], reconnect: false });
    const half = join(directory, 'half.stream');
    const copying = copyStream(own, 'cut', half);
    void own.close();
    await expect(copying).rejects.toThrow();
    await expect(copyStream(connection, 'none', `${half}2`)).rejects.toThrow(/stream not found/);
  });
});
