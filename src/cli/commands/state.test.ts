import { afterAll, expect, test } from 'bun:test';
import { runForTest } from '../../testing/test-cli.ts';

/** A stub of a node, which responds with `data`. */
let data = '';
let url = '';
const node = Bun.serve({
  port: 0,
  fetch(request) {
    ({ url } = request);
    return new Response(`{"success":true,"data":${data}}`);
  },
});
afterAll(() => node.stop(true));

const run = (...argv: string[]) => runForTest([...argv, '--url', node.url.origin]);

test('state fails if the books do not balance', async () => {
  const sums = '"available":5,"held":0,"fees":0,"external":-4.5,"balances":false';
  const rest =
    '"engineVersion":1,"newestEngineVersion":2,"logPosition":7,"stateHash":"ab","archivistLagMs":3,"openOrders":0';
  data = `{${rest},"assets":[{"asset":"BTC",${sums}}]}`;
  const { exitCode, out } = await run('state');
  expect(exitCode).toBe(1);
  expect(out).toMatch(/^Engine version +1; this node supports 2, see "buttonwood upgrade"$/m);
  expect(out).toMatch(/^BTC +5 +0 +0 +-4\.5 +NO$/m);
  expect(await run('state', '--json')).toEqual({ exitCode: 1, out: data, error: '' });
});

test('upgrade reports the current version', async () => {
  data = '{"engineVersion":2,"newestEngineVersion":2}';
  const { exitCode, out } = await run('upgrade');
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'The engine is at version 2.' });
  expect(new URL(url).pathname).toBe('/api/admin/upgrade');
});

test('audit shows the fields of each entry, and whether there are older entries', async () => {
  data =
    '{"entries":[{"id":12,"action":"transfer","details":{"amount":1.50}},{"id":9,"account":"bob\\u001b"}],"nextCursor":"c"}';
  const { exitCode, out } = await run('audit', '--limit', '2');
  expect(new URL(url).search).toBe('?limit=2');
  expect(exitCode).toBe(0);
  expect(out.split('\n')).toEqual([
    'ID  ACTION    DETAILS          ACCOUNT',
    '12  transfer  {"amount":1.50}  -',
    ' 9  -         -                bob\\u{001b}',
    '',
    'There are older entries. Use --limit to see more.',
  ]);
  expect((await run('audit', '--json')).out).toBe(data);
  expect(new URL(url).search).toBe('');
  data = '{"entries":[],"nextCursor":null}';
  expect((await run('audit')).out).toBe('No entries yet.');
});
