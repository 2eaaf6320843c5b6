import { expect, test } from 'bun:test';
import { join } from 'node:path';

/** The suites whose bots trade by CCXT's methods with `Ws` if TEST_TRANSPORT is `socket`. */
const SUITES = ['orders', 'account'];

test('the suites of orders succeed over the socket', async () => {
  const files = SUITES.map((name) => join(import.meta.dir, `${name}.test.ts`));
  const child = Bun.spawn([process.execPath, 'test', '--timeout=60000', ...files], {
    env: { ...process.env, TEST_TRANSPORT: 'socket' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output = await new Response(child.stderr).text();
  const failed = output.split('\n').filter((line) => line.startsWith('(fail)'));
  expect({ failed, exitCode: await child.exited, output: failed.length > 0 ? output : '' }).toEqual(
    {
      failed: [],
      exitCode: 0,
      output: '',
    },
  );
  expect(Number(/^ *(\d+) pass$/m.exec(output)?.[1])).toBeGreaterThan(30);
});
