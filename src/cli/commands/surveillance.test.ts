import { afterAll, expect, test } from 'bun:test';
import { runForTest } from '../../testing/test-cli.ts';

/** A stub of a node, which responds with `data`. */
let data: object = {};
let url = '';
let body = '';
const node = Bun.serve({
  port: 0,
  async fetch(request) {
    ({ url } = request);
    body = await request.text();
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
    ...{ logPosition: 11, caseStatus: 'assigned', assignee: 'officer', reviewedAt: null },
  };
  data = { alerts: [alert], failedDetectors: [], nextCursor: 'c' };
  const { exitCode, out } = await run(
    'surveillance',
    'alerts',
    '--detector',
    'pump',
    '--account',
    'a',
    '--case',
    'assigned',
  );
  expect(new URL(url).pathname).toBe('/api/admin/alerts');
  expect(new URL(url).search).toBe('?detector=pump&account=a&caseStatus=assigned');
  expect(exitCode).toBe(0);
  expect(out.split('\n')[1]).toMatch(
    /^pump-5-0-0-1 +2026-01-01T12:00:00.000Z +assigned \(officer\) +pump +BTC\/USDT +a, b\\u\{001b\} +5–9 +risePercent 12, gainPercent 3$/,
  );
  expect(out).toEndWith('There are older alerts. Use --limit to see more.');
  const failed = { detector: 'spoofing', logPosition: 7, error: 'a defect' };
  data = { alerts: [], failedDetectors: [failed], nextCursor: null };
  expect(await run('surveillance', 'alerts')).toMatchObject({
    exitCode: 1,
    out: 'No alerts.\n\nThe detector spoofing failed at batch 7 and is off: a defect',
  });
});

const alert = {
  ...{ id: 'pump-5-0-0-1', detector: 'pump', symbol: 'BTC/USDT', accounts: ['a'] },
  ...{ from: place(5), to: place(9), figures: { risePercent: 12 }, logPosition: 11 },
  ...{ caseStatus: 'closed', assignee: 'officer', reviewedAt: place(20).timestamp },
};
const closed = {
  ...{ logPosition: 20, timestamp: place(20).timestamp, caseStatus: 'closed', assignee: 'officer' },
  ...{ account: 'officer', apiKey: null, user: 'olga@example.com' },
  note: '=HYPERLINK("http://example.com")',
};

test('alerts are printed as CSV, without formulas', async () => {
  const formula = {
    ...alert,
    accounts: ['=1+1', 'b'],
    figures: { risePercent: 12, gainPercent: 3 },
  };
  data = { alerts: [formula], failedDetectors: [], nextCursor: null };
  const { exitCode, out } = await run('surveillance', 'alerts', '--csv');
  expect(exitCode).toBe(0);
  expect(out.split('\r\n')).toEqual([
    'alert,detector,symbol,accounts,from,to,fromPosition,toPosition,caseStatus,assignee,figures',
    `pump-5-0-0-1,pump,BTC/USDT,"'=1+1 b",${place(5).timestamp},${place(9).timestamp},5,9,closed,officer,"risePercent 12, gainPercent 3"`,
  ]);
});

test('a case is shown, and its CSV has no formulas', async () => {
  data = { alert, reviews: [closed] };
  const { out } = await run('surveillance', 'show', alert.id);
  expect(new URL(url).pathname).toBe(`/api/admin/alerts/${alert.id}`);
  expect(out).toContain('case      closed (officer)');
  expect(out).toMatch(/closed \(officer\) +olga@example.com +=HYPERLINK/);
  const csv = await run('surveillance', 'show', alert.id, '--csv');
  expect(csv.out.split('\r\n')).toEqual([
    'alert,time,position,caseStatus,assignee,account,apiKey,user,note',
    `pump-5-0-0-1,${closed.timestamp},20,closed,officer,officer,,olga@example.com,"'=HYPERLINK(""http://example.com"")"`,
  ]);
});

test('cases are assigned, closed and reopened', async () => {
  data = { alert, reviews: [closed] };
  const sent = async (...argv: string[]) => {
    const { exitCode, out } = await run('surveillance', ...argv);
    expect([exitCode, out]).toEqual([0, 'The case of pump-5-0-0-1 is closed (officer).']);
    return JSON.parse(body);
  };
  expect(await sent('assign', alert.id, '--to', 'officer')).toEqual({ assignee: 'officer' });
  expect(await sent('assign', alert.id)).toEqual({ assignee: '' });
  const note = 'harmless';
  const close = await sent('close', alert.id, '--note', note);
  expect(close).toEqual({ caseStatus: 'closed', note });
  expect(await sent('reopen', alert.id)).toEqual({ caseStatus: 'open' });
  expect((await run('surveillance', 'close', alert.id)).exitCode).toBe(2);
});
