import { describeWherePossible } from '../describe-where-possible.ts';
import { natsProblem } from './nats.ts';
import { hasPostgres } from './postgres.ts';

/**
 * Tests that need real servers. Where those are not installed they are passed over aloud; in CI, which
 * installs them, they fail.
 */
export function describeWithServers(name: string, tests: () => void): void {
  const problem = natsProblem() ?? (hasPostgres() ? undefined : 'there is no PostgreSQL');
  const advice = 'see "Servers for the tests" in CONTRIBUTING.md';
  describeWherePossible(name, problem, advice, tests);
}
