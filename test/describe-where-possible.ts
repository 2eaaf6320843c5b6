import { describe, test } from 'bun:test';

/**
 * Tests that need what a developer's machine may lack. There they are passed over aloud; in CI, which installs it,
 * they fail.
 * @param problem Why they cannot run here, undefined where they can.
 * @param advice What to do about it.
 */
export function describeWherePossible(
  name: string,
  problem: string | undefined,
  advice: string,
  tests: () => void,
): void {
  if (problem === undefined || process.env.CI) {
    describe(name, tests);
    return;
  }
  console.warn(`${name}: not run, ${problem}; ${advice}.`);
  test.skip(name, () => {});
}
