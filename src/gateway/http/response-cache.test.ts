import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ResponseCache } from './response-cache.ts';

test('an answer is kept for its version, made once for all who ask meanwhile, and forgotten in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          question: fc.constantFrom('a', 'b', 'c', 'd'),
          change: fc.boolean(),
          isLater: fc.boolean(),
          fails: fc.nat(5).map((one) => one === 0),
          length: fc.integer({ min: 0, max: 40 }),
        }),
      ),
      async (asked) => {
        const answers = new ResponseCache(100);
        const versions = new Map<string, number>();
        const waiting: Promise<unknown>[] = [];
        for (const { question, change, isLater, fails, length } of asked) {
          if (change) versions.set(question, (versions.get(question) ?? 0) + 1);
          const version = versions.get(question) ?? 0;
          const text = `${question}${version}`.padEnd(length, '.');
          const got = answers.get(question, version, () => {
            if (fails) return Promise.reject(new Error(text));
            return isLater ? Promise.resolve(text) : text;
          });
          const check = Promise.resolve(got).then(
            (answer) => expect(answer.startsWith(`${question}${version}`)).toBe(true),
            (error: Error) => expect(error.message.startsWith(`${question}${version}`)).toBe(true),
          );
          if (isLater) waiting.push(check);
          else await check;
        }
        await Promise.all(waiting);
      },
    ),
  );
});

test('a kept answer is not made again, one of another version is; a failure is not kept', async () => {
  const answers = new ResponseCache(30);
  let made = 0;
  const make = (length: number) => () => {
    made++;
    return 'x'.repeat(length);
  };
  for (let count = 0; count < 3; count++) answers.get('a', 1, make(5));
  expect(made).toBe(1);
  answers.get('a', 2, make(5));
  expect(made).toBe(2);
  for (const question of ['b', 'c', 'd', 'e', 'f']) answers.get(question, 1, make(9));
  made = 0;
  answers.get('f', 1, make(9));
  answers.get('a', 2, make(5));
  expect(made).toBe(1);
  const failing = () => Promise.reject(new Error('once'));
  await expect(answers.get('g', 1, failing) as Promise<string>).rejects.toThrow('once');
  expect(await answers.get('g', 1, make(1))).toBe('x');
});
