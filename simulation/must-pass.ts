import type { Coverage } from './coverage.ts';
import { failureText } from './report.ts';
import { type Case, run } from './run.ts';
import { shrink } from './shrink.ts';

/**
 * Runs a case and adds its counts to `coverage`.
 * @throws Error with the seed, the commit and the shortest run that still fails.
 */
export async function requirePass(one: Case, coverage: Coverage): Promise<void> {
  const result = await run(one);
  if (result.failure !== undefined) throw new Error(failureText(await shrink(result)));
  coverage.add(result.coverage);
}
