import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../check.ts';
import { TestExchange } from '../http/exchange.ts';

/** Faults never change the state: it is that of the same requests without faults, but for those that never arrived. */

/** Kinds after which nothing has reached the engine. */
const BLOCKING: ReadonlySet<string> = new Set([
  ...['answer_lost_before_commit', 'status', 'reject_all', 'maintenance'],
]);

const fault = fc.oneof(
  fc
    .constantFrom(
      ...['answer_lost_before_commit', 'answer_lost_after_commit', 'stale_read', 'reject_all'],
      ...['maintenance', 'stream_gap', 'stream_disconnect'],
    )
    .map((kind) => ({ kind })),
  fc.constantFrom(418, 429, 500, 503).map((status) => ({ kind: 'status', status })),
  fc.boolean().map((before) => ({ kind: 'delay', ms: 1, before })),
  fc.constantFrom(5, 5000).map((ms) => ({ kind: 'slow_fill', ms })),
);
const script = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  faults: fc.array(
    fc
      .tuple(fault, fc.constantFrom(0.2, 0.5, 1), fc.constantFrom(1, 3, null))
      .map(([each, probability, count]) => ({ ...each, probability, count })),
    { minLength: 1, maxLength: 3 },
  ),
});
const placing = fc
  .record({
    side: fc.constantFrom('buy', 'sell'),
    price: fc.integer({ min: 49_998, max: 50_002 }),
    amount: fc.constantFrom(0.1, 0.2),
    clientOrderId: fc.option(fc.constantFrom('a', 'b', 'c')),
  })
  .map((order) => ({ symbol: 'BTC/USDT', type: 'limit', ...order }))
  .map((order) => ({ method: 'POST', path: '/api/orders', body: JSON.stringify(order) }));
const orderId = fc.integer({ min: 1, max: 8 });
const request = fc.oneof(
  { arbitrary: placing, weight: 4 },
  orderId.map((id) => ({ method: 'DELETE', path: `/api/orders/${id}`, body: undefined })),
  orderId.map((id) => ({
    ...{ method: 'PATCH', path: `/api/orders/${id}` },
    body: '{"price":49999.5}',
  })),
  fc
    .constantFrom('/api/orders', '/api/portfolio/balances', '/api/fills')
    .map((path) => ({ method: 'GET', path, body: undefined })),
);
const step = fc.record({ name: fc.constantFrom('alice', 'bob'), request, waitMs: fc.nat(20) });

test(
  'the state is that of the requests that arrived',
  async () => {
    const faulty = await TestExchange.open({ hasSeededKeys: true });
    const plain = await TestExchange.open({ hasSeededKeys: true });
    await checkAsync(
      fc.asyncProperty(
        fc.array(script, { minLength: 1, maxLength: 2 }),
        fc.array(step, { minLength: 5, maxLength: 25 }),
        async (scripts, steps) => {
          const { faults } = faulty.services;
          for (const each of scripts) {
            const body = JSON.stringify(each);
            const { status } = await faulty.send('operator', 'POST', '/api/sandbox/faults', body);
            expect(status).toBe(200);
          }
          for (const { name, request: sent, waitMs } of steps) {
            faulty.now += waitMs;
            plain.now = faulty.now;
            const { total } = faults!.injected;
            // An answer that is lost has a body that fails.
            await faulty.send(name, sent.method, sent.path, sent.body).catch(() => {});
            const happened = faults!.listInjected(total, 10);
            if (happened.some(({ kind }) => BLOCKING.has(kind))) continue;
            await plain.send(name, sent.method, sent.path, sent.body);
          }
          await faulty.send('operator', 'DELETE', '/api/sandbox/faults');
          expect(faulty.state.digest).toBe(plain.state.digest);
        },
      ),
      200,
    );
    for (const exchange of [faulty, plain]) await exchange.close();
  },
  CHECK_TIMEOUT_MS,
);
