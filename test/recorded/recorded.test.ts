import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Recorded, replayLog } from './recording.ts';

const versions = readdirSync(import.meta.dir).filter((name) => /^v\d+$/.test(name));

test('logs of the first engine version are kept', () => {
  expect(versions).toContain('v1');
});

describe.each(versions)('logs of engine version %s', (version) => {
  const directory = join(import.meta.dir, version);
  const expected: Record<string, Recorded> = JSON.parse(
    readFileSync(join(directory, 'expected.json'), 'utf8'),
  );

  test.each(Object.keys(expected))('%s replays to the same bytes', async (name) => {
    const segment = gunzipSync(readFileSync(join(directory, name)));
    expect(await replayLog(segment)).toEqual(expected[name]!);
  });
});
