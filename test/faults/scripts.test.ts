import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FAULT_KIND_NAMES } from '../../src/sandbox/faults/kinds.ts';
import { TestExchange } from '../http/exchange.ts';

/** The endpoints of fault scripts: what is accepted, and the exact error of what is not. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const PATH = '/api/sandbox/faults';
const post = async (body: unknown, name = 'operator') => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { status, json } = await exchange.send(name, 'POST', PATH, text);
  return { status, data: json.data, error: json.error };
};
const list = async (query = '') => (await exchange.send('operator', 'GET', PATH + query)).data;

describe('a script that is wrong installs nothing', () => {
  const fault = (more: object) => ({ faults: [{ kind: 'stream_gap', ...more }] });
  test.each([
    ['no faults', {}, 'faults', 'required'],
    ['an empty list', { faults: [] }, 'faults', 'too_small'],
    ['an unknown kind', { faults: [{ kind: 'steam_gap' }] }, 'faults.0.kind', 'kind'],
    ['a prototype', { faults: [{ kind: 'constructor' }] }, 'faults.0.kind', 'kind'],
    ['probability 2', fault({ probability: 2 }), 'faults.0.probability', 'custom'],
    ['a negative probability', fault({ probability: -0.1 }), 'faults.0.probability', 'custom'],
    ['count 0', fault({ count: 0 }), 'faults.0.count', 'custom'],
    ['negative ms', { faults: [{ kind: 'delay', ms: -1 }] }, 'faults.0.ms', 'positive'],
    ['a long delay', { faults: [{ kind: 'delay', ms: 25_001 }] }, 'faults.0.ms', 'maximum'],
    ['no ms', { faults: [{ kind: 'delay' }] }, 'faults.0.ms', 'required'],
    ['a skew of 0', { faults: [{ kind: 'clock_skew', ms: 0 }] }, 'faults.0.ms', 'notZero'],
    ['ms of a gap', fault({ ms: 5 }), 'faults.0.ms', 'notTaken'],
    ['no status', { faults: [{ kind: 'status' }] }, 'faults.0.status', 'required'],
    ['status 404', { faults: [{ kind: 'status', status: 404 }] }, 'faults.0.status', 'custom'],
    ['status 450', { faults: [{ kind: 'status', status: 450 }] }, 'faults.0.status', 'status'],
    ['an unknown key', { ...fault({}), apiKey: 'bwk_1' }, 'apiKey', 'known'],
    ['an unknown account', { ...fault({}), account: 'carol' }, 'account', 'known'],
    ['an unknown field', { ...fault({}), key: 'a' }, 'key', 'unknownField'],
    ['an unknown field of a fault', fault({ p: 1 }), 'faults.0.p', 'unknownField'],
    [
      'an unknown market',
      { faults: [{ kind: 'market_halt', symbol: 'BTC/USD', ms: 5 }] },
      'faults.0.symbol',
      'known',
    ],
    [
      'a schedule that is reversed',
      fault({ schedule: { from: '2026-01-05T13:00:00Z', until: '2026-01-05T12:00:00Z' } }),
      'faults.0.schedule.until',
      'afterFrom',
    ],
    [
      'a schedule that is over',
      fault({ schedule: { until: '2026-01-05T11:00:00Z' } }),
      'faults.0.schedule.until',
      'afterFrom',
    ],
    [
      'a part longer than its period',
      fault({ schedule: { everyMs: 5, forMs: 6 } }),
      'faults.0.schedule.forMs',
      'withinPeriod',
    ],
    [
      'an unknown channel',
      fault({ endpoints: ['channel trade'] }),
      'faults.0.endpoints.0',
      'known',
    ],
    [
      'an unknown endpoint',
      { faults: [{ kind: 'stale_read', endpoints: ['GET /api/order'] }] },
      'faults.0.endpoints.0',
      'known',
    ],
    [
      'an endpoint of the operator',
      { faults: [{ kind: 'stale_read', endpoints: ['GET /api/admin/state'] }] },
      'faults.0.endpoints.0',
      'known',
    ],
    [
      'endpoints of a fill',
      { faults: [{ kind: 'slow_fill', ms: 5, endpoints: ['channel fills'] }] },
      'faults.0.endpoints',
      'notTaken',
    ],
  ])('%s', async (_, body, field, rule) => {
    const valid = { kind: 'status', status: 503 };
    const withValid = 'faults' in body && (body.faults as object[]).length > 0;
    // The error is found even if another fault of the script is right.
    const sent = withValid ? { ...body, faults: [...(body.faults as object[]), valid] } : body;
    const { status, error } = await post(sent);
    expect([status, error.details.field, error.details.rule]).toEqual([400, field, rule]);
    expect((await list()).scripts).toEqual([]);
  });

  test('the error of an unknown kind names the nearest and all', async () => {
    const { error } = await post({ faults: [{ kind: 'steam_gap' }] });
    expect(error.message).toBe(
      `There is no fault "steam_gap". Did you mean stream_gap? Use one of ${FAULT_KIND_NAMES.join(', ')}.`,
    );
    expect(error.details.nearest).toBe('stream_gap');
  });

  test('a script of 10 MB', async () => {
    const { status } = await post(`{"faults":[${' '.repeat(10_000_000)}]}`);
    expect(status).toBe(413);
  });

  test('more than 100 scripts', async () => {
    const schedule = { from: '2126-01-05T12:00:00Z' };
    for (let number = 0; number < 100; number++) {
      expect((await post({ faults: [{ kind: 'stream_gap', schedule }] })).status).toBe(200);
    }
    const { status, error } = await post({ faults: [{ kind: 'stream_gap' }] });
    expect([status, error.details.rule]).toEqual([400, 'maxScripts']);
    expect((await exchange.send('operator', 'DELETE', PATH)).data).toEqual({ removed: 100 });
  });
});

test('a script is listed as it was sent, with its defaults', async () => {
  const sent = { kind: 'delay', probability: 0.25, count: 3, ms: 40, jitter: 5, before: true };
  const schedule = { until: '2026-01-06T00:00:00.000Z', everyMs: 60_000, forMs: 1000 };
  const { data } = await post({ account: 'alice', faults: [{ ...sent, schedule }] });
  const from = new Date(exchange.now).toISOString();
  const fault = { ...sent, schedule: { from, ...schedule }, injected: 0 };
  const others = { endpoints: null, status: null, symbol: null };
  expect(data.script).toMatchObject({ apiKey: null, account: 'alice' });
  expect(data.script.faults).toEqual([{ ...fault, ...others }]);
  const { id } = data.script;
  expect((await list(`?id=${id}`)).scripts).toEqual([data.script]);
  expect((await exchange.send('operator', 'GET', `${PATH}?id=fault-0`)).status).toBe(404);
  expect((await exchange.send('operator', 'DELETE', `${PATH}?id=fault-0`)).status).toBe(404);
  expect((await exchange.send('operator', 'DELETE', `${PATH}?id=${id}`)).data).toEqual({
    removed: 1,
  });
});

test('only an operator controls faults, and a script for all leaves the control alone', async () => {
  expect((await post({ faults: [{ kind: 'stream_gap' }] }, 'alice')).status).toBe(403);
  expect((await exchange.send('alice', 'GET', PATH)).status).toBe(403);
  await post({ faults: [{ kind: 'status', status: 503 }] });
  expect((await exchange.send('alice', 'GET', '/api/orders')).status).toBe(503);
  expect((await exchange.send('operator', 'GET', '/api/admin/state')).status).toBe(200);
  expect((await exchange.send('operator', 'DELETE', PATH)).status).toBe(200);
  expect((await exchange.send('alice', 'GET', '/api/orders')).status).toBe(200);
});

test('a real exchange has none of the routes', async () => {
  const real = await TestExchange.open({ isSandbox: false });
  for (const method of ['GET', 'POST', 'DELETE']) {
    const body = method === 'POST' ? '{"faults":[{"kind":"stream_gap"}]}' : undefined;
    expect((await real.send('operator', method, PATH, body)).status).toBe(404);
  }
  expect(real.services.faults).toBeUndefined();
  await real.close();
});
