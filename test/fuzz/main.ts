// npm run test:fuzz -- --requests 1000000 --seed 1 [--world 17]
import { wholeArguments } from '../whole-arguments.ts';
import { Coverage, fuzz, REQUESTS_A_WORLD } from './rest.ts';

const given = wholeArguments('npm run test:fuzz -- [--requests N] [--seed S] [--world N]', {
  requests: { default: 1_000_000, least: 1 },
  seed: { default: 1, least: 0 },
  world: { least: 0 },
});
const { seed } = given;
const isOneWorld = given.world !== undefined;
const world = given.world ?? 0;
const requests = isOneWorld ? (world + 1) * REQUESTS_A_WORLD : given.requests;

const coverage = new Coverage();
const startMs = performance.now();
await fuzz(seed, requests, coverage, report, world);
const total = (code: string) => `${code === '' ? 'success' : code} ${coverage.total(code)}`;
const codes = [...new Set([...coverage.codes.values()].flatMap((each) => [...each.keys()]))];
console.log(`\n${codes.sort().map(total).join('\n')}`);
if (!isOneWorld && coverage.missing.length > 0) {
  console.log(`not reached:\n${coverage.missing.join('\n')}`);
  process.exit(1);
}

function report(): void {
  const seconds = (performance.now() - startMs) / 1000;
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
  const rate = Math.round(coverage.requests / seconds);
  const line = `${coverage.requests} requests, ${Math.round(seconds)} s, ${rate}/s, ${memory} MiB, seed ${seed}`;
  console.log(line);
}
