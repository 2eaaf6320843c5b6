import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENESIS, replay } from '../src/archivist/recovery.ts';
import { dataPaths } from '../src/config/data-paths.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../src/engine/command.ts';
import { ENGINE_VERSION, Exchange } from '../src/engine/exchange.ts';
import { MAX_KEYS_PER_ACCOUNT } from '../src/engine/limits.ts';
import { Permission } from '../src/engine/terms.ts';
import { isAudited, toAuditRecord } from '../src/history/tables/audit.ts';
import { FileLog } from '../src/log/file-log.ts';
import { genesisCommands } from '../src/node/genesis.ts';
import { readCredentials } from '../src/sandbox/credentials-file.ts';
import { DiskStorage } from '../src/storage/disk-storage.ts';
import { lockDirectory } from '../src/storage/lock.ts';
import { runForTest } from '../src/testing/test-cli.ts';
import { TestDirectory } from '../src/testing/test-directory.ts';
import { appendBatch } from '../src/testing/test-exchange.ts';
import { hashSecret } from '../src/users/credentials/api-keys.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'buttonwood-recover-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const storage = new DiskStorage();
const open = () => FileLog.open({ storage, directory: dataPaths(path).log });
const recover = (...options: string[]) =>
  runForTest(['keys', 'recover', '--data', path, ...options]);

/** A real exchange whose only operator key has been revoked, as version 1 allowed. */
async function lockedOut(version = ENGINE_VERSION): Promise<void> {
  const log = await open();
  const { operator } = dataPaths(path);
  const genesis = await genesisCommands(
    storage,
    false,
    operator,
    'http://127.0.0.1:7000',
    randomBytes,
  );
  const opened = genesis.map((each) =>
    each.kind === CommandKind.open ? { ...each, version } : each,
  );
  await appendBatch(log, Date.now(), opened);
  const { apiKey } = readCredentials(dataPaths(path).operator)!.accounts[0]!;
  await appendBatch(log, Date.now(), [
    {
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner: 0,
      apiKey: 'temporary',
      label: '',
      secretHash: new Uint8Array(32),
      permissions: Permission.operate,
      addresses: [],
      expiresAt: 0,
    },
    { kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey },
  ]);
  await log.close();
}

async function replayed() {
  const log = await open();
  const exchange = new Exchange();
  const commands: Command[] = [];
  replay(log, { exchange, position: GENESIS }, (_batch, _index, command) => commands.push(command));
  await log.close();
  return { state: exchange.state, last: commands.at(-1)! };
}

test('creates an operator key, in the file of keys and in the log', async () => {
  await lockedOut();
  const { exitCode, out } = await recover('--json');
  expect(exitCode).toBe(0);
  const shown = JSON.parse(out);
  const { operator } = dataPaths(path);
  const { baseUrl, accounts } = readCredentials(operator)!;
  expect(shown).toMatchObject({ accountId: 'operator', credentials: operator });
  expect(out).not.toContain(accounts[0]!.apiSecret);
  expect(baseUrl).toBe('http://127.0.0.1:7000');
  expect(statSync(operator).mode & 0o777).toBe(0o600);
  const { state, last } = await replayed();
  const key = state.keysByApiKey.get(accounts[0]!.apiKey)!;
  expect(key).toMatchObject({ permissions: Permission.operate, label: 'recovered', expiresAt: 0 });
  expect(key.account.id).toBe('operator');
  expect(key.secretHash).toEqual(hashSecret(accounts[0]!.apiSecret));
  expect(isAudited(last)).toBe(true);
  const place = { id: 1, sequence: 3, index: 0, time: 0 };
  expect(toAuditRecord(place, last, { kind: 'done' })).toMatchObject({
    action: 'createKey',
    key: -1,
  });
  // The key works now, so that there is nothing to recover.
  const again = await recover();
  expect(again.exitCode).toBe(1);
  expect(again.error).toContain('works. Nothing was changed');
});

test('creates one if the file of keys is missing or unreadable', async () => {
  await lockedOut();
  const { operator } = dataPaths(path);
  const recoveredKey = async () => {
    expect((await recover()).exitCode).toBe(0);
    expect(readCredentials(operator)).toBeDefined();
    const [credential] = readCredentials(operator)!.accounts;
    const key = (await replayed()).state.keysByApiKey.get(credential!.apiKey);
    expect(key!.secretHash).toEqual(hashSecret(credential!.apiSecret));
    return key!.index;
  };
  rmSync(operator);
  const first = await recoveredKey();
  writeFileSync(operator, '{');
  expect(await recoveredKey()).toBe(first + 1);
});

/** Adds keys of the operator account with numbered `apiKey`. */
async function addKeys(count: number, terms: { permissions: number; expiresAt: number }) {
  const log = await open();
  const keys = Array.from({ length: count }, (_, n): Command => {
    const key = { owner: 0, apiKey: `added-${n}`, label: '', secretHash: new Uint8Array(32) };
    return { kind: CommandKind.createKey, ...SYSTEM_ACTOR, ...key, addresses: [], ...terms };
  });
  await appendBatch(log, Date.now(), keys);
  await log.close();
}

test.each([
  ['in force, in version 1', 1, { permissions: Permission.operate, expiresAt: 0 }],
  ['without operate', ENGINE_VERSION, { permissions: Permission.read, expiresAt: 0 }],
  ['expired, in version 1', 1, { permissions: Permission.operate, expiresAt: 1 }],
  ['in force', ENGINE_VERSION, { permissions: Permission.operate, expiresAt: 0 }],
])(
  'creates one if the account has the maximum number of keys %s',
  async (_name, version, terms) => {
    await lockedOut(version);
    await addKeys(MAX_KEYS_PER_ACCOUNT - 1, terms);
    expect((await recover()).exitCode).toBe(0);
    const [credential] = readCredentials(dataPaths(path).operator)!.accounts;
    const { keysByApiKey } = (await replayed()).state;
    expect(version).toBe((await replayed()).state.version);
    expect(keysByApiKey.get(credential!.apiKey)).toMatchObject({ revokedAt: 0, expiresAt: 0 });
  },
);

test('creates one if the key in the file has expired since the last command', async () => {
  await lockedOut();
  const { operator } = dataPaths(path);
  const old = readCredentials(operator)!;
  const [credential] = old.accounts;
  const log = await open();
  const key = { owner: 0, apiKey: 'expired', secretHash: hashSecret(credential!.apiSecret) };
  const terms = { permissions: Permission.operate, label: '', addresses: [] };
  const expiresAt = log.lastTime + 1;
  await appendBatch(log, log.lastTime, [
    { kind: CommandKind.createKey, ...SYSTEM_ACTOR, ...key, ...terms, expiresAt },
  ]);
  await log.close();
  writeFileSync(
    operator,
    JSON.stringify({ ...old, accounts: [{ ...credential!, apiKey: 'expired' }] }),
  );
  await Bun.sleep(5);
  expect((await recover()).exitCode).toBe(0);
  expect(readCredentials(operator)!.accounts[0]!.apiKey).not.toBe('expired');
});

test('keeps the file that it replaces', async () => {
  await lockedOut();
  const { operator } = dataPaths(path);
  const before = readFileSync(operator, 'utf8');
  expect((await recover()).out).toContain(`${operator}.1`);
  expect(readFileSync(`${operator}.1`, 'utf8')).toBe(before);
  expect(statSync(`${operator}.1`).mode & 0o777).toBe(0o600);
  writeFileSync(operator, '{');
  expect((await recover()).exitCode).toBe(0);
  expect(readFileSync(`${operator}.2`, 'utf8')).toBe('{');
});

test('explains the fix if the directory cannot be written', async () => {
  await lockedOut();
  const denied = Object.assign(new Error('EROFS: read-only file system, open'), {
    syscall: 'open',
    code: 'EROFS',
  });
  const create = spyOn(DiskStorage.prototype, 'create').mockImplementation(() => {
    throw denied;
  });
  const { exitCode, error } = await recover();
  create.mockRestore();
  expect([exitCode, error]).toEqual([
    1,
    expect.stringContaining('Run this as the user of the node'),
  ]);
});

test('refuses to run as another user than the owner of the log', async () => {
  await lockedOut();
  const user = spyOn(process, 'geteuid').mockReturnValue(statSync(path).uid + 1);
  const before = readFileSync(dataPaths(path).operator, 'utf8');
  const { exitCode, error } = await recover();
  user.mockRestore();
  expect([exitCode, error]).toEqual([1, expect.stringContaining('belongs to user')]);
  expect(readFileSync(dataPaths(path).operator, 'utf8')).toBe(before);
});

test('refuses while a node runs, without an exchange, and for a sandbox', async () => {
  const none = await recover();
  expect([none.exitCode, none.error]).toEqual([1, expect.stringContaining('No exchange')]);
  await (await open()).close();
  const empty = await recover();
  expect([empty.exitCode, empty.error]).toEqual([1, expect.stringContaining('log is empty')]);
  await lockedOut();
  const lock = lockDirectory(path);
  const busy = await recover();
  lock.release();
  expect([busy.exitCode, busy.error]).toEqual([1, expect.stringContaining('A node is running in')]);
  const sandbox = await TestDirectory.create();
  const before = sandbox.contents();
  const { exitCode, error } = await runForTest(['key', 'recover', '--data', sandbox.path]);
  expect([exitCode, error]).toEqual([1, expect.stringContaining('sandbox')]);
  expect(sandbox.contents()).toEqual(before);
  sandbox.remove();
});
