import { expect, setDefaultTimeout, test } from 'bun:test';
import { crowd, WHOLE_CROWD } from './crowd.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

setDefaultTimeout(120_000);

/** Maximum memory. Unread answers of a page share one copy; separate ones would take 350 MiB. */
const MORE_MIB = 128;
const MORE_DESCRIPTORS = 64;

/** `npm run test:crowd` runs longer, and waits until the server closes slow connections. */
test('2,000 idle sockets and 500 that never read do not prevent answers to others', async () => {
  const directory = temporaryDirectory();
  const exchange = await ExchangeProcess.start(directory.path);
  const figures = await crowd(exchange, { ...WHOLE_CROWD, tradingMs: 2000 });
  const { exitCode, output } = await exchange.stop();
  directory.remove();
  expect(figures.notAnswered).toBe(0);
  expect(figures.answered).toBeGreaterThanOrEqual(100);
  expect(figures.descriptorsPeak).toBeGreaterThan(2000);
  expect(figures.descriptorsAfter - figures.descriptorsBefore).toBeLessThanOrEqual(
    MORE_DESCRIPTORS,
  );
  expect(figures.memoryPeakMiB - figures.memoryBeforeMiB).toBeLessThan(MORE_MIB);
  expect(output).not.toContain('failed');
  expect(exitCode).toBe(0);
});
