import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CommandNotAppliedError } from '../../src/replica/errors.ts';
import { MemoryNetwork } from '../../src/testing/memory-bus.ts';
import { type Answer, TestExchange } from './exchange.ts';

/** Tests two nodes that share the rate limits of a client. */

const network = new MemoryNetwork();
let nodes: TestExchange[];
beforeAll(async () => {
  nodes = await Promise.all(
    ['one', 'two'].map((name) =>
      TestExchange.open({ rateLimits: 'spec', bus: network.join(name) }),
    ),
  );
});
afterAll(() => Promise.all(nodes.map((node) => node.close())));

/** Sends requests to the nodes in turn until one rejects; each message arrives before the next request. */
async function askUntilRefused(send: (node: TestExchange) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let turn = 0; answers.at(-1)?.code !== 'RATE_LIMIT_EXCEEDED'; turn++) {
    answers.push(await send(nodes[turn % nodes.length]!));
    network.deliverAll();
  }
  return answers;
}

test.each([
  ['an account', (node: TestExchange) => node.send('alice', 'GET', '/api/fills')],
  ['an address', (node: TestExchange) => node.send(undefined, 'GET', '/api/markets')],
  [
    'wrong credentials',
    (node: TestExchange) =>
      node.send(undefined, 'GET', '/api/orders', undefined, {
        Authorization: 'Bearer bwk_1',
        'X-API-Secret': 'bws_1',
      }),
  ],
])('%s gets its limit over both, plus at most a sixteenth', async (_, send) => {
  const answers = await askUntilRefused(send);
  const limit = Number(answers[0]!.headers.get('X-RateLimit-Limit'));
  const authorized = answers.length - 1;
  expect(authorized).toBeGreaterThanOrEqual(limit);
  expect(authorized).toBeLessThan(limit + Math.max(1, limit >> 4));
  for (const node of nodes) expect((await send(node)).code).toBe('RATE_LIMIT_EXCEEDED');
  for (const node of nodes) node.now += 60_000;
  const [first] = nodes;
  expect(Number((await send(first!)).headers.get('X-RateLimit-Remaining'))).toBe(limit - 1);
});

test('a client with too many wrong keys causes no more writes to the log', async () => {
  const node = nodes[0]!;
  let asked = 0;
  node.replica.whenCurrent = async () => {
    asked++;
  };
  const wrong = { Authorization: 'Bearer bwk_2', 'X-API-Secret': 'bws_2' };
  let guesses = 0;
  const guess = () => node.send(undefined, 'GET', '/api/ledger', undefined, wrong);
  while ((await guess()).code !== 'RATE_LIMIT_EXCEEDED') guesses++;
  expect(asked).toBe(guesses);
  expect(guesses).toBeGreaterThan(0);
  expect((await node.send('alice', 'GET', '/api/ledger')).status).toBe(200);
  delete (node.replica as Partial<typeof node.replica>).whenCurrent;
});

test('a key that cannot be looked up is not rejected as wrong: the client may retry', async () => {
  const node = await TestExchange.open();
  const { replica } = node.services;
  const wrong = { Authorization: 'Bearer bwk_1', 'X-API-Secret': 'bws_1' };
  const ask = () => node.send(undefined, 'GET', '/api/orders', undefined, wrong);
  replica.whenCurrent = () => Promise.resolve();
  expect((await ask()).code).toBe('UNAUTHORIZED');
  replica.whenCurrent = () => Promise.reject(new CommandNotAppliedError());
  const answer = await ask();
  expect([answer.code, answer.headers.has('Retry-After')]).toEqual(['OVERLOADED', true]);
  await node.close();
});
