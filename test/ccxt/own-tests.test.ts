import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { describeWherePossible } from '../describe-where-possible.ts';
import { requirementsPath } from '../ecosystem/clients.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';
import { inherited } from '../process/inherited.ts';
import { createEnvironment, findPython } from '../python/python-packages.ts';
import { Venue } from './venue.ts';

/** CCXT's own tests of an exchange, which are written in Python, with the class in a process of its own. */

const LIMIT_MS = 120_000;
const PARTS = { rest: 20, streams: 12 };
/** Best bid and ask of each market, which stay; trades alternate between them. */
const QUOTES: Record<string, [bid: number, ask: number]> = {
  'BTC/USDT': [117_990, 118_010],
  'ETH/USDT': [5199, 5201],
  'SOL/USDT': [259.5, 260.5],
  'ETH/BTC': [0.0439, 0.0441],
};
let venue: Venue;
let trader: ReturnType<typeof setInterval>;
const directory = temporaryDirectory();

beforeAll(async () => {
  venue = await Venue.open();
  Object.defineProperty(venue.exchange, 'now', { get: () => Date.now() });
  for (const [symbol, [bid, ask]] of Object.entries(QUOTES)) {
    await place('bob', symbol, 'buy', 1, bid);
    await place('bob', symbol, 'sell', 1, ask);
    await place('alice', symbol, 'buy', 0.001, bid * 0.5);
    await tradeOnce(symbol, 0);
  }
  let count = 0;
  trader = setInterval(() => {
    count++;
    for (const symbol of ['BTC/USDT', 'ETH/USDT']) void tradeOnce(symbol, count);
  }, 50);
});
afterAll(async () => {
  clearInterval(trader);
  directory.remove();
  await venue.close();
});

function place(name: string, symbol: string, side: string, amount: number, price: number) {
  // Prices have at most five decimals.
  const order = { symbol, side, type: 'limit', amount, price: Number(price.toFixed(5)) };
  return venue.exchange.place(name, order);
}

/** Lets alice take what bob offers, on either side in turn. */
function tradeOnce(symbol: string, count: number) {
  const [bid, ask] = QUOTES[symbol]!;
  return count % 2 === 0
    ? place('alice', symbol, 'buy', 0.001, ask)
    : place('alice', symbol, 'sell', 0.001, bid);
}

const tools = findPython(requirementsPath('ccxt'));
const problem = typeof tools === 'string' ? tools : undefined;
describeWherePossible('CCXT’s own tests', problem, 'install python3 with pip', () => {
  test(
    'find no fault in the class',
    async () => {
      if (typeof tools === 'string') throw new Error(tools);
      const python = createEnvironment(tools, join(directory.path, 'environment'));
      const { Authorization, 'X-API-Secret': secret } = venue.exchange.headers('alice');
      const child = Bun.spawn([python, join(import.meta.dir, 'own_tests.py')], {
        cwd: directory.path,
        env: {
          ...inherited(),
          EXCHANGE_URL: venue.url,
          API_KEY: Authorization!.slice('Bearer '.length),
          API_SECRET: secret!,
          BOT_COMMAND: `${process.execPath}\n${join(import.meta.dir, 'own-tests-bot.ts')}`,
          PYTHONDONTWRITEBYTECODE: '1',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: LIMIT_MS - 10_000,
      });
      const [output, errors, exitCode] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      if (exitCode !== 0) throw new Error(`ended with ${exitCode}:\n${output}${errors}`);
      const done = output.split('\n').filter((line) => line.startsWith('done: '));
      expect(done).toHaveLength(PARTS.rest + PARTS.streams);
    },
    LIMIT_MS,
  );
});
