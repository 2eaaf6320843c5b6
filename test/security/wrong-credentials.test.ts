import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/storage/seeded-random.ts';
import { attack } from './in-process.ts';
import { attackOverSockets } from './over-sockets.ts';

const SEED = 7;

test('no wrong credentials are accepted, and each gets its code', async () => {
  const tally = await attack(6000, seededRandom(SEED));
  expect(tally.wrong.slice(0, 5)).toEqual([]);
  expect([...tally.answers.keys()].sort()).toEqual([
    '401 UNAUTHORIZED',
    '403 BROWSER_NOT_ALLOWED',
    '403 INSUFFICIENT_PERMISSIONS',
    '403 IP_NOT_ALLOWED',
    '429 RATE_LIMIT_EXCEEDED',
  ]);
});

test('no wrong credentials are accepted over sockets, next to an honest client', async () => {
  const tally = await attackOverSockets(600, seededRandom(SEED));
  expect(tally.wrong.slice(0, 5)).toEqual([]);
  expect(tally.honestMs.length).toBeGreaterThan(0);
}, 60_000);
