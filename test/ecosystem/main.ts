// Runs the tests of the clients of Binance; with --all also those that take long or need large packages.
import { inherited } from '../process/inherited.ts';

const args = process.argv.slice(2);
const others = args.filter((argument) => argument !== '--all');
const child = Bun.spawn(
  [process.execPath, 'test', '--timeout=300000', './test/ecosystem', ...others],
  {
    env: { ...inherited(), ...(others.length < args.length ? { ECOSYSTEM: 'all' } : {}) },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
process.exit(await child.exited);
