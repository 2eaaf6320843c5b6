import { PORTION } from '../src/engine/limits.ts';
import { SMALL_PORTION, setPortion } from '../test/portions.ts';
import { rememberLittle } from '../test/reference/little-memory.ts';
import { ClusterRun } from './cluster/cluster-run.ts';
import { Coverage } from './coverage.ts';
import type { AnyFaultKind } from './fault-kinds.ts';
import { SimulatedRun } from './simulated-run.ts';

/** A life is so long at most: the reference takes longer the more there is. */
export const LIFE_COMMANDS = 600;

/** All that decides what happens in a life. */
export interface Case {
  readonly seed: number;
  /** One with a log of its own, or more that share one. */
  readonly nodes: number;
  readonly commands: number;
  readonly without: ReadonlySet<AnyFaultKind>;
}

export interface Result {
  readonly case: Case;
  readonly failure: Error | undefined;
  /** Commands that were submitted, beside those that begin the exchange. */
  readonly submitted: number;
  readonly coverage: Coverage;
  /** Equal for two runs that did the same, to the last step. */
  readonly traceHash: string;
  /** The last steps, oldest first. */
  readonly lastSteps: readonly string[];
}

/** Runs one life. */
export async function run(one: Case): Promise<Result> {
  const coverage = new Coverage();
  const life =
    one.nodes === 1 ? new SimulatedRun({ ...one, coverage }) : new ClusterRun({ ...one, coverage });
  const restorePortion = setPortion(one.seed % 4 === 0 ? PORTION : SMALL_PORTION);
  let failure: Error | undefined;
  const restore = rememberLittle();
  try {
    await life.run();
  } catch (error) {
    failure = error as Error;
  } finally {
    restore();
    restorePortion();
  }
  const lastSteps = life.trace.tail();
  const { submitted } = life;
  coverage.count('commands', one.nodes === 1 ? 'of one node' : 'of many nodes', submitted);
  return { case: one, failure, submitted, coverage, traceHash: life.trace.hash(), lastSteps };
}

/** The life of a seed where nothing else is said: every other one is of many nodes. */
export function lifeOf(seed: number): Omit<Case, 'without'> {
  const many = 2 + ((seed >> 1) % 4);
  return { seed, nodes: seed % 2 === 0 ? many : 1, commands: LIFE_COMMANDS };
}

/** The lives that a number of commands takes: seed, seed + 1 and so on. */
export function* casesOf(total: Case): Generator<Case> {
  let left = total.commands;
  for (let { seed } = total; left > 0; seed++) {
    const commands = Math.min(LIFE_COMMANDS, left);
    yield { ...total, seed, commands };
    left -= commands;
  }
}
