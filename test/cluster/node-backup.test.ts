import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runForTest } from '../../src/testing/test-cli.ts';
import { MainProcess } from '../process/main-process.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const LIMIT_MS = 90_000;
/** Interval between orders: enough of them during the backup, without slowing it down. */
const BETWEEN_ORDERS_MS = 10;

interface Servers {
  readonly nats: Nats;
  readonly postgres: PostgresServer;
  readonly settings: Record<string, string>;
}

describeWithServers('the backup of a cluster', () => {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-node-backup-'));
  const processes: MainProcess[] = [];
  const servers: Servers[] = [];
  afterEach(async () => {
    for (const process of processes) process.signal('SIGKILL');
    await Promise.all(processes.map((process) => process.ended()));
    await Promise.all(servers.map(destroy));
    rmSync(directory, { recursive: true });
  });

  async function newServers(): Promise<Servers> {
    const [nats, postgres] = await Promise.all([
      startNats({ syncsAlways: false }),
      startPostgres(),
    ]);
    const settings = {
      BUTTONWOOD_LOG: nats.urls.join(','),
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_RATE_LIMITS: 'off',
      BUTTONWOOD_DATABASE: await postgres.createDatabase('exchange'),
    };
    const made = { nats, postgres, settings };
    servers.push(made);
    return made;
  }

  async function destroy(made: Servers): Promise<void> {
    servers.splice(servers.indexOf(made), 1);
    await Promise.all([made.nats.stop(), made.postgres.stop()]);
  }

  async function node(name: string, { settings }: Servers) {
    const data = join(directory, name);
    const env = { ...settings, BUTTONWOOD_NODE: name, BUTTONWOOD_DATA: data };
    const process = MainProcess.start(['start'], env);
    processes.push(process);
    return { process, url: await process.serving() };
  }

  /** Sends a request as alice, whose keys the first node has. */
  async function send(url: string, method: string, path: string, body?: object) {
    const { accounts } = JSON.parse(readFileSync(join(directory, 'one', 'sandbox.json'), 'utf8'));
    const { apiKey, apiSecret } = accounts.find(({ name }: { name: string }) => name === 'alice');
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    return { status: response.status, data };
  }

  const kept = async (url: string) => ({
    orders: (await send(url, 'GET', '/orders?limit=1000')).data.orders,
    balances: (await send(url, 'GET', '/balances')).data,
    fills: (await send(url, 'GET', '/fills')).data,
    ledger: (await send(url, 'GET', '/ledger')).data,
  });

  test(
    'is taken under load and restored to new servers, where any node continues',
    async () => {
      const old = await newServers();
      const one = await node('one', old);
      const order = {
        symbol: 'BTC/USDT',
        side: 'buy',
        type: 'limit',
        amount: 0.0001,
        price: 45_000,
      };
      const ids: unknown[] = [];
      for (let index = 0; index < 30; index++) {
        const { data } = await send(one.url, 'POST', '/orders', order);
        ids.push(data.orderId);
      }
      for (const id of ids.slice(20)) await send(one.url, 'DELETE', `/orders/${id}`);
      const before = await kept(one.url);

      let isOver = false;
      let later = 0;
      const load = (async () => {
        while (!isOver) {
          if ((await send(one.url, 'POST', '/orders', order)).status === 200) later++;
          await Bun.sleep(BETWEEN_ORDERS_MS);
        }
      })();
      const to = join(directory, 'copy');
      const taken = await runForTest(['backup', '--to', to], old.settings);
      expect(taken).toMatchObject({ exitCode: 0, error: '' });
      isOver = true;
      await load;
      expect(later).toBeGreaterThan(0);
      await one.process.stop();
      await destroy(old);

      const fresh = await newServers();
      const put = await runForTest(['restore', '--from', to], fresh.settings);
      expect(put).toMatchObject({ exitCode: 0, error: '' });
      // A new node, whose data can only come from the backup.
      const two = await node('two', fresh);
      const after = await kept(two.url);
      const { orders, ...rest } = before;
      const known = new Set(ids);
      const found = (after.orders as { orderId: string }[]).filter(({ orderId }) =>
        known.has(orderId),
      );
      expect(found).toEqual(orders as never);
      expect(after.fills).toEqual(rest.fills);
      expect((await send(two.url, 'POST', '/orders', order)).status).toBe(200);
      // The first node joins again under its old name.
      const again = await node('one', fresh);
      expect(await kept(again.url)).toEqual(await kept(two.url));
    },
    LIMIT_MS,
  );
});
