import { PORTION } from '../src/engine/limits.ts';
import { SMALL_PORTION, setPortion } from '../test/portions.ts';
import { rememberLittle } from '../test/reference/little-memory.ts';
import { ClusterRun } from './cluster/cluster-run.ts';
import { Coverage } from './coverage.ts';
import type { AnyFaultKind } from './fault-kinds.ts';
import { SimulatedRun } from './simulated-run.ts';

/** Maximum commands of a run: the reference slows down as its state grows. */
export const MAX_RUN_COMMANDS = 600;

/** The parameters that determine a run. */
export interface Case {
  readonly seed: number;
  /** 1 for a node with its own log, more for a cluster. */
  readonly nodes: number;
  readonly commands: number;
  readonly without: ReadonlySet<AnyFaultKind>;
}

export interface Result {
  readonly case: Case;
  readonly failure: Error | undefined;
  /** Commands submitted after those that set up the exchange. */
  readonly submitted: number;
  readonly coverage: Coverage;
  /** A hash of all steps. */
  readonly traceHash: string;
  /** The last steps, oldest first. */
  readonly lastSteps: readonly string[];
}

/** Runs a case. */
export async function run(one: Case): Promise<Result> {
  const coverage = new Coverage();
  const simulated =
    one.nodes === 1 ? new SimulatedRun({ ...one, coverage }) : new ClusterRun({ ...one, coverage });
  const restorePortion = setPortion(one.seed % 4 === 0 ? PORTION : SMALL_PORTION);
  let failure: Error | undefined;
  const restore = rememberLittle();
  try {
    await simulated.run();
  } catch (error) {
    failure = error as Error;
  } finally {
    restore();
    restorePortion();
  }
  const lastSteps = simulated.trace.tail();
  const { submitted } = simulated;
  coverage.count('commands', one.nodes === 1 ? 'single node' : 'cluster', submitted);
  return { case: one, failure, submitted, coverage, traceHash: simulated.trace.hash(), lastSteps };
}

/** Returns the case of a seed: every other one is of a cluster. */
export function defaultCase(seed: number): Omit<Case, 'without'> {
  const clusterSize = 2 + ((seed >> 1) % 4);
  return { seed, nodes: seed % 2 === 0 ? clusterSize : 1, commands: MAX_RUN_COMMANDS };
}

/** Yields the cases that add up to a number of commands, with seed, seed + 1 and so on. */
export function* splitCase(total: Case): Generator<Case> {
  let left = total.commands;
  for (let { seed } = total; left > 0; seed++) {
    const commands = Math.min(MAX_RUN_COMMANDS, left);
    yield { ...total, seed, commands };
    left -= commands;
  }
}
