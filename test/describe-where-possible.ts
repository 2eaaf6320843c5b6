import { describe, test } from 'bun:test';

/**
 * Runs tests that need software that a developer's machine may lack. Without it they are skipped with a printed reason;
 * in CI, which installs it, they fail.
 * @param problem Why they cannot run here; undefined if they can.
 * @param advice How to make them run.
 */
export function describeWherePossible(
  name: string,
  problem: string | undefined,
  advice: string,
  tests: () => void,
): void {
  if (problem === undefined || process.env.CI) describe(name, tests);
  else skip(name, `${problem}; ${advice}`);
}

/**
 * Runs a test that needs the right to mount. A container may withhold it, and nothing that runs inside can grant it:
 * without it the test is skipped with a printed reason, in CI too.
 * @param way A way to mount that works here; undefined if none does.
 */
export function testWithMount<Way>(
  name: string,
  way: Way | undefined,
  run: (way: Way) => Promise<void>,
  timeoutMs: number,
): void {
  if (way !== undefined) test(name, () => run(way), timeoutMs);
  else skip(name, 'this machine does not let its users mount');
}

function skip(name: string, reason: string): void {
  console.warn(`${name}: not run, ${reason}.`);
  test.skip(name, () => {});
}
