import { afterAll, expect, test } from 'bun:test';
import { runForTest } from '../../testing/test-cli.ts';

/** A stub of a node, which responds with `data`. */
let data: object = {};
let url = '';
const node = Bun.serve({
  port: 0,
  fetch(request) {
    ({ url } = request);
    return new Response(JSON.stringify({ success: true, data }));
  },
});
afterAll(() => node.stop(true));

const run = (...argv: string[]) => runForTest([...argv, '--url', node.url.origin]);
const place = (logPosition: number) => ({
  ...{ logPosition, index: 0, timestamp: '2026-01-01T12:00:00.000Z' },
});

test('alerts are listed with what was counted, and detectors that are off', async () => {
  const alert = {
    ...{ id: 'pump-5-0-0-1', detector: 'pump', symbol: 'BTC/USDT', accounts: ['a', 'b\u001b'] },
    ...{ from: place(5), to: place(9), figures: { risePercent: 12, gainPercent: 3 } },
    logPosition: 11,
  };
  data = { alerts: [alert], failedDetectors: [], nextCursor: 'c' };
  const { exitCode, out } = await run(
    'surveillance',
    'alerts',
    '--detector',
    'pump',
    '--account',
    'a',
  );
  expect(new URL(url).pathname).toBe('/api/admin/alerts');
  expect(new URL(url).search).toBe('?detector=pump&account=a');
  expect(exitCode).toBe(0);
  expect(out.split('\n')[1]).toMatch(
    /^2026-01-01T12:00:00.000Z +pump +BTC\/USDT +a, b\\u\{001b\} +5–9 +risePercent 12, gainPercent 3$/,
  );
  expect(out).toEndWith('There are older alerts. Use --limit to see more.');
  const failed = { detector: 'spoofing', logPosition: 7, error: 'a defect' };
  data = { alerts: [], failedDetectors: [failed], nextCursor: null };
  expect(await run('surveillance', 'alerts')).toMatchObject({
    exitCode: 1,
    out: 'No alerts.\n\nThe detector spoofing failed at batch 7 and is off: a defect',
  });
});
