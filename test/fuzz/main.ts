// npm run test:fuzz -- --requests 1000000 --seed 1 [--world 17]
import { parseArgs } from 'node:util';
import { Coverage, fuzz, REQUESTS_A_WORLD } from './rest.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    world: { type: 'string' },
  },
});
const seed = Number(values.seed);
const world = values.world === undefined ? 0 : Number(values.world);
const requests =
  values.world === undefined ? Number(values.requests) : (world + 1) * REQUESTS_A_WORLD;

const coverage = new Coverage();
const startMs = performance.now();
await fuzz(seed, requests, coverage, report, world);
const total = (code: string) => `${code === '' ? 'success' : code} ${coverage.total(code)}`;
const codes = [...new Set([...coverage.codes.values()].flatMap((each) => [...each.keys()]))];
console.log(`\n${codes.sort().map(total).join('\n')}`);
if (values.world === undefined && coverage.missing.length > 0) {
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
