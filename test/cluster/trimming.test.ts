import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ObjectSnapshots } from '../../src/archivist/snapshots/object-snapshots.ts';
import { connectToNats } from '../../src/cluster/stream/connection.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';
import { STREAM } from './cluster.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { differences, readPosition, rebuild } from './rebuild.ts';
import { StreamRecorder } from './stream-recorder.ts';

const LIMIT_MS = 120_000;
/** Interval between pairs of orders, so short that several come between two snapshots. */
const BETWEEN_ORDERS_MS = 20;
/** Snapshots and trims within seconds. */
const TERMS = { commands: 10, batches: 1_000, everyMs: 500, afterAuditMs: 10, heldMs: 10 };

describeWithServers('nodes that write snapshots and trim the log', () => {
  const directory = temporaryDirectory();
  let nats: Nats;
  let postgres: PostgresServer;
  let url: string;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let snapshots: ObjectSnapshots;
  let recorder: StreamRecorder;
  const nodes = new Map<string, ExchangeProcess>();
  const archive = `file://${join(directory.path, 'archive')}`;

  beforeAll(async () => {
    mkdirSync(join(directory.path, 'archive'));
    [nats, postgres] = await Promise.all([startNats({ syncsAlways: false }), startPostgres()]);
    url = await postgres.createDatabase('exchange');
    connection = await connect('test');
    manager = await jetstreamManager(connection);
    await ensureStream(connection, STREAM, 1);
    snapshots = await ObjectSnapshots.open(connection, STREAM, 1);
    recorder = await StreamRecorder.start(await connect('recorder'));
  }, LIMIT_MS);
  afterAll(async () => {
    for (const node of nodes.values()) await node.kill();
    await recorder.stop();
    await connection.close();
    await Promise.all([nats.stop(), postgres.stop()]);
    directory.remove();
  }, LIMIT_MS);

  function connect(name: string): Promise<NatsConnection> {
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((each) => each.replace('nats://', ''));
    return connectToNats({ servers, isTls: false, user, password }, name);
  }

  async function start(name: string): Promise<ExchangeProcess> {
    const env = {
      BUTTONWOOD_LOG: nats.urls.join(','),
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_DATABASE: url,
      BUTTONWOOD_NODE: name,
      BUTTONWOOD_ARCHIVE: archive,
      SNAPSHOT_TERMS: JSON.stringify(TERMS),
    };
    const flags = ['--preload', './test/process/snapshot-terms.ts'];
    const node = await ExchangeProcess.start(join(directory.path, name), env, flags);
    nodes.set(name, node);
    void node.ended().then(({ exitCode, output }) => {
      if (exitCode === 1) console.error(`node ${name} ended: ${output}`);
    });
    return node;
  }

  const firstSequence = async () => (await manager.streams.info(STREAM)).state.first_seq;

  /** Places pairs of matching orders through one node until a condition holds. */
  async function trade(node: ExchangeProcess, isSo: () => Promise<boolean>): Promise<void> {
    const owner = [...nodes.values()].find(({ credentials }) => credentials.length > 0)!;
    do {
      for (const [name, side] of [
        ['alice', 'buy'],
        ['bob', 'sell'],
      ] as const) {
        const order = { symbol: 'BTC/USDT', side, type: 'limit', amount: 0.001, price: 45_000 };
        const credential = owner.credential(name);
        const body = JSON.stringify(order);
        const { status } = await node.send(credential, 'POST', '/api/orders', body);
        expect(status).toBe(200);
      }
      // Reads the log before history: history only grows, so a trim between the two reads cannot fail the check.
      const first = await firstSequence();
      expect(await readPosition(url)).toBeGreaterThanOrEqual(first - 1);
      await Bun.sleep(BETWEEN_ORDERS_MS);
    } while (!(await isSo()));
  }

  /** Compares two nodes after the same batch. */
  async function stateHashes(one: ExchangeProcess, other: ExchangeProcess): Promise<string[]> {
    const operator = [...nodes.values()].flatMap(({ credentials }) => credentials);
    const key = operator.find(({ name }) => name === 'operator')!;
    const ask = async (node: ExchangeProcess) =>
      (await node.send(key, 'GET', '/api/admin/state')).json.data;
    for (;;) {
      const [here, there] = await Promise.all([ask(one), ask(other)]);
      if (here.logPosition === there.logPosition) return [here.stateHash, there.stateHash];
    }
  }

  test(
    'nodes trim the log up to history, start from the rest of it, and lose nothing',
    async () => {
      const one = await start('one');
      await trade(one, async () => (await firstSequence()) > 1);

      // While history cannot be written, the log is not trimmed beyond it.
      const sql = new Bun.SQL(url, { max: 1 });
      let newest = 0;
      await sql.begin(async (held) => {
        const [row] = await held`SELECT sequence FROM history.position FOR UPDATE`;
        const passed = Number(row.sequence);
        await trade(one, async () => {
          const sequences = await snapshots.sequences();
          newest = sequences[0]!;
          return sequences.filter((sequence) => sequence > passed).length >= 3;
        });
        expect(await firstSequence()).toBeLessThanOrEqual(passed + 1);
        const sequences = await snapshots.sequences();
        expect(sequences.at(-1)).toBeLessThanOrEqual(passed);
      });
      await trade(one, async () => (await firstSequence()) > newest);

      // A new node starts from a snapshot, because earlier messages were trimmed.
      const two = await start('two');
      const [here, there] = await stateHashes(one, two);
      expect(there).toBe(here!);

      await Promise.all([trade(two, async () => nodes.get('one') !== one), restart(one)]);
      const writtenUpTo = await readPosition(url);
      await trade(two, async () => (await readPosition(url)) > writtenUpTo);
      const [again, still] = await stateHashes(nodes.get('one')!, two);
      expect(again).toBe(still!);

      await recorder.caughtUp();
      for (const node of nodes.values()) expect((await node.stop()).exitCode).toBe(0);
      const rebuilt = await postgres.createDatabase('rebuilt');
      await rebuild(recorder.messages, await readPosition(url), rebuilt);
      expect(await differences(url, rebuilt)).toEqual([]);

      await checkArchive();

      // As in a backup that is too old.
      await sql.unsafe('UPDATE history.position SET sequence = 1, checksum = 0');
      await sql.close();
      const message = await start('three').catch((error) => `${error.message}`);
      expect(message).toContain('but the log starts at');
      expect(message).toContain('restore both from the same backup');
      expect(message).not.toContain('DROP');
    },
    LIMIT_MS,
  );

  /** Checks that everything that was trimmed is in the archive, and replays to books that balance. */
  async function checkArchive(): Promise<void> {
    const env = { BUTTONWOOD_ARCHIVE: archive };
    const none = join(directory.path, 'none');
    const verified = await runForTest(['archive', 'verify', '--data', none, '--json'], env);
    const { sound, firstBatch, lastBatch } = JSON.parse(verified.out);
    expect({ sound, firstBatch }).toEqual({ sound: true, firstBatch: 1 });
    expect(lastBatch).toBe((await firstSequence()) - 1);
    const to = join(directory.path, 'restored');
    expect(
      (await runForTest(['archive', 'restore', '--data', none, '--to', to], env)).exitCode,
    ).toBe(0);
    const replayed = JSON.parse((await runForTest(['verify', '--data', to, '--json'])).out);
    expect(replayed).toMatchObject({ sound: true, logPosition: lastBatch });
  }

  /** Kills the node that writes history, and starts it again as a supervisor does. */
  async function restart(one: ExchangeProcess): Promise<void> {
    await one.kill();
    // With snapshots this frequent, its snapshot may be trimmed before the node has caught up.
    await start('one');
  }
});
