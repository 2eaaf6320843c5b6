import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

/** Tests a start without a part of the data directory, as when a volume is not mounted. */

setDefaultTimeout(60_000);

const parent = temporaryDirectory();
afterAll(() => parent.remove());
const real = join(parent.path, 'real');
const sandbox = join(parent.path, 'sandbox');
let copies = 0;

beforeAll(async () => {
  await Promise.all([build('serve', real), build('start', sandbox)]);
});

async function build(command: string, path: string): Promise<void> {
  const exchange = MainProcess.start([command], { BUTTONWOOD_DATA: path });
  const baseUrl = await exchange.serving();
  if (command === 'serve') await createAccount(baseUrl, path);
  await exchange.stop();
}

async function createAccount(baseUrl: string, path: string): Promise<void> {
  const [key] = JSON.parse(readFileSync(dataPaths(path).operator, 'utf8')).accounts;
  const answer = await fetch(`${baseUrl}/api/admin/accounts`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key.apiKey}`,
      'X-API-Secret': key.apiSecret,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ accountId: 'carol' }),
  });
  expect(answer.status).toBe(200);
}

function copyDirectory(original: string) {
  const path = join(parent.path, `copy-${copies++}`);
  cpSync(original, path, { recursive: true });
  return dataPaths(path);
}

const toDirectory = ({ log }: ReturnType<typeof dataPaths>) => join(log, '..');

const readContents = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .map((file) => join(file.parentPath, file.name))
    .sort()
    .map((file) => [file, existsSync(file) && Bun.file(file).size]);

/** Starts a node that must refuse and change nothing. @returns Its output. */
async function refusal(paths: ReturnType<typeof dataPaths>, command: string, ...flags: string[]) {
  const path = toDirectory(paths);
  const credentials = () =>
    [paths.operator, paths.sandbox, paths.makers].map((file) =>
      existsSync(file) ? readFileSync(file, 'utf8') : undefined,
    );
  const before = [readContents(path), credentials()];
  const node = MainProcess.start([command, ...flags], { BUTTONWOOD_DATA: path });
  expect(await node.ended()).toBe(1);
  expect([readContents(path), credentials()]).toEqual(before);
  return node.output;
}

async function starts(paths: ReturnType<typeof dataPaths>, command: string, ...flags: string[]) {
  const node = MainProcess.start([command, ...flags], { BUTTONWOOD_DATA: toDirectory(paths) });
  await node.serving();
  await node.stop();
}

test.each([
  ['serve', real, 'operator.json'],
  ['start', sandbox, 'sandbox.json'],
])(
  '%s without its log is rejected with the directory; its keys work once the log is back',
  async (command, original, file) => {
    const paths = copyDirectory(original);
    rmSync(paths.log, { recursive: true });
    const output = await refusal(paths, command);
    expect(output).toContain(`${paths.log} holds no log`);
    expect(output).toContain(file);
    expect(output).toContain(`Mount or restore ${paths.log}`);
    // The mount point of a volume that is not mounted is an empty directory.
    mkdirSync(paths.log);
    expect(await refusal(paths, command)).toContain(`Mount or restore ${paths.log}`);
    cpSync(dataPaths(original).log, paths.log, { recursive: true });
    const before = readFileSync(join(toDirectory(paths), file), 'utf8');
    await starts(paths, command);
    const keysIn = (text: string) => JSON.parse(text).accounts;
    expect(keysIn(readFileSync(join(toDirectory(paths), file), 'utf8'))).toEqual(keysIn(before));
  },
);

test.each(['history', 'accounts', 'operator', 'snapshots'] as const)(
  'a single remaining part prevents a new exchange: %s',
  async (kept) => {
    const original = dataPaths(real);
    const paths = dataPaths(join(parent.path, `copy-${copies++}`));
    mkdirSync(toDirectory(paths));
    cpSync(original[kept], paths[kept], { recursive: true });
    expect(await refusal(paths, 'serve')).toContain('holds no log');
  },
);

test('an emptied log counts as missing', async () => {
  const paths = copyDirectory(real);
  for (const name of readdirSync(paths.log)) rmSync(join(paths.log, name));
  expect(await refusal(paths, 'serve')).toContain('holds no log');
});

test('an interrupted first start begins again', async () => {
  const paths = dataPaths(join(parent.path, `copy-${copies++}`));
  mkdirSync(paths.log, { recursive: true });
  // The files of a crash between the operator's key and the first batch.
  writeFileSync(join(paths.log, 'acknowledged'), '');
  writeFileSync(paths.operator, '{}');
  await starts(paths, 'serve');
  expect(JSON.parse(readFileSync(paths.operator, 'utf8')).accounts).toHaveLength(1);
});

test('snapshots and history are rebuilt', async () => {
  const paths = copyDirectory(real);
  rmSync(paths.snapshots, { recursive: true });
  rmSync(paths.history);
  await starts(paths, 'serve');
  expect(existsSync(paths.history)).toBe(true);
});

test('a missing database of users: refused until it is restored or its loss is confirmed', async () => {
  const paths = copyDirectory(real);
  rmSync(paths.accounts);
  const node = MainProcess.start(['serve'], { BUTTONWOOD_DATA: toDirectory(paths) });
  expect(await node.ended()).toBe(1);
  expect(node.output).toContain(
    `${paths.accounts} is missing, but the log has accounts in addition to`,
  );
  expect(existsSync(paths.accounts)).toBe(false);
  writeFileSync(paths.accounts, '');
  await starts(paths, 'serve');
});

test('--reset of a sandbox works without its log, and deletes no real exchange', async () => {
  const [lost, other] = [copyDirectory(sandbox), copyDirectory(real)];
  for (const { log } of [lost, other]) rmSync(log, { recursive: true });
  await starts(lost, 'start', '--reset');
  expect(await refusal(other, 'start', '--reset')).toContain('is not a sandbox');
});

test('only the owner of the process can read its files; previous rights of others are removed', async () => {
  const paths = copyDirectory(real);
  const files = () =>
    readdirSync(toDirectory(paths), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
  const openToOthers = () => files().filter((file) => (statSync(file).mode & 0o077) !== 0);
  expect(openToOthers()).toEqual([]);
  for (const path of [paths.history, paths.accounts]) chmodSync(path, 0o644);
  const node = MainProcess.start(['serve'], { BUTTONWOOD_DATA: toDirectory(paths) });
  await node.serving();
  // Including -wal and -shm of a running node.
  expect(files()).toContain(`${paths.history}-wal`);
  expect(openToOthers()).toEqual([]);
  await node.stop();
});

test('no other node can open the log of a running one, whatever files are deleted', async () => {
  const paths = copyDirectory(real);
  const node = MainProcess.start(['serve'], { BUTTONWOOD_DATA: toDirectory(paths) });
  await node.serving();
  // All files except the log itself.
  rmSync(join(toDirectory(paths), 'lock'), { force: true });
  rmSync(join(paths.log, 'acknowledged'));
  const same = MainProcess.start(['serve'], { BUTTONWOOD_DATA: toDirectory(paths) });
  expect(await same.ended()).toBe(1);
  expect(same.output).toContain('is used by another running process');
  // Another data directory with the same log, as a volume that two containers mount.
  const other = copyDirectory(real);
  rmSync(other.log, { recursive: true });
  symlinkSync(paths.log, other.log);
  const second = MainProcess.start(['serve'], { BUTTONWOOD_DATA: toDirectory(other) });
  expect(await second.ended()).toBe(1);
  expect(second.output).toContain(`${other.log} is used by another running process`);
  await node.stop();
});

test('a damaged user database is named, and nothing is left behind', async () => {
  const paths = copyDirectory(real);
  writeFileSync(paths.accounts, 'not a database at all'.repeat(500));
  const output = await refusal(paths, 'serve');
  expect(output).toContain(`The user database ${paths.accounts} cannot be opened`);
  expect(output).toContain('restore it from a backup');
});

test('a file in place of the log is named', async () => {
  const paths = copyDirectory(real);
  rmSync(paths.log, { recursive: true });
  writeFileSync(paths.log, '');
  const output = await refusal(paths, 'serve');
  expect(output).toContain(`${paths.log} is a file`);
  expect(output).toContain('restore the directory from a backup');
});
