import { afterAll, afterEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryInUseError, lockDirectory } from './lock.ts';

const parent = mkdtempSync(join(tmpdir(), 'buttonwood-lock-'));
afterAll(() => rmSync(parent, { recursive: true }));

const directory = () => mkdtempSync(join(parent, 'data-'));

/** A process that takes the lock, says so or why not, and stays until it is killed. */
const OWNER = `
  import { lockDirectory } from ${JSON.stringify(join(import.meta.dir, 'lock.ts'))};
  try {
    lockDirectory(process.argv.at(-1));
    Bun.gc(true);
    console.log('locked');
    setInterval(() => {}, 60_000);
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }
`;

const owners: Bun.Subprocess[] = [];
// Also those of a test that failed: they hold the output of the test run open.
afterEach(() => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL');
});

async function startOwner(path: string) {
  const owner = Bun.spawn([process.execPath, '-e', OWNER, path], { stdout: 'pipe' });
  owners.push(owner);
  const { value } = await owner.stdout.getReader().read();
  return { owner, output: new TextDecoder().decode(value).trim() };
}

test('a second lock is rejected, in another process and in this one', async () => {
  const path = directory();
  const { owner, output } = await startOwner(path);
  expect(output).toBe('locked');
  expect(() => lockDirectory(path)).toThrow(DirectoryInUseError);
  const second = await startOwner(path);
  expect(second.output).toContain(
    `DirectoryInUseError: ${path} is used by another running process.`,
  );
  await second.owner.exited;
  expect(() => lockDirectory(path)).toThrow(path);
  owner.kill('SIGKILL');
  await owner.exited;
  lockDirectory(path).release();
}, 60_000);

test('kill -9 of the owner releases the lock at once', async () => {
  const path = directory();
  for (let round = 0; round < 3; round++) {
    const { owner, output } = await startOwner(path);
    expect(output).toBe('locked');
    owner.kill('SIGKILL');
    await owner.exited;
  }
  const lock = lockDirectory(path);
  expect(() => lockDirectory(path)).toThrow(DirectoryInUseError);
  lock.release();
  lockDirectory(path).release();
}, 60_000);

test('locks on two directories are independent', () => {
  const [one, two] = [lockDirectory(directory()), lockDirectory(directory())];
  one.release();
  two.release();
});

test('a missing directory is a different error', () => {
  const lock = () => lockDirectory(join(parent, 'none'));
  expect(lock).toThrow();
  expect(lock).not.toThrow(DirectoryInUseError);
});

test('deleting files does not bypass the lock, and locking writes nothing', async () => {
  const path = directory();
  const { owner, output } = await startOwner(path);
  expect(output).toBe('locked');
  expect(readdirSync(path)).toEqual([]);
  rmSync(join(path, 'lock'), { force: true });
  expect(() => lockDirectory(path)).toThrow(DirectoryInUseError);
  expect((await startOwner(path)).output).toStartWith('DirectoryInUseError');
  owner.kill('SIGKILL');
  await owner.exited;
}, 60_000);
