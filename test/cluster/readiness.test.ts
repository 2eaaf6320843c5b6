import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MainProcess } from '../process/main-process.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

// The readiness that a load balancer sees while the NATS servers are silent.

setDefaultTimeout(60_000);

describeWithServers('the readiness of nodes', () => {
  let nats: Nats;
  let postgres: PostgresServer;
  let database: string;
  const parent = mkdtempSync(join(tmpdir(), 'buttonwood-readiness-'));
  const running: MainProcess[] = [];

  beforeAll(async () => {
    [nats, postgres] = await Promise.all([startNats(), startPostgres()]);
    database = await postgres.createDatabase('readiness');
  });
  afterAll(async () => {
    for (const process of running) {
      process.signal('SIGKILL');
      await process.ended();
    }
    await Promise.all([nats.stop(), postgres.stop()]);
    rmSync(parent, { recursive: true });
  });

  function begin(node: string): MainProcess {
    const process = MainProcess.start(['start', '--admin-port', '0', '--node', node], {
      BUTTONWOOD_LOG: nats.urls.join(','),
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_DATA: join(parent, node),
      BUTTONWOOD_DATABASE: database,
    });
    running.push(process);
    return process;
  }

  /** Waits until a node reports a readiness, up to the limit of the test. */
  async function says(process: MainProcess, status: number, ...reasons: string[]): Promise<void> {
    const [, url] = await process.printed(/Health and metrics are served at (\S+)/);
    for (;;) {
      const answer = await fetch(`${url}/readyz`);
      const body = (await answer.json()) as { reasons: string[] };
      if (answer.status === status && reasons.every((each) => body.reasons.includes(each))) return;
      await Bun.sleep(5);
    }
  }

  /** Waits until a path is answered with a status, up to the limit of the test. */
  async function answers(baseUrl: string, path: string, status: number): Promise<void> {
    while ((await fetch(`${baseUrl}${path}`)).status !== status) await Bun.sleep(100);
  }

  test('a node is not ready while the log is unreachable, before and after joining', async () => {
    const joined = begin('joined');
    await joined.serving();
    await says(joined, 200);

    for (const server of nats.servers) server.pause();
    await says(joined, 503, 'log unreachable');
    const baseUrl = await joined.serving();
    await answers(baseUrl, '/api/orderbook?symbol=BTC/USDT', 503);
    const refused = await fetch(`${baseUrl}/api/prices`);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ success: false, error: { code: 'STALE' } });
    const status = await fetch(`${baseUrl}/api/status`);
    expect(await status.json()).toMatchObject({ success: true, data: { status: 'stale' } });
    expect((await fetch(`${baseUrl}/api/time`)).status).toBe(200);
    const joining = begin('joining');
    await says(joining, 503, 'starting', 'replaying');
    expect(joining.output).not.toMatch(/sandbox at/);

    for (const server of nats.servers) server.resume();
    await says(joined, 200);
    await answers(baseUrl, '/api/orderbook?symbol=BTC/USDT', 200);
    await joining.serving();
    await says(joining, 200);
  });
});
