import { test } from 'bun:test';
import { Coverage } from './coverage.ts';
import { requirePass } from './must-pass.ts';
import { progressLine } from './report.ts';
import { defaultCase } from './run.ts';

/** `npm test` starts its simulator lane with the runs of the other tests here, whose seeds are below this one. */
const FIRST_SEED = 57;
/** Counted from the start of the process: more runs fill the rest of the minute. */
const LIMIT_MS = 60_000;

test(`single-node and cluster runs by turns, from seed ${FIRST_SEED}, for the rest of a minute`, async () => {
  const coverage = new Coverage();
  const began = performance.now();
  let seed = FIRST_SEED;
  do await requirePass({ ...defaultCase(seed++), without: new Set() }, coverage);
  while (performance.now() < LIMIT_MS);
  const seconds = (performance.now() - began) / 1000;
  console.warn(progressLine(coverage, seed - FIRST_SEED, seconds));
}, 600_000);
