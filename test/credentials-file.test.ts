import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { State } from '../src/engine/state.ts';
import {
  type CredentialsFile,
  completeCredentials,
  readCredentials,
  writeCredentials,
} from '../src/sandbox/credentials-file.ts';
import { readAll } from '../src/storage/storage.ts';
import { SimulatedStorage } from '../src/testing/simulated-storage.ts';

const PATH = '/data/operator.json';
/** A power loss that removes everything unsynced. */
const LOSES_ALL = () => 0;
const file = (baseUrl: string): CredentialsFile => ({
  baseUrl,
  accounts: [{ name: 'operator', apiKey: 'k', apiSecret: 's', permissions: ['operate'] }],
});

function read(storage: SimulatedStorage): unknown {
  return JSON.parse(Buffer.from(readAll(storage, PATH)).toString());
}

test('a credentials file survives a power loss completely once it is written', async () => {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/data');
  await writeCredentials(storage, PATH, file('first'));
  expect(read(storage.afterPowerLoss(LOSES_ALL))).toEqual(file('first'));
  await writeCredentials(storage, PATH, file('second'));
  expect(read(storage.afterPowerLoss(LOSES_ALL))).toEqual(file('second'));
  expect(storage.list('/data')).toEqual(['operator.json']);
});

test('a failed write leaves the old file, and the next one succeeds', async () => {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/data');
  await writeCredentials(storage, PATH, file('first'));
  storage.onOperation = ({ kind }) => {
    if (kind === 'sync') throw new Error('no space');
    return undefined;
  };
  await expect(writeCredentials(storage, PATH, file('second'))).rejects.toThrow('no space');
  expect(read(storage)).toEqual(file('first'));
  storage.onOperation = undefined;
  await writeCredentials(storage, PATH, file('third'));
  expect(read(storage.afterPowerLoss(LOSES_ALL))).toEqual(file('third'));
});

test.each(['users', 'people'])('users under the name %s are kept, and written as users', (name) => {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-'));
  try {
    const path = join(directory, 'sandbox.json');
    const users = [{ email: 'alice@buttonwood.test', password: 'five-words' }];
    writeFileSync(path, JSON.stringify({ ...file('first'), [name]: users }));
    const known = readCredentials(path);
    expect(known).toEqual({ ...file('first'), users });
    const completed = completeCredentials(known, [], 'second', new State(), () => 0, randomBytes);
    expect(completed).toEqual({ file: { baseUrl: 'second', accounts: [], users }, commands: [] });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
