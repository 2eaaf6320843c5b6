import { expect, test } from 'bun:test';
import { crashRounds } from './crash.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { OperationSocket } from './operation-socket.ts';

const SEED = 20261121;

test(`three kills under load lose nothing acknowledged and repeat nothing (seed ${SEED})`, async () => {
  const report = await crashRounds(3, SEED, 16);
  expect(report.rounds).toBe(3);
  expect(report.acknowledgedOrders).toBeGreaterThan(0);
  expect(report.acknowledgedCancels).toBeGreaterThan(0);
  expect(report.acknowledgedAmends).toBeGreaterThan(0);
}, 60_000);

test('an exchange that acknowledges before it writes is caught', async () => {
  const flags = ['--preload', './test/process/lose-writes.ts'];
  // If history was written just before the kill, the restart detects the loss itself.
  await expect(crashRounds(3, SEED, 16, undefined, flags)).rejects.toThrow(
    /is lost|acknowledged was|cancel acknowledged|the log has lost batches/,
  );
}, 60_000);

test('a kill cancels the orders of connections that asked for it, and no others', async () => {
  const directory = temporaryDirectory();
  let exchange = await ExchangeProcess.start(directory.path);
  try {
    const alice = exchange.credential('alice');
    const place = async (socket: OperationSocket): Promise<string> => {
      const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 100 };
      return (await socket.send('POST', '/api/orders', JSON.stringify(order))).json.data.orderId;
    };
    const connected = await place(await OperationSocket.open(exchange.baseUrl, alice, true));
    const other = await place(await OperationSocket.open(exchange.baseUrl, alice));
    await exchange.kill();
    exchange = await ExchangeProcess.start(directory.path);
    const order = async (id: string) =>
      (await exchange.send(alice, 'GET', `/api/orders/${id}`)).json.data;
    expect(await order(connected)).toMatchObject({ status: 'canceled', reason: 'disconnected' });
    expect(await order(other)).toMatchObject({ status: 'open', reason: null });
    await exchange.stop();
  } finally {
    await exchange.kill();
    directory.remove();
  }
}, 60_000);
