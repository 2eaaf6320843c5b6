import { expect, test } from 'bun:test';
import { Coverage } from '../coverage.ts';
import { requirePass } from '../must-pass.ts';
import { progressLine } from '../report.ts';
import { MAX_RUN_COMMANDS, run } from '../run.ts';

/** The number of runs that `npm test` makes on every machine, with two to five nodes. */
const RUNS = Number(process.env.SIMULATION_RUNS ?? 16);
const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 1);
const COMMANDS = 150;
const NOTHING = new Set<never>();

test(`${RUNS} clusters from seed ${FIRST_SEED}, with faults`, async () => {
  const coverage = new Coverage();
  const began = performance.now();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
    const nodes = 2 + (seed % 4);
    await requirePass({ seed, nodes, commands: COMMANDS, without: NOTHING }, coverage);
  }
  console.warn(progressLine(coverage, RUNS, (performance.now() - began) / 1000));
  // Fewer runs may not reach all of this.
  if (RUNS < 16) return;
  expect(coverage.get('event', 'trade')).toBeGreaterThan(RUNS);
  for (const [group, name] of [
    ['message', 'late'],
    ['message', 'repeated'],
    ['message', 'fenced'],
    ['servers', 'leader lost'],
    ['end', 'FencedError'],
    ['archivist', 'history lags far'],
    ['read', 'current'],
    ['answer', 'OutcomeUnknownError'],
    ['answer', 'none'],
    // Some seeds have none: a node whose memory is damaged may end before the others notice.
    ...(FIRST_SEED === 1 ? ([['dispute', 'won']] as const) : []),
  ] as const) {
    expect([group, name, coverage.get(group, name) > 0]).toEqual([group, name, true]);
  }
}, 600_000);

/** Seeds that failed once. Those marked "false" were alarms without a fault of the exchange. */
const ONCE_FAILED = [
  // False. The answered revocation was among the messages that the servers lost, so the key is in force in the log.
  [940003, 4, 'false: a revocation that the servers lost revokes nothing'],
  // False. The process had an acknowledgement of the batch that was lost, so it waited for it for 2 s and then asked
  // for the end of the log for 12 s, answering nothing. The simulator allowed 10 s.
  [950255, 3, 'false: a process that runs alone takes 14 s to notice that its batch is lost'],
  // Node 1 was damaged, voted and ended. Node 2 was damaged 2 s later. Node 4 counted both votes against its own and
  // node 3's, though one of the two was of a process that had ended 4 s before.
  [940093, 4, 'a process that has ended does not outvote a sound node'],
  // The servers lost messages 64 to 67, grew past them, and the log was trimmed up to 66, the last one that node 1 had
  // read. As that could not be read again, node 1 took message 67 of the new log for the next one of the old.
  [940286, 4, 'a node does not continue from a lost log that was trimmed where it stood'],
  // The servers lost message 39, and its publisher sent the same bytes again. A node that had read the first one
  // continued, though the second was late and did nothing.
  [959, 4, 'a message that was lost and sent again is another message'],
  // Both nodes were starting, so that no process appended anything, and waited for a log position that was lost.
  [940686, 3, 'starting nodes do not wait for messages that the servers have lost'],
  // Two damaged nodes confirmed their votes and ended right after it, 5 s before the end of the dispute.
  [940189, 4, 'the vote of a process that ended during the dispute is void'],
  // False. A dispute may last as long as the log stands still, and 5 s; the simulator allowed 10 s.
  [142, 3, 'false: a dispute continues after the log stood still'],
  // False. The others had ended, because they had seen what the servers lost.
  [500592, 3, 'false: the last node that runs cannot learn that its state differs'],
  // False. A join was lost, and the next process of the node joined with the same incarnation.
  [940444, 3, 'false: two processes with one incarnation have commands of their own'],
  // False. While it read its last message again, messages waited that the servers lost before they answered.
  [500203, 4, 'false: a process that reads what was lost has not been replaced there'],
  // False. The others had ended, after some wrote once more; the last node refuses to serve what they wrote after.
  [3177, 5, 'false: a log that others continued after lost messages is refused at each start'],
] as const;

test.each(ONCE_FAILED)(
  'seed %d, %d nodes: %s',
  async (seed, nodes) => {
    const { failure } = await run({ seed, nodes, commands: MAX_RUN_COMMANDS, without: NOTHING });
    expect(failure).toBeUndefined();
  },
  120_000,
);

test('the same seed repeats every step', async () => {
  const one = { seed: 5, nodes: 3, commands: 100, without: NOTHING };
  const [first, again] = [await run(one), await run(one)];
  expect(again.failure).toBeUndefined();
  expect(again.traceHash).toBe(first.traceHash);
}, 120_000);
