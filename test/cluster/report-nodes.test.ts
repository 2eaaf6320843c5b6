import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MainProcess } from '../process/main-process.ts';
import { keyHeaders, makeKey, operate } from '../security/remote-users.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

interface Answer {
  readonly data: {
    readonly reportId: string;
    readonly status: string;
    readonly reports: readonly object[];
  };
}

describeWithServers('reports over HTTP in a cluster', () => {
  let directory: string;
  let servers: [Nats, PostgresServer];
  const processes: MainProcess[] = [];
  afterEach(async () => {
    for (const process of processes) process.signal('SIGKILL');
    await Promise.all(processes.splice(0).map((process) => process.ended()));
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(directory, { recursive: true });
  });

  test('another node sends and removes the report of a node that was killed', async () => {
    directory = mkdtempSync(join(tmpdir(), 'buttonwood-reports-'));
    servers = await Promise.all([startNats({ syncsAlways: false }), startPostgres()]);
    const [nats, postgres] = servers;
    const settings = {
      BUTTONWOOD_LOG: nats.urls.join(','),
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_LOG_SYNC: 'asserted',
      BUTTONWOOD_DATABASE: await postgres.createDatabase('exchange'),
    };
    const begin = (name: string) => {
      const own = { BUTTONWOOD_NODE: name, BUTTONWOOD_DATA: join(directory, name) };
      const process = MainProcess.start(['serve'], { ...settings, ...own });
      processes.push(process);
      return process;
    };
    const a = begin('a');
    const urlA = await a.serving();
    const urlB = await begin('b').serving();
    const text = readFileSync(join(directory, 'a', 'operator.json'), 'utf8');
    const [operator] = JSON.parse(text).accounts;
    for (const accountId of ['alice', 'bob']) {
      await operate(urlA, operator, 'POST', '/accounts', { accountId });
    }
    const alice = keyHeaders(await makeKey(urlA, operator, 'alice', ['read']));
    const bob = keyHeaders(await makeKey(urlA, operator, 'bob', ['read']));
    const send = (url: string, method: string, path: string, headers: object, body?: object) =>
      fetch(`${url}/api/reports${path}`, {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const read = async (...call: Parameters<typeof send>) =>
      ((await (await send(...call)).json()) as Answer).data;
    const terms = { kind: 'ledger', format: 'csv', from: '2020-01-01T00:00:00.000Z' };
    const { reportId } = await read(urlA, 'POST', '', alice, terms);
    const path = `/${reportId}`;
    const find = () => read(urlB, 'GET', path, alice);
    while ((await find()).status !== 'done') await Bun.sleep(50);
    a.signal('SIGKILL');
    await a.ended();
    // The id of another account's report is as unknown as one that never was.
    for (const [method, each] of [
      ['GET', path],
      ['GET', `${path}/file`],
      ['DELETE', path],
    ] as const) {
      expect((await send(urlB, method, each, bob)).status).toBe(404);
    }
    expect((await read(urlB, 'GET', '', bob)).reports).toEqual([]);
    const file = await send(urlB, 'GET', `${path}/file`, alice);
    const hash = new Bun.CryptoHasher('sha256').update(await file.bytes()).digest('hex');
    const report = await find();
    expect(report).toMatchObject({ status: 'done', account: 'alice', sha256: hash });
    const { reports } = await operate(urlB, operator, 'GET', '/reports');
    expect(reports).toEqual([report]);
    expect((await send(urlB, 'DELETE', path, alice)).status).toBe(200);
    expect((await send(urlB, 'GET', `${path}/file`, alice)).status).toBe(404);
  }, 90_000);
});
