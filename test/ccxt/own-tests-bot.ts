// Runs the CCXT class for own_tests.py: a request a line on the standard input, and its answer on the standard output.
import { createInterface } from 'node:readline';
import { buttonwood } from '../../src/client/ccxt/index.ts';

const { EXCHANGE_URL, API_KEY, API_SECRET } = process.env;
const urls = { api: EXCHANGE_URL };
const bot = new buttonwood({ urls, apiKey: API_KEY!, secret: API_SECRET! });
const methods = bot as unknown as Record<string, (...terms: unknown[]) => Promise<unknown>>;

async function call(method: string, terms: unknown[]): Promise<unknown> {
  if (method === 'describe') {
    const { id, has, features, timeframes, precisionMode } = bot;
    return { id, has, features, timeframes, precisionMode };
  }
  // Python has no undefined.
  return methods[method]!(...terms.map((term) => term ?? undefined));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, arguments: terms } = JSON.parse(line);
  call(method, terms).then(
    (result) => say({ id, result }),
    (error) => say({ id, error: `${error}` }),
  );
}
await bot.close();

function say(answer: object): void {
  console.log(JSON.stringify(answer, (_, value) => (value === undefined ? null : value)));
}
