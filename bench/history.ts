/**
 * npm run bench:history [-- --orders N]
 *
 * Measures the first page of GET /api/orders for a busy account, as the archivist answers it, with N final
 * orders in the store, a tenth of them of that account. Prints one JSON line, which includes the time to write
 * a row and to compute its checksum.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, CommandKind } from '../src/engine/command.ts';
import type { OrderRecord } from '../src/engine/event.ts';
import { checksumRow } from '../src/history/database/checksum.ts';
import type { Value } from '../src/history/database/database.ts';
import { History } from '../src/history/history.ts';
import { ordersTable } from '../src/history/tables/orders.ts';

const { values } = parseArgs({ options: { orders: { type: 'string', default: '10000000' } } });
const ORDERS = Number(values.orders);
const ORDERS_PER_COMMIT = 25_000;
const OTHERS = 10_000;
const BUSY = 0;
const QUESTIONS = 2000;
const TICK: Command = { kind: CommandKind.tick };

const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-history-'));
try {
  const url = `sqlite://${join(directory, 'history.sqlite')}`;
  const filling = await History.open(url);
  const startedAt = performance.now();
  await fill(filling);
  const writeMicros = ((performance.now() - startedAt) * 1000) / ORDERS;
  await filling.close();
  const history = await History.open(url);
  const times: number[] = [];
  for (let n = 0; n < QUESTIONS; n++) {
    const start = performance.now();
    await history.finalOrders({ account: BUSY, descending: true, limit: 101 });
    times.push(performance.now() - start);
  }
  await history.close();
  times.sort((a, b) => a - b);
  const at = (part: number) => Number(times[Math.floor(part * QUESTIONS)]!.toFixed(3));
  const checksumMicros = checksumCost();
  const report = {
    orders: ORDERS,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    writeMicros: Number(writeMicros.toFixed(2)),
    checksumMicros: Number(checksumMicros.toFixed(2)),
    writeRatio: Number((writeMicros / (writeMicros - checksumMicros)).toFixed(3)),
  };
  console.log(JSON.stringify(report));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Measures the checksums of the same number of rows. Returns microseconds per row. */
function checksumCost(): number {
  const { length } = ordersTable.columns;
  let tookMs = 0;
  let sum = 0;
  for (let id = 1; id <= ORDERS; id += ORDERS_PER_COMMIT) {
    const rows = Array.from({ length: ORDERS_PER_COMMIT }, (_, index) => {
      const row: Value[] = [];
      const order = makeOrder(id + index);
      ordersTable.write({ account: order.account, order, endedIn: id }, row, 0);
      return row;
    });
    const startedAt = performance.now();
    for (const row of rows) sum += checksumRow(row, 0, length);
    tookMs += performance.now() - startedAt;
  }
  if (!(sum > 0)) throw new Error('no checksum was computed');
  return (tookMs * 1000) / ORDERS;
}

async function fill(history: History): Promise<void> {
  for (let id = 1, sequence = 1; id <= ORDERS; sequence++) {
    const orders: OrderRecord[] = [];
    for (; id <= ORDERS && orders.length < ORDERS_PER_COMMIT; id++) orders.push(makeOrder(id));
    history.record(sequence, 0, orders.at(-1)!.createdAt, TICK, { kind: 'done' }, orders);
    await history.commit(sequence, new Uint8Array(32));
  }
}

function makeOrder(id: number): OrderRecord {
  const time = 1_700_000_000_000 + id;
  return {
    kind: 'order',
    attached: null,
    parentId: 0,
    id,
    key: 0,
    market: id % 4,
    side: id % 2 === 0 ? 0 : 1,
    type: 0,
    account: id % 10 === 0 ? BUSY : 1 + ((id * 7919) % OTHERS),
    timeInForce: 0,
    postOnly: false,
    selfTradePrevention: 0,
    triggerPrice: 0,
    price: 11_800_000,
    amount: 1_000_000,
    remaining: 0,
    cost: 0,
    filledCost: 11_800_000_000_000,
    fees: 1000,
    status: 1 + (id % 3),
    reason: 0,
    clientOrderId: null,
    createdAt: time,
    updatedAt: time,
    lastFillAt: time,
    expiresAt: 0,
  };
}
