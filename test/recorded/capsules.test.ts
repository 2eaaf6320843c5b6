import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { segmentName } from '../../src/log/file-log.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import type { Recorded } from './recording.ts';

const parent = mkdtempSync(join(tmpdir(), 'buttonwood-recorded-capsules-'));
afterAll(() => rmSync(parent, { recursive: true }));

/** Runs a command that must succeed. @returns Its output as JSON. */
async function run(...args: string[]) {
  const { exitCode, out, error } = await runForTest([...args, '--json']);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  return JSON.parse(out);
}

const versions = readdirSync(import.meta.dir).filter((name) => /^v\d+$/.test(name));

describe.each(versions)('logs of engine version %s', (version) => {
  const directory = join(import.meta.dir, version);
  const expected: Record<string, Recorded> = JSON.parse(
    readFileSync(join(directory, 'expected.json'), 'utf8'),
  );

  test.each(Object.keys(expected))('the capsule of %s is equal, and so is a fork', async (name) => {
    const data = join(parent, version, name);
    mkdirSync(join(data, 'log'), { recursive: true });
    const segment = gunzipSync(readFileSync(join(directory, name)));
    writeFileSync(join(data, 'log', segmentName(1)), segment);
    const file = `${data}.capsule`;
    const { stateHash } = await run('capsule', file, '--data', data);
    expect(stateHash).toBe(expected[name]!.end);
    expect(await run('capsule', 'run', file)).toMatchObject({ equal: true, stateHash });
    const forked = await run('fork', '--data', data, '--to', `${data}.fork`);
    expect(forked.sourceStateHash).toBe(stateHash);
  });
});

// Never written again: later releases must read it.
test('a capsule of format 1 and engine version 1 is equal', async () => {
  const file = join(import.meta.dir, 'format-1.capsule');
  expect(await run('capsule', 'run', file)).toMatchObject({ equal: true, title: 'Format 1' });
});
