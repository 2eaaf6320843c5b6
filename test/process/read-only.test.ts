import { afterAll, expect } from 'bun:test';
import { join } from 'node:path';
import { testWithMount } from '../describe-where-possible.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { onReadOnlyMount, wayToMount } from './mounts.ts';

/** Tests `buttonwood verify` on a data directory mounted read-only, as a backup may be. */

const MAIN = join(import.meta.dir, '../../src/main.ts');
const parent = temporaryDirectory();
afterAll(() => parent.remove());

testWithMount(
  'a sound exchange on a read-only mount is verified, history included',
  wayToMount(onReadOnlyMount),
  async (way) => {
    const path = join(parent.path, 'data');
    const exchange = await ExchangeProcess.start(path);
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 };
    const alice = exchange.credential('alice');
    await exchange.send(alice, 'POST', '/api/orders', JSON.stringify(order));
    await exchange.stop();
    const command = [process.execPath, MAIN, 'verify', '--data', path, '--json'];
    const verified = Bun.spawnSync([...onReadOnlyMount(way, path), ...command]);
    expect(verified.stderr.toString()).toBe('');
    expect(JSON.parse(verified.stdout.toString())).toMatchObject({ sound: true, openOrders: 1 });
    expect(verified.exitCode).toBe(0);
  },
  60_000,
);
