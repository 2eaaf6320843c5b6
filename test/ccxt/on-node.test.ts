import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Venue } from './venue.ts';

/** Tests of the CCXT class on Node without Bun: REST, streams, the socket's operations, exact numbers. */

const ROOT = join(import.meta.dir, '../..');
const TIMEOUT_MS = 60_000;
let venue: Venue;
let directory: string;
beforeAll(async () => {
  venue = await Venue.open();
  directory = mkdtempSync(join(tmpdir(), 'buttonwood-ccxt-'));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await venue.close();
});

const PROGRAM = `
import { buttonwood } from './buttonwood.mjs';
const bot = new buttonwood({ ...JSON.parse(process.argv[2]), number: String });
const orders = bot.watchOrders();
await bot.watchTicker('BTC/USDT');
const placed = await bot.createOrder('BTC/USDT', 'limit', 'buy', '0.12345678', '12345.67');
const [listed] = await orders;
const book = await bot.watchOrderBook('BTC/USDT');
const overSocket = await bot.createOrderWs('ETH/USDT', 'limit', 'buy', '0.5', '1200');
const refused = await bot.fetchOrder('999').catch((error) => error.constructor.name);
await bot.close();
console.log(JSON.stringify({ placed, listed, bids: book.bids, overSocket, refused, bun: typeof Bun }));
`;

test(
  'trades and watches',
  async () => {
    const built = await Bun.build({
      entrypoints: [join(ROOT, 'src/client/ccxt/index.ts')],
      external: ['ccxt'],
    });
    await Bun.write(join(directory, 'buttonwood.mjs'), built.outputs[0]!);
    writeFileSync(join(directory, 'program.mjs'), PROGRAM);
    const { Authorization, 'X-API-Secret': secret } = venue.exchange.headers('alice');
    const apiKey = Authorization!.replace('Bearer ', '');
    const options = JSON.stringify({ urls: { api: venue.url }, apiKey, secret });
    const child = Bun.spawn(['node', 'program.mjs', options], {
      cwd: directory,
      stderr: 'inherit',
    });
    const { placed, listed, bids, overSocket, refused, bun } = JSON.parse(
      await new Response(child.stdout).text(),
    );
    expect(await child.exited).toBe(0);
    expect(bun).toBe('undefined');
    expect(placed).toMatchObject({ amount: '0.12345678', price: '12345.67', status: 'open' });
    expect(listed).toEqual(placed);
    expect(overSocket).toMatchObject({ amount: '0.5', price: '1200', status: 'open' });
    expect(bids).toEqual([['12345.67', '0.12345678']]);
    expect(refused).toBe('OrderNotFound');
  },
  TIMEOUT_MS,
);
