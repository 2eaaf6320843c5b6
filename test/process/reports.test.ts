import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../bench/pauses/fill.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Side } from '../../src/engine/terms.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { limitOrder } from '../../src/testing/test-exchange.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** Reports of a real exchange, with a large account: restarts, downloads and the command line. */

setDefaultTimeout(120_000);

const FILLS = 60_000;
const FROM = '2020-01-01T00:00:00Z';
const directory = temporaryDirectory();
const data = join(directory.path, 'data');
let exchange: ExchangeProcess;
let alice: Credential;

beforeAll(async () => {
  await (await ExchangeProcess.start(data)).stop();
  await append(data, trade);
  exchange = await ExchangeProcess.start(data);
  alice = exchange.credential('alice');
});
afterAll(async () => {
  await exchange.kill();
  directory.remove();
});

/** Trades between the first two accounts of the sandbox. */
function* trade(): Generator<Command> {
  for (const owner of [1, 2]) {
    for (const asset of [0, 1]) {
      const terms = { owner, asset, amount: 10n ** 18n, reference: `test-${owner}-${asset}` };
      yield { kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms, reason: 'test' };
    }
  }
  for (let n = 0; n < FILLS; n++) {
    yield limitOrder(1, n % 2 === 0 ? Side.buy : Side.sell, 11_800_000, 1000);
    yield limitOrder(2, n % 2 === 0 ? Side.sell : Side.buy, 11_800_000, 1000);
  }
}

async function create(body: object) {
  const { json } = await exchange.send(alice, 'POST', '/api/reports', JSON.stringify(body));
  return json.data;
}

async function finish(reportId: string) {
  for (;;) {
    const { json } = await exchange.send(alice, 'GET', `/api/reports/${reportId}`);
    if (json.data.status === 'done' || json.data.status === 'failed') return json.data;
    await Bun.sleep(20);
  }
}

function download(reportId: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${exchange.baseUrl}/api/reports/${reportId}/file`, {
    headers: {
      Authorization: `Bearer ${alice.apiKey}`,
      'X-API-Secret': alice.apiSecret,
      ...headers,
    },
  });
}

test('a ledger of a large account reconciles, and an order is placed while it is made', async () => {
  const { reportId } = await create({ kind: 'ledger', format: 'csv', from: FROM });
  const order = { symbol: 'ETH/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 100 };
  const placed = await exchange.send(alice, 'POST', '/api/orders', JSON.stringify(order));
  expect(placed.status).toBe(200);
  const report = await finish(reportId);
  expect(report).toMatchObject({ status: 'done', error: null });
  expect(report.rows).toBeGreaterThan(3 * FILLS);
  const response = await download(reportId);
  expect(response.headers.get('Content-Length')).toBe(`${report.bytes}`);
  const text = await response.text();
  expect(new Bun.CryptoHasher('sha256').update(text).digest('hex')).toBe(report.sha256);
  const sums = new Map<string, bigint>();
  const closing = new Map<string, bigint>();
  for (const line of text.trimEnd().split('\r\n').slice(1)) {
    const [, , asset, type, amount] = line.split(',') as [string, string, string, string, string];
    const units = toUnits(amount);
    if (type === 'closing_balance') closing.set(asset, units);
    else if (type !== 'hold' && type !== 'release')
      sums.set(asset, (sums.get(asset) ?? 0n) + units);
  }
  expect(closing.size).toBeGreaterThan(1);
  expect([...closing].map(([asset, total]) => [asset, total === sums.get(asset)])).toEqual(
    [...closing.keys()].map((asset) => [asset, true]),
  );
});

/** Returns a decimal in units of 10^-20. */
function toUnits(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(20, '0'));
  return text.startsWith('-') ? -units : units;
}

test('a report that a kill interrupts is made after the next start, and finished ones stay', async () => {
  const done = await create({ kind: 'fills', format: 'csv', from: FROM });
  const { sha256, rows } = await finish(done.reportId);
  expect(rows).toBe(FILLS);
  const { reportId } = await create({ kind: 'ledger', format: 'json', from: FROM });
  await exchange.kill();
  exchange = await ExchangeProcess.start(data);
  alice = exchange.credential('alice');
  expect(await finish(reportId)).toMatchObject({ status: 'done', error: null });
  const after = await download(done.reportId);
  expect(new Bun.CryptoHasher('sha256').update(await after.bytes()).digest('hex')).toBe(sha256);
  const names = readdirSync(join(data, 'reports'));
  expect(names.filter((name) => !/^[0-9a-f]{24}\.(report|csv|json|html)$/.test(name))).toEqual([]);
  for (const name of names) expect(statSync(join(data, 'reports', name)).mode & 0o77).toBe(0);
});

test('the command line writes the file of a report', async () => {
  const env = { BUTTONWOOD_DATA: data };
  const out = join(directory.path, 'statement.html');
  const run = (...argv: string[]) => runForTest(argv, env);
  const made = await run('reports', 'create', 'alice', 'statement', '--from', FROM, '--out', out);
  expect({ exitCode: made.exitCode, error: made.error }).toEqual({ exitCode: 0, error: '' });
  expect(made.out).toContain('done');
  expect(readFileSync(out, 'utf8')).toContain(`This period has ${FILLS} trades`);
  const again = await run('reports', 'create', 'alice', 'fills', '--from', FROM, '--out', out);
  expect(again.exitCode).toBe(2);
  const listed = await run('reports', 'list', '--account', 'alice', '--json');
  const [newest] = JSON.parse(listed.out).reports;
  expect(newest).toMatchObject({ kind: 'statement', account: 'alice', status: 'done' });
  const removed = await run('reports', 'delete', newest.reportId);
  expect(removed.exitCode).toBe(0);
  expect((await run('reports', 'get', newest.reportId)).exitCode).toBe(1);
});
