import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../src/config/durations.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { type Credential, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

setDefaultTimeout(120_000);

/** Tests a real exchange on a machine whose clock jumps. */

const parent = temporaryDirectory();
const data = join(parent.path, 'data');
const ahead = join(parent.path, 'ahead');
const running: MainProcess[] = [];
afterEach(async () => {
  for (const process of running.splice(0)) {
    process.signal('SIGKILL');
    await process.ended();
  }
});
afterAll(() => parent.remove());

/** Moves the clock of the process ahead. */
function jump(aheadMs: number): void {
  writeFileSync(`${ahead}.new`, `${aheadMs}`);
  renameSync(`${ahead}.new`, ahead);
}

async function begin() {
  const preload = join(import.meta.dir, 'jumping-clock.ts');
  const line = [process.execPath, '--preload', preload, 'src/main.ts'];
  const child = MainProcess.spawn([...line, 'serve', '--admin-port', '0'], {
    BUTTONWOOD_DATA: data,
    CLOCK_AHEAD_FILE: ahead,
    BUTTONWOOD_DRAIN_SECONDS: '0',
  });
  running.push(child);
  const [, admin] = await child.printed(/Health and metrics are served at (http:[^\s"]+)/);
  const [, url] = await child.printed(/Buttonwood serves at (http:[^\s",]+)/);
  const operator: Credential = JSON.parse(readFileSync(join(data, 'operator.json'), 'utf8'))
    .accounts[0];
  const headers = {
    Authorization: `Bearer ${operator.apiKey}`,
    'X-API-Secret': operator.apiSecret,
  };
  const send = async (method: string, path: string, body?: object) => {
    const json = { ...headers, 'Content-Type': 'application/json' };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { method, headers: json, ...text });
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
    return { status: answer.status, json: (await answer.json()) as any };
  };
  const ready = async () => (await fetch(`${admin}/readyz`)).json();
  return { child, send, ready };
}

async function logTimes(): Promise<number[]> {
  const log = await FileLog.open({ storage: new DiskStorage(), directory: join(data, 'log') });
  const times = [...log.read(0)].map(({ time }) => time);
  await log.close();
  return times;
}

test('a jump of 400 days stamps nothing with the future, and is confirmed by an operator only', async () => {
  jump(0);
  let { child, send, ready } = await begin();
  const account = (accountId: string) => send('POST', '/api/admin/accounts', { accountId });
  expect((await account('before')).status).toBe(200);
  jump(400 * DAY_MS);
  await child.printed(/clock off: the machine's clock jumped/);
  expect(await ready()).toEqual({ ready: false, reasons: ['clock off'] });
  expect((await account('meanwhile')).status).toBe(200);
  const expiresAt = new Date(Date.now() + 500 * DAY_MS).toISOString();
  const keys = '/api/admin/accounts/before/keys';
  const expiring = () => send('POST', keys, { permissions: ['read'], expiresAt });
  expect((await expiring()).json.error.code).toBe('CLOCK_OFF');
  jump(0);
  await child.printed(/uses the machine's clock again/);
  expect(await ready()).toEqual({ ready: true, reasons: [] });
  expect((await expiring()).status).toBe(200);
  await child.stop();
  const latest = Math.max(...(await logTimes()));
  expect(latest).toBeLessThan(Date.now() + DAY_MS);

  // After the clock was set back, the log has later times, and its time continues.
  jump(-10 * DAY_MS);
  ({ child, send, ready } = await begin());
  await child.printed(/clock off: the machine's clock reads .* but the log has batches from/);
  expect(await ready()).toEqual({ ready: false, reasons: ['clock off'] });
  expect((await account('later')).status).toBe(200);
  const wallClock = new Date(Date.now() - 10 * DAY_MS).toISOString();
  const confirmed = await send('POST', '/api/admin/clock/confirm', { wallClock });
  expect(confirmed.json.data).toMatchObject({ isOff: false });
  expect(confirmed.json.data.offsetMs).toBeLessThan(-9 * DAY_MS);
  expect(await ready()).toEqual({ ready: true, reasons: [] });
  await child.stop();
  expect((await logTimes()).at(-1)).toBeGreaterThanOrEqual(latest);
});
