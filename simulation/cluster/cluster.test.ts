import { expect, test } from 'bun:test';
import { Coverage } from '../coverage.ts';
import { mustPass } from '../must-pass.ts';
import { progressLine } from '../report.ts';
import { run } from '../run.ts';

/** What `npm test` runs of it on every machine, in lives: some of two nodes, some of up to five. */
const LIVES = Number(process.env.SIMULATION_LIVES ?? 16);
const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 1);
const COMMANDS = 150;
const NOTHING = new Set<never>();

test(`${LIVES} exchanges of many nodes from seed ${FIRST_SEED} on, with faults`, async () => {
  const coverage = new Coverage();
  const began = performance.now();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + LIVES; seed++) {
    const nodes = 2 + (seed % 4);
    await mustPass({ seed, nodes, commands: COMMANDS, without: NOTHING }, coverage);
  }
  console.warn(progressLine(coverage, LIVES, (performance.now() - began) / 1000));
  // Fewer lives may see less of it.
  if (LIVES < 16 || FIRST_SEED !== 1) return;
  expect(coverage.of('event', 'trade')).toBeGreaterThan(LIVES);
  for (const [group, name] of [
    ...[
      ['message', 'late'] as const,
      ['message', 'repeated'] as const,
      ['message', 'fenced'] as const,
    ],
    ...[['servers', 'leader lost'] as const, ['end', 'FencedError'] as const],
    ...[['archivist', 'history far behind'] as const],
    ...[['dispute', 'won'] as const, ['read', 'current'] as const],
    ...[['answer', 'OutcomeUnknownError'] as const, ['answer', 'none'] as const],
  ]) {
    expect([group, name, coverage.of(group, name) > 0]).toEqual([group, name, true]);
  }
}, 600_000);

test('the same seed does the same, to the last step', async () => {
  const one = { seed: 5, nodes: 3, commands: 100, without: NOTHING };
  const [first, again] = [await run(one), await run(one)];
  expect(again.failure).toBeUndefined();
  expect(again.traceHash).toBe(first.traceHash);
}, 120_000);
