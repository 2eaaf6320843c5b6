import { expect, test } from 'bun:test';
import { MarketMakers } from './market-makers.ts';

const NO_KEY = { apiKey: 'none', apiSecret: 'none' };

test('traders that fail are reported and restarted, until they are stopped', async () => {
  const warnings: string[] = [];
  const { promise: second, resolve } = Promise.withResolvers<void>();
  // No one listens on port 1.
  const options = { baseUrl: 'http://127.0.0.1:1', maker: NO_KEY, taker: NO_KEY, seed: 1 };
  const makers = new MarketMakers(options, (message) => {
    warnings.push(message);
    if (warnings.length === 2) resolve();
  });
  await second;
  await makers.stop();
  expect(warnings[0]).toMatch(/makers have failed \(UnreachableError: .*restart in 1 s/s);
  expect(warnings[1]).toContain('restart in 2 s');
});
