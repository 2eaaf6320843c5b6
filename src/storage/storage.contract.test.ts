import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { DiskStorage } from './disk-storage.ts';
import { readAll, type Storage, writeAll } from './storage.ts';

const parent = mkdtempSync(join(tmpdir(), 'buttonwood-storage-'));
afterAll(() => rmSync(parent, { recursive: true }));

const kinds: [string, () => Storage][] = [
  ['disk', () => new DiskStorage()],
  ['simulated disk', () => new SimulatedStorage()],
];

let directories = 0;

describe.each(kinds)('%s', (_, make) => {
  const begin = async () => {
    const storage = make();
    const directory = join(parent, String(directories++), 'inner');
    await storage.makeDirectory(directory);
    return { storage, directory, path: (name: string) => join(directory, name) };
  };

  test('creates directories with their parents and lists names in order', async () => {
    const { storage, directory, path } = await begin();
    await storage.makeDirectory(directory);
    expect(storage.list(directory)).toEqual([]);
    for (const name of ['b', 'c', 'a']) storage.create(path(name)).close();
    expect(storage.list(directory)).toEqual(['a', 'b', 'c']);
    await storage.syncDirectory(directory);
    expect(() => storage.list(path('none'))).toThrow('ENOENT');
  });

  test('writes, reads and truncates at positions', async () => {
    const { storage, path } = await begin();
    const file = storage.create(path('file'));
    writeAll(file, Uint8Array.of(1, 2, 3, 4), 0);
    writeAll(file, Uint8Array.of(9), 1);
    writeAll(file, Uint8Array.of(7), 6);
    expect(file.size()).toBe(7);
    await file.sync();
    expect(readAll(storage, path('file'))).toEqual(Uint8Array.of(1, 9, 3, 4, 0, 0, 7));
    const part = new Uint8Array(3);
    expect(file.read(part, 5)).toBe(2);
    expect(part).toEqual(Uint8Array.of(0, 7, 0));
    expect(file.read(part, 7)).toBe(0);
    file.truncate(2);
    writeAll(file, Uint8Array.of(5), 3);
    file.close();
    expect(readAll(storage, path('file'))).toEqual(Uint8Array.of(1, 9, 0, 5));
  });

  test('creates only missing files and opens only existing ones', async () => {
    const { storage, path } = await begin();
    expect(() => storage.open(path('file'))).toThrow('ENOENT');
    writeAll(storage.create(path('file')), Uint8Array.of(1), 0);
    expect(() => storage.create(path('file'))).toThrow('EEXIST');
    const file = storage.open(path('file'));
    writeAll(file, Uint8Array.of(2), file.size());
    expect(readAll(storage, path('file'))).toEqual(Uint8Array.of(1, 2));
  });

  test('renames over a file and removes files', async () => {
    const { storage, directory, path } = await begin();
    writeAll(storage.create(path('old')), Uint8Array.of(1), 0);
    writeAll(storage.create(path('new')), Uint8Array.of(2), 0);
    storage.rename(path('new'), path('old'));
    expect(storage.list(directory)).toEqual(['old']);
    expect(readAll(storage, path('old'))).toEqual(Uint8Array.of(2));
    storage.remove(path('old'));
    expect(storage.list(directory)).toEqual([]);
    expect(() => storage.remove(path('old'))).toThrow('ENOENT');
    expect(() => storage.rename(path('old'), path('new'))).toThrow('ENOENT');
  });
});

test('only the owner of the process can read the files', async () => {
  const storage = new DiskStorage();
  const directory = join(parent, 'private');
  await storage.makeDirectory(directory);
  storage.create(join(directory, 'file')).close();
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, 'file')).mode & 0o777).toBe(0o600);
});
