import { expect, spyOn, test } from 'bun:test';
import * as logger from '../../monitoring/logger.ts';
import { RequestMetrics } from './request-metrics.ts';

const SECOND_MS = 1000;

test('a slow request is logged with its id, at most five per second', () => {
  const metrics = new RequestMetrics([{ method: 'GET', path: '/api/orders/:id' }], [], []);
  let nowMs = 100 * SECOND_MS;
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs);
  const logged: unknown[] = [];
  const warn = spyOn(logger, 'warn').mockImplementation((_, fields) => {
    logged.push(fields);
  });
  let count = 0;
  const respond = (tookMs: number) => {
    const headers = { 'X-Request-Id': `r-${++count}` };
    const response = new Response('', { status: 503, headers });
    expect(metrics.note(0, nowMs - tookMs, response)).toBe(response);
  };
  try {
    respond(1000);
    for (let each = 0; each < 7; each++) respond(1001);
    nowMs += SECOND_MS;
    respond(2000);
  } finally {
    clock.mockRestore();
    warn.mockRestore();
  }
  const ids = ['r-2', 'r-3', 'r-4', 'r-5', 'r-6', 'r-9'];
  expect(logged).toEqual(
    ids.map((requestId) => ({
      requestId,
      route: 'GET /api/orders/:id',
      status: 503,
      ms: requestId === 'r-9' ? 2000 : 1001,
    })),
  );
});
