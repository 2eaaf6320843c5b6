import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { exchangeNow, readExchangeClock } from './exchange-clock.ts';

afterEach(async () => {
  setSystemTime();
  await readExchangeClock(async () => Date.now());
});

test('the time of the exchange continues from the middle of the request that read it', async () => {
  const start = Date.parse('2026-01-05T12:00:00Z');
  const ahead = Date.parse('2026-03-01T00:00:00Z');
  setSystemTime(start);
  await readExchangeClock(async () => {
    setSystemTime(start + 200);
    return ahead;
  });
  expect(exchangeNow()).toBe(ahead + 100);
  setSystemTime(start + 5200);
  expect(exchangeNow()).toBe(ahead + 5100);
});

test('a clock that cannot be read stays as it was', async () => {
  const ahead = Date.now() + 86_400_000;
  await readExchangeClock(async () => ahead);
  const failed = readExchangeClock(() => Promise.reject(new Error('offline')));
  await expect(failed).rejects.toThrow('offline');
  expect(exchangeNow()).toBeGreaterThanOrEqual(ahead);
});
