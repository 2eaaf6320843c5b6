import { expect, test } from 'bun:test';
import { MarketMakers } from './market-makers.ts';

const NO_KEY = { apiKey: 'none', apiSecret: 'none' };

test('traders that fail say so and begin again, until they are stopped', async () => {
  const warnings: string[] = [];
  const { promise: second, resolve } = Promise.withResolvers<void>();
  // Port 1 of this machine: nobody listens there.
  const options = { baseUrl: 'http://127.0.0.1:1', maker: NO_KEY, taker: NO_KEY, seed: 1 };
  const house = new MarketMakers(options, (message) => {
    warnings.push(message);
    if (warnings.length === 2) resolve();
  });
  await second;
  await house.stop();
  expect(warnings[0]).toMatch(/makers have failed \(UnreachableError: .*begin again in 1 s/s);
  expect(warnings[1]).toContain('begin again in 2 s');
});
