import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { appendFileSync, copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { SQL } from 'bun';
import { measureFile } from '../../src/cluster/backup/stream-copy.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

describeWithServers('buttonwood backup and restore', () => {
  let nats: Nats;
  let postgres: PostgresServer;
  let connection: NatsConnection;
  let directory: string;
  let count = 0;
  beforeAll(async () => {
    [nats, postgres] = await Promise.all([startNats({ syncsAlways: false }), startPostgres()]);
    connection = await connect({ servers: [...nats.urls] });
  });
  afterAll(async () => {
    await connection?.close();
    await Promise.all([nats?.stop(), postgres?.stop()]);
  });
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'buttonwood-backup-'));
    return () => rmSync(directory, { recursive: true });
  });

  /** A log of twenty batches, a snapshot of batch 10, and a history up to batch `position`. */
  async function exchange(position: number): Promise<{ stream: string; database: string }> {
    const stream = `exchange-${++count}`;
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: stream, subjects: [stream], deny_delete: true });
    for (let batch = 1; batch <= 20; batch++) await manager.jetstream().publish(stream, `${batch}`);
    const objects = await new Objm(connection).create(`${stream}-snapshots`);
    await objects.putBlob({ name: '0000000000000010' }, new Uint8Array([1, 2, 3]));
    await manager.streams.add({ name: `${stream}2`, subjects: [`${stream}2`] });
    const database = await postgres.createDatabase(stream);
    const sql = new SQL(database, { max: 1 });
    await sql.unsafe('CREATE SCHEMA history');
    await sql.unsafe(
      'CREATE TABLE history.position (sequence BIGINT NOT NULL, hash TEXT NOT NULL)',
    );
    await sql`INSERT INTO history.position VALUES (${position}, 'abc')`;
    await sql.unsafe('CREATE TABLE history.reports AS SELECT 1 AS id');
    await sql.unsafe('CREATE TABLE history.report_parts AS SELECT 1 AS report');
    await sql.close();
    return { stream, database };
  }

  function run(command: string, stream: string, database: string, ...more: string[]) {
    const places = ['--log', nats.urls.join(','), '--log-stream', stream, '--database', database];
    const replicas = command === 'restore' ? ['--log-replicas', '1'] : [];
    return runForTest([command, ...places, ...replicas, ...more]);
  }

  async function streams(stream: string): Promise<string[]> {
    const manager = await jetstreamManager(connection);
    const names: string[] = [];
    for await (const { config } of manager.streams.list()) names.push(config.name);
    return names.filter((name) => name.includes(stream)).sort();
  }

  test('a destroyed exchange is restored', async () => {
    const { stream, database } = await exchange(15);
    const to = join(directory, 'copy');
    const taken = await run('backup', stream, database, '--to', to, '--json');
    expect(taken.error).toBe('');
    expect(JSON.parse(taken.out)).toMatchObject({ logPosition: 20, historyPosition: 15 });
    const files = ['backup.json', 'postgres.dump', `${stream}.stream`];
    for (const file of readdirSync(to)) expect(statSync(join(to, file)).mode & 0o777).toBe(0o600);
    expect(readdirSync(to).sort()).toEqual([`OBJ_${stream}-snapshots.stream`, ...files].sort());

    const full = await run('restore', stream, database, '--from', to);
    expect(full.error).toMatch(/The stream \S+ already exists/);
    const manager = await jetstreamManager(connection);
    for (const name of [stream, `OBJ_${stream}-snapshots`]) await manager.streams.delete(name);
    expect(await streams(stream)).toEqual([`${stream}2`]);
    expect((await run('restore', stream, database, '--from', to)).error).toContain(
      'already has tables',
    );
    expect(await streams(stream)).toEqual([`${stream}2`]);

    const empty = await postgres.createDatabase(`${stream}-again`);
    const put = await run('restore', stream, empty, '--from', to);
    expect(put).toMatchObject({ exitCode: 0, error: '' });
    expect(await streams(stream)).toEqual([`OBJ_${stream}-snapshots`, stream, `${stream}2`].sort());
    const { state } = await manager.streams.info(stream);
    expect(state).toMatchObject({ first_seq: 1, last_seq: 20, messages: 20 });
    const objects = await new Objm(connection).open(`${stream}-snapshots`);
    expect(await objects.getBlob('0000000000000010')).toEqual(new Uint8Array([1, 2, 3]));
    const sql = new SQL(empty, { max: 1 });
    expect([...(await sql`SELECT hash FROM history.position`)]).toEqual([{ hash: 'abc' }]);
    // Reports can be made again, but nodes need their tables.
    expect([...(await sql`SELECT id FROM history.reports`)]).toEqual([]);
    expect([...(await sql`SELECT report FROM history.report_parts`)]).toEqual([]);
    await sql.close();
  });

  test('history ahead of the log is rejected, in backup and in restore', async () => {
    const { stream, database } = await exchange(21);
    const to = join(directory, 'copy');
    const refused = await run('backup', stream, database, '--to', to);
    expect(refused.error).toContain('History is at batch 21, ahead of the log, which ends at 20');
    expect((await run('restore', stream, database, '--from', to)).error).toContain('no backup');

    const sound = await exchange(20);
    const from = join(directory, 'sound');
    await run('backup', sound.stream, sound.database, '--to', from);
    const sql = new SQL(sound.database, { max: 1 });
    await sql`UPDATE history.position SET sequence = 22`;
    await sql.close();
    const ahead = join(directory, 'ahead');
    await run('backup', sound.stream, sound.database, '--to', ahead);
    // Files of two backups mixed together.
    copyFileSync(join(ahead, 'postgres.dump'), join(from, 'postgres.dump'));
    const manifest = await Bun.file(join(from, 'backup.json')).json();
    manifest.dump = await measureFile(join(from, 'postgres.dump'));
    await Bun.write(join(from, 'backup.json'), JSON.stringify(manifest));
    const manager = await jetstreamManager(connection);
    const names = (await streams(sound.stream)).filter((name) => !name.endsWith('2'));
    for (const name of names) await manager.streams.delete(name);
    const empty = await postgres.createDatabase(`${sound.stream}-again`);
    const put = await run('restore', sound.stream, empty, '--from', from);
    expect(put.error).toContain('History is at batch 22, ahead of the log');
  });

  test('a damaged copy changes nothing', async () => {
    const { stream, database } = await exchange(20);
    const to = join(directory, 'copy');
    await run('backup', stream, database, '--to', to);
    appendFileSync(join(to, `${stream}.stream`), 'x');
    const manager = await jetstreamManager(connection);
    await manager.streams.delete(stream);
    const put = await run('restore', stream, database, '--from', to);
    expect(put.exitCode).toBe(1);
    expect(put.error).toContain('is damaged');
    expect(await streams(stream)).not.toContain(stream);
  });

  test('errors name the problem', async () => {
    const none = await run('backup', 'none', postgres.url, '--to', join(directory, 'copy'));
    expect(none.error).toContain('There is no stream none.');
    const { stream } = await exchange(1);
    const other = await run('backup', stream, postgres.url, '--to', join(directory, 'other'));
    expect(other.error).toContain('no history of an exchange');
    const files = await runForTest(['backup', '--log', 'file', '--to', directory]);
    expect(files).toMatchObject({ exitCode: 2 });
    expect(files.error).toContain('--log nats://');
    const away = await runForTest([
      'backup',
      '--log',
      'nats://u:secret@127.0.0.1:1',
      '--to',
      directory,
    ]);
    expect(away).toMatchObject({ exitCode: 2 });
    expect(away.error).not.toContain('secret');
  });
});
