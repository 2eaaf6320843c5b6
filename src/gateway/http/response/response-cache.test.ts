import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ResponseCache } from './response-cache.ts';

test('a response is cached for its version, made once for concurrent requests, and eventually dropped', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          key: fc.constantFrom('a', 'b', 'c', 'd'),
          change: fc.boolean(),
          isLater: fc.boolean(),
          fails: fc.nat(5).map((one) => one === 0),
          length: fc.integer({ min: 0, max: 40 }),
        }),
      ),
      async (requests) => {
        const cache = new ResponseCache(100);
        const versions = new Map<string, number>();
        const waiting: Promise<unknown>[] = [];
        for (const { key, change, isLater, fails, length } of requests) {
          if (change) versions.set(key, (versions.get(key) ?? 0) + 1);
          const version = versions.get(key) ?? 0;
          const text = `${key}${version}`.padEnd(length, '.');
          const data = cache.get(key, version, () => {
            if (fails) return Promise.reject(new Error(text));
            return isLater ? Promise.resolve(text) : text;
          });
          const check = Promise.resolve(data).then(
            (data) => expect(data.startsWith(`${key}${version}`)).toBe(true),
            (error: Error) => expect(error.message.startsWith(`${key}${version}`)).toBe(true),
          );
          if (isLater) waiting.push(check);
          else await check;
        }
        await Promise.all(waiting);
      },
    ),
  );
});

test('a cached response is not made again, one of another version is; a failure is not cached', async () => {
  const cache = new ResponseCache(30);
  let made = 0;
  const make = (length: number) => () => {
    made++;
    return 'x'.repeat(length);
  };
  for (let count = 0; count < 3; count++) cache.get('a', 1, make(5));
  expect(made).toBe(1);
  cache.get('a', 2, make(5));
  expect(made).toBe(2);
  for (const key of ['b', 'c', 'd', 'e', 'f']) cache.get(key, 1, make(9));
  made = 0;
  cache.get('f', 1, make(9));
  cache.get('a', 2, make(5));
  expect(made).toBe(1);
  const failing = () => Promise.reject(new Error('once'));
  await expect(cache.get('g', 1, failing) as Promise<string>).rejects.toThrow('once');
  expect(await cache.get('g', 1, make(1))).toBe('x');
});
