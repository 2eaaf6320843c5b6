import fc from 'fast-check';

const factor = Number(process.env.BUTTONWOOD_TEST_RUNS ?? 1);

/** Bounds a hang of any property at its own number of runs or fewer, on a slow machine too; more have as much more. */
export const CHECK_TIMEOUT_MS = 60_000 * Math.max(1, factor);

/** Tries a property `numRuns` times; BUTTONWOOD_TEST_RUNS=50 tries each fifty times as often. */
export function check<T>(property: fc.IProperty<T>, numRuns: number): void {
  fc.assert(property, { numRuns: runs(numRuns), includeErrorInReport: true });
}

/** The same for a property that is awaited. */
export async function checkAsync<T>(
  property: fc.IAsyncProperty<T>,
  numRuns: number,
): Promise<void> {
  await fc.assert(property, { numRuns: runs(numRuns), includeErrorInReport: true });
}

/** As many as a test says, times BUTTONWOOD_TEST_RUNS. */
export function runs(times: number): number {
  return Math.ceil(times * factor);
}
