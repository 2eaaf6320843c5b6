// Runs the tests of the clients of Binance; with --all also those that take long or need large packages, with --ci only those of
// them that CI runs in addition to npm test.
import { inherited } from '../process/inherited.ts';

const args = process.argv.slice(2);
const runs = { '--all': 'all', '--ci': 'CI' } as const;
const chosen = Object.entries(runs).find(([option]) => args.includes(option))?.[1];
const others = args.filter((argument) => !Object.hasOwn(runs, argument));
const child = Bun.spawn(
  [process.execPath, 'test', '--timeout=300000', './test/ecosystem', ...others],
  {
    env: { ...inherited(), ...(chosen === undefined ? {} : { ECOSYSTEM: chosen }) },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
process.exit(await child.exited);
