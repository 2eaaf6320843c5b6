import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeKey, operate } from '../security/remote-users.ts';
import { temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

/** HMAC keys over restarts of a node, whose sealing keys change. */

setDefaultTimeout(60_000);

let directory: ReturnType<typeof temporaryDirectory>;
const running: MainProcess[] = [];
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(async () => {
  for (const process of running.splice(0)) {
    process.signal('SIGKILL');
    await process.ended();
  }
  directory.remove();
});

const data = () => join(directory.path, 'data');
const accounts = (file: string) =>
  JSON.parse(readFileSync(join(data(), file), 'utf8')).accounts as [
    { apiKey: string; apiSecret: string; binance?: object },
  ];

function begin(command: 'start' | 'serve', env: Record<string, string> = {}): MainProcess {
  const process = MainProcess.start([command], { BUTTONWOOD_DATA: data(), ...env });
  running.push(process);
  return process;
}

test('of a sandbox stay the same over restarts, also after they were off', async () => {
  const first = begin('start');
  await first.serving();
  const before = accounts('sandbox.json').map(({ binance }) => binance);
  expect(before.map((binance) => binance !== undefined)).toEqual([true, true, true, false]);
  await first.stop();
  const off = begin('start', { BUTTONWOOD_HMAC_KEYS: 'off' });
  await off.serving();
  await off.printed(/HMAC keys are off \(BUTTONWOOD_HMAC_KEYS\): requests of 3 such keys/);
  off.signal('SIGKILL');
  await off.ended();
  await begin('start').serving();
  expect(accounts('sandbox.json').map(({ binance }) => binance)).toEqual(before);
});

test('of a real exchange need a sealing key, which may be replaced and not be missing', async () => {
  const file = join(directory.path, 'seal-keys');
  const env = { BUTTONWOOD_HMAC_KEYS: 'on', BUTTONWOOD_SEAL_KEYS_FILE: file };
  const [one, two] = [`one:${'1'.repeat(64)}`, `two:${'2'.repeat(64)}`];
  const without = begin('serve', { BUTTONWOOD_HMAC_KEYS: 'on' });
  expect(await without.ended()).toBe(2);
  expect(without.output).toContain(
    'With BUTTONWOOD_HMAC_KEYS=on the secrets of HMAC keys are stored encrypted. Set BUTTONWOOD_SEAL_KEYS or ' +
      'BUTTONWOOD_SEAL_KEYS_FILE to a key on every node, such as 2026-11:<64 hex digits> (openssl rand -hex 32), and keep a copy of it.',
  );
  const start = (...keys: string[]) => {
    writeFileSync(file, `${keys.join('\n')}\n`);
    return begin('serve', env);
  };
  const first = start(one);
  const baseUrl = await first.serving();
  const [operator] = accounts('operator.json');
  await operate(baseUrl, operator, 'POST', '/accounts', { accountId: 'alice' });
  const { apiKey } = await makeKey(baseUrl, operator, 'alice', ['read'], { type: 'hmac' });
  // A crash: the key must be in the log. The next end leaves a snapshot.
  first.signal('SIGKILL');
  await first.ended();
  const rotated = start(two, one);
  await rotated.serving();
  await rotated.printed(/Encrypted the secrets of 1 HMAC keys under the first sealing key\./);
  await rotated.stop();
  const missing = start(one);
  expect(await missing.ended()).toBe(1);
  expect(missing.output).toContain(
    `The secret of the HMAC key ${apiKey} of the account alice is encrypted under the sealing key \\"two\\"`,
  );
  const other = start(`two:${'3'.repeat(64)}`);
  expect(await other.ended()).toBe(1);
  expect(other.output).toContain('BUTTONWOOD_SEAL_KEYS has another key under this id.');
  const last = start(two);
  await last.serving();
  expect(`${last.output}${other.output}${missing.output}`).not.toMatch(/1{64}|2{64}|3{64}/);
});
