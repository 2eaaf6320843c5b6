// The order book and its matching on one core: npm run bench:book -- --file F | --wide
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { generate, wide } from '../test/reference/generated.ts';
import { Replay, reportSpace } from '../test/reference/replay.ts';
import { readWorkload, type Workload } from '../test/reference/workload.ts';

const MIN_RUNS = 5;
const MAX_RUNS = 151;
const ENOUGH_MS = 4000;

const { values } = parseArgs({ options: { file: { type: 'string' }, wide: { type: 'boolean' } } });
if (values.wide) measure('wide', generate(wide));
else if (values.file !== undefined) await measureFile(values.file);
else throw new Error('Use --file F or --wide.');

async function measureFile(path: string): Promise<void> {
  const bytes = await Bun.file(path).bytes();
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  measure(basename(path), readWorkload(isZipped ? gunzipSync(bytes) : bytes));
}

function measure(file: string, workload: Workload): void {
  const reports = reportSpace(workload);
  const rates: number[] = [];
  const started = performance.now();
  let replay: Replay;
  do {
    replay = new Replay(workload, reports);
    const start = performance.now();
    replay.run();
    rates.push((workload.count / (performance.now() - start)) * 1000);
  } while (
    rates.length < MIN_RUNS ||
    (rates.length < MAX_RUNS && performance.now() - started < ENOUGH_MS)
  );
  const sorted = rates.toSorted((a, b) => a - b);
  console.log(
    JSON.stringify({
      file,
      messages: workload.count,
      perSecond: Math.round(sorted[sorted.length >> 1]!),
      firstPerSecond: Math.round(rates[0]!),
      runs: rates.length,
      sha256: new Bun.CryptoHasher('sha256').update(replay.text()).digest('hex'),
    }),
  );
}
