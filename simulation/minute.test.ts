import { test } from 'bun:test';
import { Coverage } from './coverage.ts';
import { mustPass } from './must-pass.ts';
import { progressLine } from './report.ts';
import { lifeOf } from './run.ts';

/** `npm test` begins its lane of the simulator with the lives beside this one, which end before this seed. */
const FIRST_SEED = 17;
/** From the start of the process on: what those lives leave of a minute is for as many more as there is time for. */
const LIMIT_MS = 60_000;

test(`lives of one node and of many by turns, from seed ${FIRST_SEED} on, for the rest of a minute`, async () => {
  const coverage = new Coverage();
  const began = performance.now();
  let seed = FIRST_SEED;
  do await mustPass({ ...lifeOf(seed++), without: new Set() }, coverage);
  while (performance.now() < LIMIT_MS);
  const seconds = (performance.now() - began) / 1000;
  console.warn(progressLine(coverage, seed - FIRST_SEED, seconds));
}, 600_000);
