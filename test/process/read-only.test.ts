import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** `buttonwood verify` on a data directory that is mounted read-only, as a backup is. */

setDefaultTimeout(60_000);

const MAIN = join(import.meta.dir, '../../src/main.ts');
const parent = temporaryDirectory();
afterAll(() => parent.remove());

/** Runs a command while a directory is mounted read-only. */
function withReadOnly(directory: string, ...command: string[]) {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const way = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  return Bun.spawnSync(['unshare', ...way, '--mount', 'sh', '-c', mount, directory, ...command]);
}

const name = 'a sound exchange on a read-only mount is verified, history included';
const canMount = Bun.which('unshare') !== null && withReadOnly(parent.path, 'true').exitCode === 0;

if (!canMount) {
  console.warn(`${name}: not run, this machine does not let its users mount.`);
  test.skip(name, () => {});
} else {
  test(name, async () => {
    const path = join(parent.path, 'data');
    const exchange = await ExchangeProcess.start(path);
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 };
    const alice = exchange.credential('alice');
    await exchange.send(alice, 'POST', '/api/orders', JSON.stringify(order));
    await exchange.stop();
    const command = [process.execPath, MAIN, 'verify', '--data', path, '--json'];
    const verified = withReadOnly(path, ...command);
    expect(verified.stderr.toString()).toBe('');
    expect(JSON.parse(verified.stdout.toString())).toMatchObject({ sound: true, openOrders: 1 });
    expect(verified.exitCode).toBe(0);
  });
}
