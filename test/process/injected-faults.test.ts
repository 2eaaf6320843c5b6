import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { checkEnd, FAULTS, faultRounds, HISTORY_FAILED } from './injected-faults.ts';
import { describeWithStrace, injecting } from './strace.ts';

const SEED = 20261121;
const pick = (call: string, file: string, error: string) =>
  FAULTS.filter((each) => each.call === call && each.file === file && each.error === error);

describeWithStrace('a system call that fails under load', () => {
  test(`no acknowledgement after it, and nothing lost (seed ${SEED})`, async () => {
    const faults = [...pick('fdatasync', 'log', 'EIO'), ...pick('pwrite64', 'log', 'ENOSPC')];
    const report = await faultRounds(faults, SEED, 16);
    expect(report.rounds).toBe(2);
    expect(report.acknowledgedOrders).toBeGreaterThan(0);
  }, 60_000);

  test('a snapshot that cannot be renamed: reported, and written at the next stop', async () => {
    const directory = temporaryDirectory();
    const data = join(directory.path, 'data');
    const snapshots = () => readdirSync(dataPaths(data).snapshots);
    await (await ExchangeProcess.start(data)).stop();
    const before = snapshots();

    // One order is one batch, after which the next snapshot is taken.
    const next = `${1 + Number.parseInt(before[0]!, 10)}`.padStart(16, '0');
    const path = join(dataPaths(data).snapshots, `${next}.snapshot.part`);
    const fault = { call: 'rename', path, error: 'EIO', when: 1 } as const;
    const watcher = injecting(join(directory.path, 'calls'), fault);
    const exchange = await ExchangeProcess.start(data, {}, [], watcher);
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 };
    const alice = exchange.credential('alice');
    await exchange.send(alice, 'POST', '/api/orders', JSON.stringify(order));
    checkEnd(await exchange.stop(), HISTORY_FAILED);
    expect(snapshots().filter((name) => name.endsWith('.snapshot'))).toEqual(before);

    const again = await ExchangeProcess.start(data);
    const { json } = await again.send(alice, 'GET', '/api/orders');
    expect(json.data.orders).toMatchObject([{ price: 45_000, status: 'open' }]);
    expect((await again.stop()).exitCode).toBe(0);
    expect(snapshots()).toHaveLength(before.length + 1);
    directory.remove();
  }, 60_000);
});
