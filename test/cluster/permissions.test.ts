import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { ObjectSnapshots } from '../../src/archivist/snapshots/object-snapshots.ts';
import { copyStream, restoreStream, streamNames } from '../../src/cluster/backup/stream-copy.ts';
import { NatsBus } from '../../src/cluster/bus/nats-bus.ts';
import { JetStream } from '../../src/cluster/log/jetstream.ts';
import { machineClock } from '../../src/cluster/log/message-stream.ts';
import { StreamLog } from '../../src/cluster/log/stream-log.ts';
import { StreamState } from '../../src/cluster/log/stream-state.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { makePayload } from '../../src/testing/test-batches.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';

const STREAM = 'buttonwood';
const BUCKET = `OBJ_${STREAM}-snapshots`;

describeWithServers('the users of deploy/nats-users.conf', () => {
  let nats: Nats;
  const users: Record<string, NatsConnection> = {};
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-permissions-'));
  const accounts = readFileSync(join(import.meta.dir, '../../deploy/nats-users.conf'), 'utf8');
  const as = (user: string, { urls }: Nats) =>
    connect({ servers: [...urls], user, pass: `${user.toUpperCase()}_PASSWORD` });
  beforeAll(async () => {
    nats = await startNats({ accounts, syncsAlways: false });
    for (const user of ['exchange', 'backup', 'system']) users[user] = await as(user, nats);
  });
  afterAll(async () => {
    await Promise.all(Object.values(users).map((connection) => connection.close()));
    await nats.stop();
    rmSync(directory, { recursive: true });
  });

  test("the nodes' user can do what a node does", async () => {
    const exchange = users.exchange!;
    await ensureStream(exchange, STREAM, 1);
    const state = new StreamState();
    const seen: number[] = [];
    let failure: Error | undefined;
    const log = new StreamLog({
      stream: await JetStream.open(exchange, STREAM),
      node: 'one',
      state,
      token: crypto.getRandomValues(new Uint8Array(16)),
      clock: machineClock,
      onFailure: (error) => {
        failure = error;
      },
    });
    await log.follow(({ sequence }) => seen.push(sequence));
    await log.join();
    const snapshots = await ObjectSnapshots.open(exchange, STREAM, 1);
    const applied = { sequence: 0, hash: new Uint8Array(32), digest: 0 };
    for (let batch = 1; batch <= 4; batch++) {
      await log.append(Date.now(), 1, makePayload(batch), applied);
      const { sequence } = state;
      await snapshots.write(state.encode(), sequence, new Uint8Array(300_000), sequence);
    }
    expect(await snapshots.sequences()).toHaveLength(2);
    const [newest] = await snapshots.sequences();
    expect((await snapshots.read(newest!)).state).toHaveLength(300_000);
    const manager = await jetstreamManager(exchange);
    expect((await manager.streams.info(STREAM)).state.first_seq).toBeGreaterThan(1);
    await log.close();
    expect(failure).toBeUndefined();

    const received = Promise.withResolvers<string>();
    const bus = new NatsBus(exchange, STREAM, 'one');
    bus.subscribe('topic', (bytes) => received.resolve(new TextDecoder().decode(bytes)));
    const other = new NatsBus(exchange, STREAM, 'two');
    await exchange.flush();
    other.publish('topic', new TextEncoder().encode('hello'));
    expect(await received.promise).toBe('hello');
    await Promise.all([bus.close(), other.close()]);
  });

  test("the nodes' user cannot delete, copy, or access another stream", async () => {
    for (const subject of [
      `$JS.API.STREAM.DELETE.${STREAM}`,
      `$JS.API.STREAM.UPDATE.${STREAM}`,
      `$JS.API.STREAM.MSG.DELETE.${STREAM}`,
      `$JS.API.STREAM.SNAPSHOT.${STREAM}`,
      '$JS.API.STREAM.CREATE.other',
      '$JS.API.STREAM.PURGE.other',
    ]) {
      const refused = users.exchange!.request(subject, '', { timeout: 2000 });
      await expect(refused).rejects.toThrow(/Permissions Violation/i);
    }
  });

  test('the backup user can copy and restore, and cannot append', async () => {
    const backup = users.backup!;
    const fresh = await startNats({ accounts, syncsAlways: false });
    const target = await as('backup', fresh);
    for (const stream of [STREAM, BUCKET]) {
      expect(await streamNames(backup)).toContain(stream);
      const path = join(directory, stream);
      await restoreStream(target, await copyStream(backup, stream, path), path, 1);
    }
    expect((await streamNames(target)).sort()).toEqual([BUCKET, STREAM]);
    await target.close();
    await fresh.stop();
    for (const subject of [
      `${STREAM}.batches`,
      `$JS.API.STREAM.PURGE.${STREAM}`,
      `$JS.API.STREAM.DELETE.${STREAM}`,
    ]) {
      const refused = backup.request(subject, '', { timeout: 2000 });
      await expect(refused).rejects.toThrow(/Permissions Violation/i);
    }
  });

  test("the system user can read the servers' configuration", async () => {
    const answer = await users.system!.request('$SYS.REQ.SERVER.PING.VARZ');
    expect(answer.json()).toMatchObject({ server: { ver: nats.version } });
    const refused = users.system!.request(`${STREAM}.batches`, '', { timeout: 2000 });
    await expect(refused).rejects.toThrow(/Permissions Violation/i);
  });
});
