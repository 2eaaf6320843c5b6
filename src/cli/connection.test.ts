import { afterAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runForTest } from '../testing/test-cli.ts';

/** A stub of a node, which records the credentials that it receives and responds with `answer`. */
let seen: { key: string | null; secret: string | null } | undefined;
let answer: () => Response;
const node = Bun.serve({
  port: 0,
  fetch({ headers }) {
    seen = { key: headers.get('authorization'), secret: headers.get('x-api-secret') };
    return answer();
  },
});
const url = node.url.origin;
const unusedUrl = await (async () => {
  const unused = Bun.serve({ port: 0, fetch: () => new Response() });
  const { origin } = unused.url;
  await unused.stop(true);
  return origin;
})();

const directory = mkdtempSync(join(tmpdir(), 'buttonwood-connection-'));
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await node.stop(true);
});
beforeEach(() => {
  seen = undefined;
  answer = () => Response.json({ success: true, data: { accounts: [] } });
});

function write(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function credentials(apiKey: string, baseUrl = url): string {
  return JSON.stringify({
    baseUrl,
    accounts: [
      { name: 'alice', apiKey: 'alice', apiSecret: 'alice', permissions: ['read', 'trade'] },
      { name: 'operator', apiKey, apiSecret: `${apiKey}-secret`, permissions: ['operate'] },
    ],
  });
}

const empty = { BUTTONWOOD_DATA: join(directory, 'empty') };
const ask = ['account', 'list'];

test("the operator's key and the address come from the data directory", async () => {
  const path = write('operator.json', credentials('of-operator'));
  const env = { BUTTONWOOD_DATA: directory };
  expect(await runForTest(ask, env)).toMatchObject({ exitCode: 0 });
  expect(seen).toEqual({ key: 'Bearer of-operator', secret: 'of-operator-secret' });
  write('sandbox.json', credentials('of-sandbox'));
  await runForTest(ask, env);
  expect(seen?.key).toBe('Bearer of-sandbox');
  await runForTest([...ask, '--credentials', path], env);
  expect(seen?.key).toBe('Bearer of-operator');
});

test("the node's settings file may name the data directory", async () => {
  write('operator.json', credentials('of-operator'));
  write('sandbox.json', credentials('of-sandbox'));
  const settings = write('settings.json', JSON.stringify({ data: directory, port: 1 }));
  expect(await runForTest([...ask, '--config', settings], {})).toMatchObject({ exitCode: 0 });
  expect(seen?.key).toBe('Bearer of-sandbox');
  write('sandbox.json', credentials('of-another'));
  await runForTest(ask, { BUTTONWOOD_CONFIG: settings });
  expect(seen?.key).toBe('Bearer of-another');
  // As in a node, the environment comes before the file.
  const elsewhere = await runForTest([...ask, '--config', settings, '--url', unusedUrl], empty);
  expect(elsewhere.exitCode).toBe(3);
  const wrong = write('settings.json', '{"dtaa": "x"}');
  const refused = await runForTest([...ask, '--config', wrong], {});
  expect(refused).toMatchObject({ exitCode: 2, out: '' });
  expect(refused.error).toContain('"dtaa"');
});

test('the environment comes before the data directory, --credentials before both', async () => {
  const path = write('sandbox.json', credentials('of-sandbox'));
  const env = {
    BUTTONWOOD_DATA: directory,
    BUTTONWOOD_API_KEY: 'of-environment',
    BUTTONWOOD_API_SECRET: 'secret',
    BUTTONWOOD_URL: url,
  };
  await runForTest(ask, env);
  expect(seen).toEqual({ key: 'Bearer of-environment', secret: 'secret' });
  await runForTest([...ask, '--credentials', path], env);
  expect(seen?.key).toBe('Bearer of-sandbox');
});

test('--url comes before BUTTONWOOD_URL, that before the address in the file', async () => {
  write('sandbox.json', credentials('of-sandbox', unusedUrl));
  const env = { BUTTONWOOD_DATA: directory };
  expect((await runForTest(ask, env)).exitCode).toBe(3);
  expect((await runForTest(ask, { ...env, BUTTONWOOD_URL: url })).exitCode).toBe(0);
  const both = await runForTest([...ask, '--url', unusedUrl], { ...env, BUTTONWOOD_URL: url });
  expect(both.exitCode).toBe(3);
});

test('no node: exit code 3, with the address and how to start one', async () => {
  const plain = await runForTest([...ask, '--url', unusedUrl], empty);
  expect(plain).toMatchObject({ exitCode: 3, out: '' });
  expect(plain.error).toContain(`No node answers at ${unusedUrl}. Start one with "npm start"`);
  const json = await runForTest([...ask, '--url', unusedUrl, '--json'], empty);
  expect(JSON.parse(json.error).error.code).toBe('UNREACHABLE');
});

test('a server that is not an exchange: exit code 3', async () => {
  answer = () => new Response('<html>', { status: 404 });
  const { exitCode, error } = await runForTest([...ask, '--url', url], empty);
  expect(exitCode).toBe(3);
  expect(error).toContain('HTTP 404');
});

test('without credentials the error lists their sources', async () => {
  answer = refused(401, 'UNAUTHORIZED');
  const { exitCode, error } = await runForTest([...ask, '--url', url], empty);
  expect(exitCode).toBe(1);
  expect(error).toContain('BUTTONWOOD_API_KEY');
  expect(seen).toEqual({ key: null, secret: null });
});

test('the error for wrong credentials names their source, never the credentials', async () => {
  answer = refused(401, 'UNAUTHORIZED');
  const path = write('wrong.json', credentials('of-nobody'));
  const { exitCode, error } = await runForTest([...ask, '--credentials', path], empty);
  expect(exitCode).toBe(1);
  expect(error).toContain(path);
  expect(error).not.toContain('of-nobody');
});

test('reports when to try again', async () => {
  answer = refused(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '17' });
  const args = [...ask, '--url', url];
  expect((await runForTest(args, empty)).error).toContain('Try again in 17 s.');
  const { error } = JSON.parse((await runForTest([...args, '--json'], empty)).error);
  expect(error).toMatchObject({ status: 429, retryAfterSeconds: 17, requestId: 'r-1' });
});

test('if the outcome of a transfer is unknown, the error names the reference for a safe retry', async () => {
  const args = ['credit', 'alice', 'USDT', '5', '--reason', 'x', '--url', url];
  answer = refused(500, 'OUTCOME_UNKNOWN');
  expect((await runForTest(args, empty)).error).toMatch(/add --reference cli-[0-9a-f-]{36}\./);
  answer = () => new Response('gone', { status: 502 });
  const { error } = await runForTest([...args, '--reference', 'mine'], empty);
  expect(error).toContain('add --reference mine.');
  answer = refused(400, 'INSUFFICIENT_BALANCE');
  expect((await runForTest(args, empty)).error).not.toContain('reference');
});

test.each([
  ['only one of two', { BUTTONWOOD_API_KEY: 'k' }, 'Set both BUTTONWOOD_API_KEY and'],
  ['an empty secret', { BUTTONWOOD_API_KEY: 'k', BUTTONWOOD_API_SECRET: '' }, 'Set both'],
  [
    'a line break',
    { BUTTONWOOD_API_KEY: 'k', BUTTONWOOD_API_SECRET: 'hidden\n' },
    'characters that no key has',
  ],
  [
    'a wrong address',
    { BUTTONWOOD_URL: 'localhost:3000' },
    '"localhost:3000" is not a valid node URL',
  ],
])('the environment has %s: wrong usage', async (_, env, message) => {
  const { exitCode, error } = await runForTest(ask, { ...empty, ...env });
  expect(exitCode).toBe(2);
  expect(error).toContain(message);
  expect(error).not.toContain('hidden');
  expect(seen).toBeUndefined();
});

test.each([
  ['missing', undefined, 'Cannot read the credentials'],
  ['not JSON', 'x', 'not a credentials file'],
  ['not an object', 'null', 'not a credentials file'],
  [
    'without an operator',
    '{"accounts":[{"apiKey":"k","apiSecret":"s","permissions":["read"]}]}',
    'operate',
  ],
  [
    'without a secret',
    '{"accounts":[{"apiKey":"k","permissions":["operate"]}]}',
    'not a credentials file',
  ],
])('a credentials file that is %s: wrong usage', async (_, content, message) => {
  const path = content === undefined ? join(directory, 'none.json') : write('odd.json', content);
  const { exitCode, error } = await runForTest([...ask, '--credentials', path], empty);
  expect(exitCode).toBe(2);
  expect(error).toContain(message);
});

function refused(status: number, code: string, headers: Record<string, string> = {}) {
  const body = { success: false, error: { code, message: 'No.', details: {} } };
  return () => Response.json(body, { status, headers: { 'X-Request-Id': 'r-1', ...headers } });
}
