import { expect, spyOn, test } from 'bun:test';
import { setEnvironmentData } from 'node:worker_threads';
import * as logger from '../src/monitoring/logger.ts';

/** Returns the standard error output of `work`, as JSON. */
function readLines(work: () => void): Record<string, unknown>[] {
  const written = spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    logger.useJson();
    work();
    return written.mock.calls.map(([line]) => JSON.parse(line as string));
  } finally {
    // Plain again, for other tests of this process.
    setEnvironmentData('buttonwood log format', undefined);
    written.mockRestore();
  }
}

test('a line of JSON has time, level, message, fields and error', () => {
  const cause = new TypeError('below');
  const [line, other] = readLines(() => {
    logger.error('request failed', new Error('above', { cause }), {
      requestId: 'r-1',
      status: 500,
    });
    logger.warn('two\nlines "quoted"');
  });
  expect(line).toMatchObject({
    level: 'error',
    message: 'request failed',
    requestId: 'r-1',
    status: 500,
  });
  expect(line!.error).toMatch(/^Error: above\n +at [\s\S]*\ncaused by TypeError: below\n/);
  expect(new Date(line!.time as string).getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect(other).toMatchObject({ level: 'warn', message: 'two\nlines "quoted"' });
});

test('a secret in a message of another program is masked, and fields of an error are not logged', () => {
  const thrown = Object.assign(new Error('cannot reach postgres://bob:canary@db/name'), {
    detail: 'canary',
    headers: { authorization: 'canary' },
  });
  const key = `bws_${'0123456789abcdef'.repeat(4)}`;
  const lines = readLines(() => {
    logger.error('failed', thrown, { url: 'nats://a:canary@b:4222' });
    logger.error(`key ${key}`, 'smtps://c:canary@d');
  });
  expect(JSON.stringify(lines)).not.toMatch(/canary|0123456789abcdef/);
  expect(lines[0]).toMatchObject({ url: 'nats://a:***@b:4222' });
  expect(lines[1]).toMatchObject({ message: 'key bws_***', error: 'smtps://c:***@d' });
});

test('plain text has warnings on standard error, other messages on standard output', () => {
  const error = spyOn(console, 'error').mockImplementation(() => {});
  const log = spyOn(console, 'log').mockImplementation(() => {});
  logger.warn('slow request', { requestId: 'r-1', route: undefined, ms: 1200 });
  logger.info('Stopping');
  const outputs = [error.mock.calls, log.mock.calls];
  error.mockRestore();
  log.mockRestore();
  expect(outputs).toEqual([[['slow request requestId=r-1 ms=1200']], [['Stopping']]]);
});
