/**
 * npm run bench:soak [-- --minutes N] [--share 0.5] [--connections N] [--accounts N]
 *
 * Sends orders at half the capacity of the exchange for half an hour, in which its memory and descriptors must not
 * grow. Memory may settle in the first third; the slope is fitted to the rest of the samples. Prints a line every
 * minute and one JSON line at the end.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeOrders, openAccounts, withCancels } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    share: { type: 'string', default: '0.5' },
    connections: { type: 'string', default: '256' },
    accounts: { type: 'string', default: '1000' },
  },
});
const seconds = Number(values.minutes) * 60;
const connections = Number(values.connections);
const port = 4305;
/** Orders between cancels of all open orders of an account, so that books do not grow. */
const CANCEL_EVERY = 20;
const CAPACITY_SECONDS = 10;
const SAMPLE_MS = 5000;
const SAMPLES_A_LINE = 12;
const MEGABYTE = 1024 * 1024;

interface Sample {
  readonly minutes: number;
  readonly megabytes: number;
  readonly descriptors: number;
}

const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const processes = new Processes();
try {
  const exchange = await processes.serve(['src/main.ts', 'start'], port, {
    BUTTONWOOD_DATA: join(directory, 'data'),
    BUTTONWOOD_RATE_LIMITS: 'off',
    BUTTONWOOD_MAKERS: 'off',
  });
  const sandbox = JSON.parse(readFileSync(join(directory, 'data/sandbox.json'), 'utf8'));
  const baseUrl = `http://127.0.0.1:${port}`;
  const accounts = await openAccounts(baseUrl, sandbox, Number(values.accounts));
  const orders = join(directory, 'orders.json');
  await Bun.write(
    orders,
    JSON.stringify(withCancels(makeOrders(accounts, 20_000, 1), accounts, CANCEL_EVERY)),
  );
  const capacity = await processes.load(port, orders, CAPACITY_SECONDS, connections);

  const begin = performance.now();
  const samples: Sample[] = [];
  const sampler = setInterval(() => {
    samples.push(takeSample(exchange.pid, (performance.now() - begin) / 60_000));
    if (samples.length % SAMPLES_A_LINE === 0) console.error(JSON.stringify(samples.at(-1)));
  }, SAMPLE_MS);
  const perSecond = capacity.perSecond * Number(values.share);
  const load = await processes.offer(port, orders, perSecond, seconds, connections);
  clearInterval(sampler);

  const settled = samples.slice(Math.ceil(samples.length / 3));
  console.log(
    JSON.stringify({
      minutes: Number(values.minutes),
      capacityPerSecond: Math.round(capacity.perSecond),
      acceptedPerSecond: load.acceptedPerSecond,
      p99Ms: load.p99Ms,
      statuses: load.statuses,
      megabytes: [settled[0]!.megabytes, settled.at(-1)!.megabytes],
      mostMegabytes: Math.max(...samples.map(({ megabytes }) => megabytes)),
      megabytesAnHour: round(60 * slope(settled)),
      descriptors: [settled[0]!.descriptors, settled.at(-1)!.descriptors],
      mostDescriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
    }),
  );
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}

function takeSample(pid: number, minutes: number): Sample {
  const [, kibibytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return {
    minutes: round(minutes),
    megabytes: Math.round((Number(kibibytes) * 1024) / MEGABYTE),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** Returns the slope of memory over time by linear regression, megabytes per minute. */
function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [meanMinutes, meanMegabytes] = [mean((it) => it.minutes), mean((it) => it.megabytes)];
  const covariance = mean((it) => (it.minutes - meanMinutes) * (it.megabytes - meanMegabytes));
  return covariance / mean((it) => (it.minutes - meanMinutes) ** 2);
}
