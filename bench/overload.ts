/**
 * npm run bench:overload [-- --seconds N] [--connections N] [--accounts N]
 *
 * What becomes of an exchange that is sent more orders than it can take: its capacity in a closed
 * loop first, then 1.1, 2, 3 and 5 times as many a second in an open loop, each followed by a pause of
 * 2 s, then half of what it can take, to see it as before. Exchange and load are processes of their
 * own. Prints one JSON line.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeOrders, openAccounts } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    connections: { type: 'string', default: '4096' },
    accounts: { type: 'string', default: '1000' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const TIMES = [0.5, 1.1, 2, 3, 5];
const port = 4304;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const processes = new Processes();

try {
  await processes.serve(['src/main.ts', 'start'], port, {
    BUTTONWOOD_DATA: join(directory, 'data'),
    BUTTONWOOD_RATE_LIMITS: 'off',
    BUTTONWOOD_MAKERS: 'off',
  });
  const sandbox = JSON.parse(readFileSync(join(directory, 'data/sandbox.json'), 'utf8'));
  const accounts = await openAccounts(`http://127.0.0.1:${port}`, sandbox, Number(values.accounts));
  const orders = join(directory, 'orders.json');
  await Bun.write(orders, JSON.stringify(makeOrders(accounts, 20_000, 1)));

  const capacity = await processes.load(port, orders, seconds, 256);
  const offer = (times: number, forSeconds: number) =>
    processes.offer(port, orders, capacity.perSecond * times, forSeconds, connections);
  const curve = [];
  for (const times of TIMES) {
    const result = await offer(times, seconds);
    curve.push({
      times,
      ...result,
      goodput: round(
        result.acceptedPerSecond / Math.min(capacity.perSecond, result.offeredPerSecond),
      ),
    });
    await Bun.sleep(2000);
  }
  const after = await offer(0.5, 10);
  console.log(
    JSON.stringify({
      capacityPerSecond: Math.round(capacity.perSecond),
      capacityP99Ms: round(capacity.p99Ms),
      curve,
      after,
      connections,
      seconds,
    }),
  );
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}
