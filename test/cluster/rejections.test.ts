import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { EnvelopeKind, encodeEnvelope } from '../../src/cluster/log/envelope.ts';
import { connectToNats } from '../../src/cluster/stream/connection.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { CommandKind } from '../../src/engine/command.ts';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import { GENESIS_HASH } from '../../src/log/hash.ts';
import { encode } from '../../src/testing/test-exchange.ts';
import { freePorts } from '../free-ports.ts';
import { MainProcess } from '../process/main-process.ts';
import { describeWithServers } from './describe-with-servers.ts';
import type { Key } from './load.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

/** Nodes with invalid settings: each refuses to start, with a message that gives the fix. */

setDefaultTimeout(60_000);

describeWithServers('a node of a cluster with a wrong configuration', () => {
  let nats: Nats;
  let postgres: PostgresServer;
  let connection: NatsConnection;
  const parent = mkdtempSync(join(tmpdir(), 'buttonwood-refusals-'));
  const running: MainProcess[] = [];
  let count = 0;

  beforeAll(async () => {
    [nats, postgres] = await Promise.all([startNats({ syncsAlways: false }), startPostgres()]);
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    connection = await connectToNats({ servers, isTls: false, user, password }, 'test');
  });
  afterEach(async () => {
    for (const process of running.splice(0)) {
      process.signal('SIGKILL');
      await process.ended();
    }
  });
  afterAll(async () => {
    await connection.close();
    await Promise.all([nats.stop(), postgres.stop()]);
    rmSync(parent, { recursive: true });
  });

  const newDatabase = () => postgres.createDatabase(`database_${++count}`);
  const newStream = () => `stream-${++count}`;

  function begin(
    command: 'start' | 'serve',
    env: Record<string, string>,
    preload?: string,
  ): MainProcess {
    const all = {
      BUTTONWOOD_LOG: nats.urls.join(','),
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_DATA: join(parent, `data-${++count}`),
      BUTTONWOOD_NODE: `node-${count}`,
      ...env,
    };
    const flags = preload === undefined ? [] : ['--preload', join(import.meta.dir, preload)];
    const line = [process.execPath, ...flags, 'src/main.ts', command];
    const child = MainProcess.spawn(line, all);
    running.push(child);
    return child;
  }

  /** Returns the message with which it ends, which must have no stack. */
  async function refusal(child: MainProcess): Promise<string> {
    expect(await child.ended()).toBe(1);
    expect(child.output).not.toMatch(/^\s+at /m);
    const last = child.output.trim().split('\n').at(-1)!;
    const message = last.startsWith('{') ? JSON.parse(last).message : last;
    expect(message).toStartWith('buttonwood: ');
    return message;
  }

  test('wrong credentials for NATS', async () => {
    const url = nats.urls[0]!.replace('//', '//exchange:wrong@');
    const child = begin('start', { BUTTONWOOD_LOG: url, BUTTONWOOD_DATABASE: await newDatabase() });
    const message = await refusal(child);
    expect(message).toMatch(/NATS at 127.0.0.1:\d+ cannot be used: .*[Aa]uthorization/);
    expect(message).toContain('BUTTONWOOD_LOG and its credentials are correct');
    expect(message).not.toContain('wrong');
  });

  test('servers with a maximum message size that is too small', async () => {
    const small = await startNats({ syncsAlways: false, maxPayloadBytes: 32_768 });
    try {
      const url = small.urls[0]!;
      const child = begin('start', {
        BUTTONWOOD_LOG: url,
        BUTTONWOOD_DATABASE: await newDatabase(),
      });
      expect(await refusal(child)).toContain(
        'at most 32768 bytes, but a command may need more. Set max_payload to at least 65536',
      );
    } finally {
      await small.stop();
    }
  });

  test('wrong credentials for PostgreSQL', async () => {
    const url = await newDatabase();
    await demandPassword(postgres.url);
    const wrong = url.replace('//buttonwood@', '//guarded:wrong@');
    const child = begin('start', {
      BUTTONWOOD_DATABASE: wrong,
      BUTTONWOOD_LOG_STREAM: newStream(),
    });
    const message = await refusal(child);
    expect(message).toContain('password authentication failed for user "guarded"');
    expect(message).toContain('BUTTONWOOD_DATABASE');
    expect(message).not.toContain('wrong');
  });

  test('no such database', async () => {
    const url = new URL('/nowhere', postgres.url).href;
    const child = begin('start', { BUTTONWOOD_DATABASE: url, BUTTONWOOD_LOG_STREAM: newStream() });
    const message = await refusal(child);
    expect(message).toContain('database "nowhere" does not exist');
    expect(message).toContain('BUTTONWOOD_DATABASE');
  });

  test('a sandbox on the stream of a real exchange', async () => {
    const own = { BUTTONWOOD_LOG_STREAM: newStream(), BUTTONWOOD_DATABASE: await newDatabase() };
    const env = { ...own, BUTTONWOOD_LOG_SYNC: 'asserted' };
    await begin('serve', env).serving();
    const message = await refusal(begin('start', env));
    expect(message).toContain('Run "buttonwood serve" there');
    expect(message).toContain('BUTTONWOOD_LOG_STREAM');
  });

  // These three tests share one exchange.
  test('a real exchange on the stream of a sandbox, its database, or data of a newer release', async () => {
    const stream = newStream();
    const env = { BUTTONWOOD_LOG_STREAM: stream, BUTTONWOOD_DATABASE: await newDatabase() };
    const child = begin('start', env);
    await child.serving();
    const real = await refusal(begin('serve', { ...env, BUTTONWOOD_LOG_SYNC: 'asserted' }));
    expect(real).toContain('Run "buttonwood start" there');
    expect(real).toContain('BUTTONWOOD_LOG_STREAM');

    const other = await refusal(begin('start', { ...env, BUTTONWOOD_LOG_STREAM: newStream() }));
    expect(other).toMatch(/another log|has lost/);
    expect(other).toContain('another exchange');

    const newer = encodeEnvelope({
      kind: EnvelopeKind.batch,
      node: 'new',
      incarnation: 1,
      counter: 1,
      deadline: 0,
      clock: 0,
      applied: { sequence: 0, hash: GENESIS_HASH, digest: 0 },
      count: 0,
      payload: new Uint8Array(),
    });
    new DataView(newer.buffer).setUint32(4, 2, true);
    await connection.request(`${stream}.batches`, newer);
    for (const each of [child, begin('start', env)]) {
      const message = await refusal(each);
      expect(message).toContain('it has format 2, and this release reads format 1');
      expect(message).toContain('Start the release that wrote it, or a later one');
    }
  });

  test('an exchange with the engine version of a newer release', async () => {
    const stream = newStream();
    await ensureStream(connection, stream, 1);
    const payload = encode([
      { kind: CommandKind.open, version: ENGINE_VERSION + 1, sandbox: true },
    ]);
    const common = { node: 'new', incarnation: 1, deadline: 2 * Date.now(), clock: Date.now() };
    const applied = { sequence: 0, hash: GENESIS_HASH, digest: 0 };
    const join = { kind: EnvelopeKind.join, counter: 0, count: 0, payload: new Uint8Array(16) };
    const open = { kind: EnvelopeKind.batch, counter: 1, count: 1, payload };
    for (const each of [join, open]) {
      const message = encodeEnvelope({ ...common, applied, ...each });
      await connection.request(`${stream}.batches`, message);
    }
    const env = { BUTTONWOOD_LOG_STREAM: stream, BUTTONWOOD_DATABASE: await newDatabase() };
    const message = await refusal(begin('start', env));
    expect(message).toContain(
      `needs engine version ${ENGINE_VERSION + 1}, this is ${ENGINE_VERSION}: start a newer release`,
    );
    // Skipping the batch would change the state of the exchange.
    expect(message).not.toContain('skip');
  });

  test('servers that may not sync each message', async () => {
    const env = { BUTTONWOOD_LOG_STREAM: newStream(), BUTTONWOOD_DATABASE: await newDatabase() };
    expect(await refusal(begin('serve', env))).toContain(
      'BUTTONWOOD_LOG_SYSTEM to a user of their system account',
    );
    const asExchange = nats.systemUrls[0]!.replace(/system:[^@]*/, 'exchange:exchange-password');
    const notSystem = { ...env, BUTTONWOOD_LOG_SYSTEM: asExchange };
    expect(await refusal(begin('serve', notSystem))).toContain('belongs to the system account');
    const lax = { ...env, BUTTONWOOD_LOG_SYSTEM: nats.systemUrls.join(',') };
    expect(await refusal(begin('serve', lax))).toContain('Set sync_interval: always');
  });

  test('more replicas than servers', async () => {
    const env = { BUTTONWOOD_LOG_STREAM: newStream(), BUTTONWOOD_DATABASE: await newDatabase() };
    const child = begin('start', { ...env, BUTTONWOOD_LOG_REPLICAS: '3' });
    expect(await refusal(child)).toContain('or lower BUTTONWOOD_LOG_REPLICAS');
  });

  test('a clock that is an hour ahead or behind is harmless and reported', async () => {
    const env = { BUTTONWOOD_LOG_STREAM: newStream(), BUTTONWOOD_DATABASE: await newDatabase() };
    const clocks = [0, 3_600_000, -3_600_000];
    const ports = freePorts(3);
    const nodes = clocks.map((by, at) => {
      const own = { CLOCK_AHEAD_MS: `${by}`, BUTTONWOOD_ADMIN_PORT: `${ports[at]}` };
      return begin('start', { ...env, ...own }, 'clock.ts');
    });
    const urls = await Promise.all(nodes.map((node) => node.serving()));
    const alice = readKeys(nodes);
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (const url of urls) times.push(await readOrderTime(url, alice, 1000 + times.length));
    }
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.abs(times.at(-1)! - Date.now())).toBeLessThan(60_000);
    for (const [at, by] of clocks.entries()) {
      const ready = await fetch(`http://127.0.0.1:${ports[at]}/readyz`);
      const text = await ready.text();
      expect([at, ready.status, text.includes('clock off')]).toEqual([
        at,
        by === 0 ? 200 : 503,
        by !== 0,
      ]);
    }
  });

  test('a corrected clock that agrees with the servers needs no confirmation', async () => {
    const [port] = freePorts(1);
    const ahead = join(parent, 'ahead');
    writeFileSync(ahead, '3600000');
    const child = begin(
      'start',
      {
        BUTTONWOOD_LOG_STREAM: newStream(),
        BUTTONWOOD_DATABASE: await newDatabase(),
        CLOCK_AHEAD_FILE: ahead,
        BUTTONWOOD_ADMIN_PORT: `${port}`,
      },
      '../process/jumping-clock.ts',
    );
    const url = await child.serving();
    const alice = readKeys([child]);
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    expect(await isReady()).toBe(false);
    rmSync(ahead);
    await child.printed(/clock off: the machine's clock jumped/);
    expect(await isReady()).toBe(false);
    await child.printed(/uses the machine's clock again/);
    while (!(await isReady())) await Bun.sleep(100);
    expect(Math.abs((await readOrderTime(url, alice, 1000)) - Date.now())).toBeLessThan(60_000);
  });

  /** Returns alice's keys from the file of the node that created the exchange. */
  function readKeys(nodes: readonly MainProcess[]): Key {
    for (const { output } of nodes) {
      const key = /Bearer (bwk_\w+)[\s\S]*?X-API-Secret: (bws_\w+)/.exec(output);
      if (key !== null) return { apiKey: key[1]!, apiSecret: key[2]! };
    }
    throw new Error('no node printed the keys');
  }
});

/** Returns the log's time of an order. */
async function readOrderTime(url: string, key: Key, price: number): Promise<number> {
  const answer = await fetch(`${url}/api/orders`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key.apiKey}`,
      'X-API-Secret': key.apiSecret,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price }),
  });
  const { success, data, error } = (await answer.json()) as {
    success: boolean;
    data: { timestamp: string };
    error: unknown;
  };
  if (!success) throw new Error(JSON.stringify(error));
  return Date.parse(data.timestamp);
}

/** Each unsafe configuration of a stream, and what the message must name. */
const UNSAFE: readonly (readonly [string, Partial<StreamConfig>, string])[] = [
  ['kept in memory', { storage: StorageType.Memory }, 'lost when the servers stop'],
  ['with interest retention', { retention: RetentionPolicy.Interest }, '--retention=limits'],
  ['that drops old messages', { discard: DiscardPolicy.Old }, '--discard=new'],
  ['with a maximum age', { max_age: 3_600_000_000_000 }, '--max-age=0'],
  ['limited by messages', { max_msgs: 100 }, '--max-msgs=-1'],
  ['limited by messages per subject', { max_msgs_per_subject: 100 }, '--max-msgs-per-subject=-1'],
  ['that allows deletions', { deny_delete: false }, '--deny-delete'],
  ['that cannot be trimmed', { deny_delete: true, deny_purge: true }, '--no-deny-purge'],
  ['that can be rolled up', { allow_rollup_hdrs: true }, '--no-allow-rollup'],
  ['with another subject', { subjects: ['other'] }, '--subjects='],
];

describeWithServers('an unsafe stream', () => {
  let nats: Nats;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let count = 0;
  beforeAll(async () => {
    nats = await startNats({ syncsAlways: false });
    const { user, pass: password } = EXCHANGE_USER;
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    connection = await connectToNats({ servers, isTls: false, user, password }, 'test');
    manager = await jetstreamManager(connection);
  });
  afterAll(async () => {
    await connection.close();
    await nats.stop();
  });

  const safe = (name: string) => ({
    name,
    subjects: [`${name}.batches`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    deny_delete: true,
  });

  test('a safe stream is accepted', async () => {
    const { name, ...config } = safe('safe');
    await manager.streams.add({ name, ...config });
    await ensureStream(connection, name, 1);
  });

  test.each(UNSAFE)(
    'a stream %s is rejected with the command that fixes it',
    async (_, change, fix) => {
      const name = `unsafe-${++count}`;
      await manager.streams.add({ ...safe(name), ...change });
      const refused = ensureStream(connection, name, 1);
      await expect(refused).rejects.toThrow(`The stream ${name}`);
      await expect(refused).rejects.toThrow(fix);
    },
  );

  test('a mirror of another stream is rejected', async () => {
    await manager.streams.add({
      name: 'copy',
      mirror: { name: 'safe' },
      discard: DiscardPolicy.New,
    });
    await expect(ensureStream(connection, 'copy', 1)).rejects.toThrow(
      'The stream copy is not safe',
    );
  });

  test('a stream with too few replicas is rejected', async () => {
    await manager.streams.add(safe('alone'));
    await expect(ensureStream(connection, 'alone', 3)).rejects.toThrow('--replicas=3');
  });
});

/** Creates a role with a password, and makes PostgreSQL require it. */
async function demandPassword(url: string): Promise<void> {
  const sql = new Bun.SQL(url, { max: 1 });
  await sql.unsafe("CREATE ROLE guarded SUPERUSER LOGIN PASSWORD 'right'");
  const [{ hba_file: path }] = await sql.unsafe('SHOW hba_file');
  const lines = ['host all guarded all scram-sha-256', 'host all all all trust'];
  const rows = lines.map((line) => `('${line}')`).join(', ');
  await sql.unsafe(`COPY (SELECT * FROM (VALUES ${rows}) AS l) TO '${path}'`);
  await sql.unsafe('SELECT pg_reload_conf()');
  await sql.close();
}
