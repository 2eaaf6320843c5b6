import { describeWherePossible } from '../describe-where-possible.ts';
import { natsProblem } from './nats.ts';
import { hasPostgres } from './postgres.ts';

/**
 * Declares tests that need real servers. Without them the tests are skipped with a message; in CI, which installs them,
 * they fail.
 */
export function describeWithServers(name: string, tests: () => void): void {
  const problem = natsProblem() ?? (hasPostgres() ? undefined : 'PostgreSQL is not installed');
  const advice = 'see "Servers for the tests" in CONTRIBUTING.md';
  describeWherePossible(name, problem, advice, tests);
}
