import { describe, test } from 'bun:test';
import { natsProblem } from './nats.ts';
import { hasPostgres } from './postgres.ts';

/**
 * Tests that need real servers. Where those are not installed they are passed over aloud; in CI, which
 * installs them, they fail.
 */
export function describeWithServers(name: string, tests: () => void): void {
  const problem = natsProblem() ?? (hasPostgres() ? undefined : 'there is no PostgreSQL');
  if (problem === undefined || process.env.CI === 'true') {
    describe(name, tests);
    return;
  }
  console.warn(`${name}: not run, ${problem}; see "Servers for the tests" in CONTRIBUTING.md.`);
  test.skip(name, () => {});
}
