import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Credential, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';
import { RawConnection } from './raw-connection.ts';

/** Tests `buttonwood start`: its files, its output, restarts and errors. */

setDefaultTimeout(60_000);

const parent = temporaryDirectory();
let directories = 0;
const newDirectory = () => join(parent.path, `${directories++}`);
let directory: string;
const running: MainProcess[] = [];
beforeEach(() => {
  directory = newDirectory();
});
afterEach(async () => {
  for (const process of running.splice(0)) await kill(process);
});
afterAll(() => parent.remove());

async function kill(process: MainProcess): Promise<void> {
  process.signal('SIGKILL');
  await process.ended();
}

/** Makes the tests of a block share a directory: all but the first find an exchange there. */
function shareDirectory(): string {
  const shared = newDirectory();
  beforeEach(() => {
    directory = shared;
  });
  return shared;
}

function begin(env: Record<string, string> = {}, ...flags: string[]): MainProcess {
  const all = { BUTTONWOOD_DATA: directory, ...env };
  const process = MainProcess.start(['start', ...flags], all);
  running.push(process);
  return process;
}

interface SandboxFile {
  readonly baseUrl: string;
  readonly accounts: readonly Credential[];
}
const sandboxPath = () => join(directory, 'sandbox.json');
const variablesPath = () => join(directory, 'sandbox.env');
const variables = () => readFileSync(variablesPath(), 'utf8');
const sandboxFile = (): SandboxFile => JSON.parse(readFileSync(sandboxPath(), 'utf8'));

async function call(credential: Credential, method: string, path: string, body?: unknown) {
  const { baseUrl } = sandboxFile();
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${credential.apiKey}`,
      'X-API-Secret': credential.apiSecret,
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
  return { response, text: await response.clone().text(), json: (await response.json()) as any };
}

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

describe('while one runs', () => {
  const shared = shareDirectory();
  let sandbox: MainProcess;
  beforeAll(async () => {
    sandbox = MainProcess.start(['start'], { BUTTONWOOD_DATA: shared });
    await sandbox.serving();
  });
  afterAll(() => kill(sandbox));

  test('only the owner can read sandbox.json, and its keys work', async () => {
    const baseUrl = await sandbox.serving();
    expect(statSync(sandboxPath()).mode & 0o777).toBe(0o600);
    const file = sandboxFile();
    expect(Object.keys(file)).toEqual(['baseUrl', 'accounts', 'users']);
    expect(file.baseUrl).toBe(baseUrl);
    const names = file.accounts.map(({ name, permissions }) => `${name}: ${permissions}`);
    expect(names).toEqual([
      'alice: read,trade',
      'bob: read,trade',
      'alice: read',
      'operator: operate',
    ]);
    for (const account of file.accounts) {
      const binance = account.permissions.includes('operate') ? [] : ['binance'];
      const fields = ['name', 'apiKey', 'apiSecret', 'permissions', ...binance];
      expect(Object.keys(account)).toEqual(fields);
      const can = async (method: string, path: string, body?: unknown) =>
        (await call(account, method, path, body)).response.status === 200;
      const { permissions } = account;
      expect(await can('GET', '/api/portfolio/balances')).toBe(permissions.includes('read'));
      expect(await can('POST', '/api/orders', ORDER)).toBe(permissions.includes('trade'));
      expect(await can('GET', '/api/admin/state')).toBe(permissions.includes('operate'));
    }
  });

  test('the curl line that it prints works when pasted', async () => {
    await sandbox.printed(/-d '.*'\n/);
    const line = /^curl (?:.*\\\n)*.*$/m.exec(sandbox.output)![0];
    const shell = Bun.spawn(['bash', '-c', line.replace('curl', 'curl --silent --show-error')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, error] = await Promise.all([shell.stdout.text(), shell.stderr.text()]);
    expect(error).toBe('');
    expect(JSON.parse(out)).toMatchObject({ success: true, data: { ...ORDER, status: 'open' } });
    expect(sandbox.output).toContain(sandboxPath());
  });

  test('it names a host for browsers, which allow passkeys for names only', async () => {
    const { port } = new URL(await sandbox.serving());
    await sandbox.printed(/-d '.*'\n/);
    const opened = `http://localhost:${port}`;
    expect(sandbox.output).toContain(`Open ${opened} in a browser.\n`);
    const page = await fetch(opened, { headers: { Accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
  });

  test('it prints where bots for Binance connect', async () => {
    const baseUrl = await sandbox.serving();
    await sandbox.printed(/-d '.*'\n/);
    expect(sandbox.output).toContain(`Bots for Binance's Spot API can use ${baseUrl}/binance\n`);
    expect((await fetch(`${baseUrl}/binance/api/v3/ping`)).status).toBe(200);
  });

  test('sandbox.env holds the address and a key of alice, readable by its owner only', async () => {
    const baseUrl = await sandbox.serving();
    expect(statSync(variablesPath()).mode & 0o777).toBe(0o600);
    const script = `source '${variablesPath()}' && curl -sS "$BUTTONWOOD_URL/api/orders" \
      -H "Authorization: Bearer $API_KEY" -H "X-API-Secret: $API_SECRET"`;
    const shell = Bun.spawn(['bash', '-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    expect(JSON.parse(await shell.stdout.text())).toMatchObject({ success: true });
    expect(variables()).toContain(`export BUTTONWOOD_URL=${baseUrl}\n`);
    const { apiKey, apiSecret } = sandboxFile().accounts[0]!.binance!;
    const binance = `export BINANCE_API_KEY=${apiKey}\nexport BINANCE_API_SECRET=${apiSecret}\n`;
    expect(variables()).toContain(binance);
  });

  test('no second process starts in the same data directory', async () => {
    for (const flags of [[], ['--reset']]) {
      const second = begin({}, ...flags);
      expect(await second.ended()).toBe(1);
      expect(second.output).toMatch(/^buttonwood: .* is used by another running process\..*\n$/);
    }
    const [alice] = sandboxFile().accounts;
    expect((await call(alice!, 'GET', '/api/orders')).response.status).toBe(200);
  });

  test('a start on a taken port fails and names the port', async () => {
    const { port } = new URL(await sandbox.serving());
    const second = begin({ PORT: port, BUTTONWOOD_DATA: newDirectory() });
    expect(await second.ended()).toBe(1);
    expect(second.output).toMatch(new RegExp(`^buttonwood: .*port ${port}.*PORT.*\n$`));
  });
});

test('a lost or broken sandbox.json is written again, with valid keys', async () => {
  const first = begin();
  await first.serving();
  const before = sandboxFile();
  await first.stop();
  rmSync(sandboxPath());
  const second = begin();
  await second.serving();
  const after = sandboxFile();
  expect(after.accounts[0]!.apiKey).not.toBe(before.accounts[0]!.apiKey);
  const { apiKey, apiSecret, binance } = after.accounts[0]!;
  expect(variables()).toBe(
    `export BUTTONWOOD_URL=${after.baseUrl}\nexport API_KEY=${apiKey}\nexport API_SECRET=${apiSecret}\n` +
      `export BINANCE_API_KEY=${binance!.apiKey}\nexport BINANCE_API_SECRET=${binance!.apiSecret}\n`,
  );
  expect((await call(after.accounts[0]!, 'GET', '/api/orders')).response.status).toBe(200);
  await second.stop();
  writeFileSync(sandboxPath(), '{"baseUrl":');
  await begin().serving();
  expect((await call(sandboxFile().accounts[0]!, 'GET', '/api/orders')).response.status).toBe(200);
  expect(statSync(sandboxPath()).mode & 0o777).toBe(0o600);
});

test('a restart keeps everything', async () => {
  const first = begin();
  await first.serving();
  const file = sandboxFile();
  const [alice, bob] = file.accounts as [Credential, Credential];
  const named = { ...ORDER, clientOrderId: 'kept' };
  const placed = await call(alice, 'POST', '/api/orders', named);
  await call(bob, 'POST', '/api/orders', { ...ORDER, side: 'sell', amount: 0.004 });
  await call(alice, 'POST', '/api/orders', { ...ORDER, timeInForce: 'IOC', price: 1000 });
  const views = async () => [
    (await call(alice, 'GET', '/api/portfolio/balances')).text,
    (await call(bob, 'GET', '/api/portfolio/balances')).text,
    (await call(alice, 'GET', '/api/orders')).text,
    (await call(bob, 'GET', '/api/orders')).text,
    (await call(alice, 'GET', '/api/markets')).text,
  ];
  const before = await views();
  await first.stop();

  const second = begin();
  const baseUrl = await second.serving();
  expect(sandboxFile()).toEqual({ ...file, baseUrl });
  expect(await views()).toEqual(before);
  const again = await call(alice, 'POST', '/api/orders', named);
  expect(again.json.data).toMatchObject({ orderId: placed.json.data.orderId, filled: 0.004 });
  const next = await call(alice, 'POST', '/api/orders', { ...ORDER, price: 44000 });
  expect(Number(next.json.data.orderId)).toBeGreaterThan(Number(placed.json.data.orderId));
});

test('the 24 h figures and the order book are the same right after a restart', async () => {
  const first = begin();
  await first.serving();
  const [alice, bob] = sandboxFile().accounts as [Credential, Credential];
  for (const [price, amount] of [
    [45000, 0.01],
    [44000, 0.03],
    [46000.5, 0.02],
  ]) {
    const order = { symbol: 'BTC/USDT', type: 'limit', price, amount };
    await call(alice, 'POST', '/api/orders', { ...order, side: 'sell' });
    await call(bob, 'POST', '/api/orders', { ...order, side: 'buy' });
  }
  await call(alice, 'POST', '/api/orders', ORDER);
  const views = () =>
    Promise.all(
      ['prices', 'markets', 'orderbook', 'trades', 'candles'].map(async (name) => {
        const { json } = await call(alice, 'GET', `/api/${name}?symbol=BTC/USDT`);
        expect(json.success).toBe(true);
        const { data } = json;
        // The only fields that depend on the time of the request.
        for (const record of [data, ...(data.prices ?? [])]) {
          delete record.timestamp;
          delete record.openTime;
        }
        for (const candle of data.candles ?? []) delete candle.closed;
        return data.candles === undefined ? data : data.candles[0];
      }),
    );
  const before = await views();
  expect(before[0].prices[0]).toMatchObject({
    price: 46000.5,
    open: 45000,
    high: 46000.5,
    low: 44000,
    baseVolume: 0.06,
    quoteVolume: 2690.01,
  });
  expect(before[2].sequence).toBe(7);
  first.signal('SIGKILL');
  await first.ended();
  await begin().serving();
  expect(await views()).toEqual(before);
});

test('--reset starts a new exchange', async () => {
  const first = begin();
  await first.serving();
  const [alice] = sandboxFile().accounts;
  await call(alice!, 'POST', '/api/orders', ORDER);
  await first.stop();
  await begin({}, '--reset').serving();
  expect((await call(alice!, 'GET', '/api/orders')).response.status).toBe(401);
  const [fresh] = sandboxFile().accounts;
  expect((await call(fresh!, 'GET', '/api/orders')).json.data.orders).toEqual([]);
  const { json } = await call(fresh!, 'POST', '/api/orders', ORDER);
  expect(json.data.orderId).toBe('1');
});

describe('it does not start', () => {
  test.each([
    [{ BUTTONWOOD_HOST: '0.0.0.0' }, /0\.0\.0\.0 over plain HTTP .*BUTTONWOOD_TLS_CERT/],
    [{ BUTTONWOOD_HOST: '::' }, /over plain HTTP/],
    [{ BUTTONWOOD_RATE_LIMITS: 'none' }, /BUTTONWOOD_RATE_LIMITS/],
    [{ BUTTONWOOD_MAKERS: 'yes' }, /BUTTONWOOD_MAKERS/],
    [{ BUTTONWOOD_SEED: 'tree' }, /BUTTONWOOD_SEED/],
    [{ PORT: 'http' }, /PORT/],
    [{ PORT: '70000' }, /PORT/],
    [
      { BUTTONWOOD_TRUSTED_PROXIES: 'proxy.example' },
      /BUTTONWOOD_TRUSTED_PROXIES: "proxy.example"/,
    ],
    [{ BUTTONWOOD_TLS_CERT: '/no/such.pem' }, /BUTTONWOOD_TLS_KEY/],
    [
      { BUTTONWOOD_TLS_CERT: '/no/such.pem', BUTTONWOOD_TLS_KEY: '/no/such.key' },
      /The file \/no\/such\.pem does not exist/,
    ],
  ])('with %j', async (env, message) => {
    const process = begin(env as Record<string, string>);
    expect(await process.ended()).toBe(2);
    expect(process.output).toMatch(message);
    expect(process.output).toMatch(/^buttonwood: .*\n$/);
    // Nothing was created.
    expect(existsSync(sandboxPath())).toBe(false);
  });

  test('with an unknown option', async () => {
    const process = begin({}, '--rest');
    expect(await process.ended()).toBe(2);
    expect(process.output).toContain("Unknown option '--rest'");
  });
});

describe('BUTTONWOOD_RATE_LIMITS', () => {
  shareDirectory();
  test.each([
    [undefined, '30', '29'],
    ['spec', '30', '29'],
    ['10x', '300', '299'],
    ['off', '30', '30'],
  ])('%s', async (mode, limit, remaining) => {
    await begin(mode === undefined ? {} : { BUTTONWOOD_RATE_LIMITS: mode }).serving();
    const [alice] = sandboxFile().accounts;
    const { headers } = (await call(alice!, 'POST', '/api/orders', ORDER)).response;
    expect(headers.get('X-RateLimit-Limit')).toBe(limit);
    expect(headers.get('X-RateLimit-Remaining')).toBe(remaining);
  });
});

describe('signals end it with 0, whatever its clients do', () => {
  shareDirectory();
  test.each(['SIGTERM', 'SIGINT'] as const)('%s', async (signal) => {
    const process = begin();
    const baseUrl = await process.serving();
    const idle = await RawConnection.open(baseUrl);
    idle.send('GET /api/markets HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await idle.receive())!.status).toBe(200);
    const slow = await RawConnection.open(baseUrl);
    slow.send('POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Le');
    const [alice] = sandboxFile().accounts;
    const body = await RawConnection.open(baseUrl);
    body.send(
      `POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n` +
        `Authorization: Bearer ${alice!.apiKey}\r\nX-API-Secret: ${alice!.apiSecret}\r\n\r\n{"symbol"`,
    );
    process.signal(signal);
    expect(await process.ended()).toBe(0);
    for (const connection of [idle, slow, body]) connection.destroy();
  });
});

test('an IPv6 host is bracketed in the base URL', async () => {
  const baseUrl = await begin({ BUTTONWOOD_HOST: '::1' }).serving();
  expect(baseUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${baseUrl}/api/markets`)).status).toBe(200);
});
