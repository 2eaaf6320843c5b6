import { expect, spyOn, test } from 'bun:test';
import { Exchange } from '../src/engine/exchange.ts';
import { Coverage } from './coverage.ts';
import { requirePass } from './must-pass.ts';
import { progressLine } from './report.ts';
import { type Case, run, splitCase } from './run.ts';

/** The commands that `npm test` runs on every machine; further runs fill the rest of a minute. */
const COMMANDS = Number(process.env.SIMULATION_COMMANDS ?? 15_000);
const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 40);
const NOTHING = new Set<never>();

test(`${COMMANDS} commands from seed ${FIRST_SEED} on, with faults`, async () => {
  const coverage = new Coverage();
  const began = performance.now();
  let runs = 0;
  for (const one of splitCase({
    seed: FIRST_SEED,
    nodes: 1,
    commands: COMMANDS,
    without: NOTHING,
  })) {
    await requirePass(one, coverage);
    runs++;
  }
  console.warn(progressLine(coverage, runs, (performance.now() - began) / 1000));
  // Fewer commands may not reach all of this.
  if (COMMANDS < 6_000) return;
  expect(coverage.get('event', 'trade')).toBeGreaterThan(COMMANDS / 50);
  expect(coverage.total('crash')).toBeGreaterThan(COMMANDS / 300);
  expect(coverage.total('refusal')).toBeGreaterThan(COMMANDS / 1000);
  for (const what of ['sweep of an account', 'triggered orders', 'orders past their date']) {
    expect([what, coverage.get('left for a portion', what)]).not.toEqual([what, 0]);
  }
  expect(coverage.get('recovery', 'batch in flight kept')).toBeGreaterThan(0);
  expect(coverage.get('recovery', 'commands in flight lost')).toBeGreaterThan(0);
  expect(coverage.get('recovery', 'connections ended')).toBeGreaterThan(0);
  expect(coverage.get('order reason', 'disconnected')).toBeGreaterThan(0);
  for (const status of ['credited', 'reversed', 'review', 'frozen']) {
    expect([status, coverage.get('deposit', status)]).not.toEqual([status, 0]);
  }
  for (const status of ['delayed', 'awaiting_approval', 'sending', 'confirmed', 'failed']) {
    expect([status, coverage.get('withdrawal', status)]).not.toEqual([status, 0]);
  }
}, 600_000);

// Cases that failed once.
test.each([
  [10059, 337, 'a flipped bit that looks like a torn write'],
  [30077, 600, 'a segment with a torn header holds nothing to damage'],
])(
  'seed %d, %d commands: %s',
  async (seed, commands) => {
    const { failure } = await run({ seed, nodes: 1, commands, without: NOTHING });
    expect(failure).toBeUndefined();
  },
  120_000,
);

test('the same seed repeats every step', async () => {
  const one = { seed: 77, nodes: 1, commands: 150, without: NOTHING };
  const [first, again] = [await run(one), await run(one)];
  expect(again.failure).toBeUndefined();
  expect(again.traceHash).toBe(first.traceHash);
  const { traceHash } = await run({ ...one, seed: 78 });
  expect(traceHash).not.toBe(first.traceHash);
}, 120_000);

test('a failure reports its seed, its commit and the shortest run that still fails', async () => {
  const apply = Exchange.prototype.apply;
  const planted = spyOn(Exchange.prototype, 'apply').mockImplementation(function (
    this: Exchange,
    ...of: Parameters<typeof apply>
  ) {
    if (this.state.orders.size >= 3) throw new Error('planted: three open orders');
    return apply.apply(this, of);
  });
  try {
    const one = { seed: 8, nodes: 1, commands: 60, without: NOTHING };
    const text = await requirePass(one, new Coverage()).then(
      () => 'passed',
      (error: Error) => error.message,
    );
    expect(text).toContain('planted: three open orders');
    const git = ['git', 'rev-parse', 'HEAD'];
    const isClone = Bun.spawnSync(git, { cwd: import.meta.dir, stderr: 'ignore' }).success;
    expect(/commands, at commit [0-9a-f]{7,}\n/.test(text)).toBe(isClone);
    const report =
      /FAILED with seed 8 after (\d+) commands[\s\S]*--seed 8 --commands (\d+) --without (\S+)\n/;
    const [, commands, same, without] = report.exec(text)!;
    expect([same, Number(commands) < 60]).toEqual([commands!, true]);
    const shortest = { ...one, commands: Number(commands), without: new Set(without!.split(',')) };
    const failureAfter = async (count: number) =>
      (await run({ ...shortest, commands: count } as Case)).failure;
    expect(await failureAfter(shortest.commands)).toBeDefined();
    expect(await failureAfter(shortest.commands - 1)).toBeUndefined();
  } finally {
    planted.mockRestore();
  }
}, 120_000);
