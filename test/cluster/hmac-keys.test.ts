import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MainProcess } from '../process/main-process.ts';
import { keyHeaders, makeKey, operate } from '../security/remote-users.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const LIMIT_MS = 90_000;

describeWithServers('HMAC keys in a cluster', () => {
  let directory: string;
  let servers: [Nats, PostgresServer];
  const processes: MainProcess[] = [];
  afterEach(async () => {
    for (const process of processes) process.signal('SIGKILL');
    await Promise.all(processes.splice(0).map((process) => process.ended()));
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(directory, { recursive: true });
  });

  /** Starts the servers. @returns Starts a node */
  async function prepare() {
    directory = mkdtempSync(join(tmpdir(), 'buttonwood-hmac-'));
    servers = await Promise.all([startNats({ syncsAlways: false }), startPostgres()]);
    const [nats, postgres] = servers;
    const settings = {
      BUTTONWOOD_LOG: nats.urls.join(','),
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_LOG_SYNC: 'asserted',
      BUTTONWOOD_DATABASE: await postgres.createDatabase('exchange'),
    };
    return (command: 'start' | 'serve', name: string, env: Record<string, string> = {}) => {
      const data = join(directory, name);
      const own = { BUTTONWOOD_NODE: name, BUTTONWOOD_DATA: data };
      const process = MainProcess.start([command], { ...settings, ...own, ...env });
      processes.push(process);
      return process;
    };
  }

  const accounts = (name: string, file: string) =>
    JSON.parse(readFileSync(join(directory, name, file), 'utf8')).accounts;

  test(
    'are known to every node that has the sealing key, and rotated one node after the other',
    async () => {
      const begin = await prepare();
      const [one, two] = [`one:${'1'.repeat(64)}`, `two:${'2'.repeat(64)}`];
      const node = (name: string, keys: string) =>
        begin('serve', name, { BUTTONWOOD_HMAC_KEYS: 'on', BUTTONWOOD_SEAL_KEYS: keys });
      const a = node('a', one);
      const urlA = await a.serving();
      const [operator] = accounts('a', 'operator.json');
      await operate(urlA, operator, 'POST', '/accounts', { accountId: 'alice' });
      const { apiKey } = await makeKey(urlA, operator, 'alice', ['read'], { type: 'hmac' });
      const wrong = node('b', two);
      expect(await wrong.ended()).toBe(1);
      expect(wrong.output).toContain(`The secret of the HMAC key ${apiKey} of the account alice`);
      const b = node('b', `${one},${two}`);
      const listed = await fetch(`${await b.serving()}/api/admin/accounts/alice/keys`, {
        headers: keyHeaders(operator),
      });
      expect(await listed.json()).toMatchObject({ data: { keys: [{ apiKey, type: 'hmac' }] } });
      // Node a knows the second key only after its restart.
      await a.stop();
      const again = node('a', `${two},${one}`);
      await again.serving();
      await again.printed(/Encrypted the secrets of 1 HMAC keys under the first sealing key\./);
      await b.stop();
      await node('b', two).serving();
    },
    LIMIT_MS,
  );

  test(
    'of a sandbox share a sealing key in PostgreSQL',
    async () => {
      const begin = await prepare();
      const first = begin('start', 'a');
      await first.serving();
      const second = begin('start', 'b');
      await second.serving();
      const before = accounts('a', 'sandbox.json');
      expect(before[0].binance.apiKey).toMatch(/^bwk_/);
      await first.stop();
      await begin('start', 'a').serving();
      // They could be decrypted, or others would have been made.
      expect(accounts('a', 'sandbox.json')).toEqual(before);
      expect(second.output).not.toContain('HMAC');
    },
    LIMIT_MS,
  );
});
