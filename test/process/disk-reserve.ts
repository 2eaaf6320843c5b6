/**
 * Runs an exchange on a small in-memory disk that becomes full, and prints its answers. `disk-reserve.test.ts` runs it
 * in a separate mount namespace.
 *
 * disk-reserve.ts DIRECTORY
 */
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-ports.ts';
import { ExchangeProcess } from './exchange-process.ts';

const MIB = 1024 * 1024;
const OPEN_ORDERS = 500;
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.0001, price: 45_000 };

async function run(directory: string) {
  const filler = join(directory, 'filler');
  /** Fills the disk except for a number of bytes. */
  const fill = (roomBytes: number) => {
    rmSync(filler, { force: true });
    const { bavail, bsize } = statfsSync(directory);
    return Bun.write(filler, new Uint8Array(Math.max(0, bavail * bsize - roomBytes)));
  };
  const adminPort = freePort();
  const exchange = await ExchangeProcess.start(join(directory, 'data'), {
    BUTTONWOOD_ADMIN_PORT: `${adminPort}`,
  });
  const send = (method: string, path: string, body?: object) =>
    exchange.send(exchange.credential('alice'), method, path, body && JSON.stringify(body));
  const place = () => send('POST', '/api/orders', ORDER);
  const admin = async (path: string) =>
    (await fetch(`http://127.0.0.1:${adminPort}${path}`)).text();
  const whenPlaced = async (status: number) => {
    for (;;) {
      const answer = await place();
      if (answer.status === status) return answer.json;
      await Bun.sleep(20);
    }
  };
  const ids: number[] = [];
  for (let n = 0; n < OPEN_ORDERS; n++) ids.push((await place()).json.data.orderId);
  await fill(6 * MIB);
  const nearlyFull = { order: (await place()).status, ready: '' };
  do nearlyFull.ready = await admin('/readyz');
  while (!nearlyFull.ready.includes('nearly'));
  await fill(2 * MIB);
  const refusal = (await whenPlaced(503)).error;
  const ready = await admin('/readyz');
  const metrics = await admin('/metrics');
  const cancels: number[] = [];
  for (const id of ids) cancels.push((await send('DELETE', `/api/orders/${id}`)).status);
  const reads = (await send('GET', '/api/orders')).status;
  rmSync(filler);
  await whenPlaced(200);
  const { exitCode, output } = await exchange.stop();
  const canceled = cancels.filter((status) => status === 200).length;
  return { nearlyFull, refusal, ready, metrics, canceled, reads, exitCode, output };
}

if (import.meta.main) console.log(JSON.stringify(await run(process.argv[2]!)));
