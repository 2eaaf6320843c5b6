// Attacks the exchange with wrong credentials: npm run test:credentials -- [--attempts N] [--sockets N] [--seed N]
import { seededRandom } from '../../src/storage/seeded-random.ts';
import { wholeArguments } from '../whole-arguments.ts';
import { attack } from './in-process.ts';
import { attackOverSockets } from './over-sockets.ts';

/** Default attempts. The records of addresses, at most about 26 MB, are full after a third of them. */
const MAX_GROWTH_BYTES = 16 * 1024 * 1024;
const { attempts, sockets, seed } = wholeArguments(
  'npm run test:credentials -- [--attempts N] [--sockets N] [--seed N]',
  {
    attempts: { default: 1_000_000, least: 1 },
    sockets: { default: 100_000, least: 1 },
    seed: { default: Date.now() % 1_000_000, least: 0 },
  },
);
console.log(`seed ${seed}`);

const { heap, ...inProcess } = await attack(attempts, seededRandom(seed));
report('in process', inProcess, heap, `${inProcess.honest} honest requests served`);
const { resident, honestMs, ...overSockets } = await attackOverSockets(sockets, seededRandom(seed));
const slowest = Math.max(...honestMs).toFixed(0);
report(
  ...(['over sockets', overSockets, resident] as const),
  `${honestMs.length} honest requests served, the slowest in ${slowest} ms`,
);

function report(
  where: string,
  { attempts, answers, wrong }: Pick<typeof inProcess, 'attempts' | 'answers' | 'wrong'>,
  { early, late }: typeof heap,
  honest: string,
): void {
  const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  console.log(`${where}: ${attempts} attempts, ${honest}`);
  for (const [answer, count] of answers) console.log(`  ${answer}: ${count}`);
  console.log(`  memory after a third ${mib(early)} MiB, after all ${mib(late)} MiB`);
  if (wrong.length > 0) fail(`${wrong.length} wrong answers:\n${wrong.slice(0, 20).join('\n')}`);
  if (late - early > MAX_GROWTH_BYTES) fail('memory grows with the attempts');
}

function fail(reason: string): never {
  console.error(`failed: ${reason}`);
  process.exit(1);
}
