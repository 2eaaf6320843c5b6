import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { NONE } from '../../src/engine/terms.ts';
import { CustodyOutbox } from '../../src/gateway/custody/outbox.ts';
import { checkAsync } from '../check.ts';
import { TestExchange } from './exchange.ts';

/** Instructions to a custodian that is a real HTTP server. */

const NETWORK = {
  ...{ asset: 'BTC', network: 'bitcoin', decimals: 8, minDeposit: 0.0001, minWithdrawal: 0.0005 },
  ...{ withdrawalFee: 0.0001, confirmations: 3, memo: 'none', deposits: true, withdrawals: true },
  ...{
    dailyLimit: 0,
    hourlyCount: 0,
    addressCoolingMs: 0,
    newDeviceDelayMs: 0,
    approvalAbove: 100,
  },
};

interface Request {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

let exchange: TestExchange;
let requests: Request[] = [];
/** Returns the status of the next response. */
let respond: () => number = () => 204;

const custodian = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url);
    const url = `${pathname}${search}`;
    requests.push({ url, headers: request.headers, body: await request.text() });
    const status = respond();
    return new Response(null, { status });
  },
});

beforeAll(async () => {
  const custodianUrl = `http://127.0.0.1:${custodian.port}/instructions?of=test`;
  exchange = await TestExchange.open({ custodianUrl });
  await operate('POST', '/networks', NETWORK);
});
afterAll(async () => {
  await exchange.close();
  custodian.stop(true);
});
afterEach(() => {
  requests = [];
  respond = () => 204;
});

async function operate(method: string, path: string, body?: object) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return (await exchange.send('operator', method, `/api/admin${path}`, text)).json.data;
}

function outbox() {
  return exchange.replica.exchange.state.parts.custody.store.outbox;
}

/** Requests a withdrawal, and returns the id of its instruction. */
async function withdraw(): Promise<number> {
  const actor = {
    account: exchange.replica.exchange.state.accountsById.get('alice')!.index,
    key: NONE,
  };
  const added = await exchange.replica.execute({
    ...{ kind: CommandKind.addWithdrawalAddress, ...actor },
    ...{ network: 0, address: 'bc1qtheirs', memo: '' },
  });
  if (added.kind !== 'withdrawalAddress') throw new Error(JSON.stringify(added));
  const { asset } = exchange.replica.exchange.state.parts.custody.store.networks.get(0)!;
  const made = await exchange.replica.execute({
    ...{ kind: CommandKind.requestWithdrawal, ...actor, addressId: added.entry.id },
    ...{
      amount: 10 ** (exchange.replica.exchange.state.assets[asset]!.decimals - 3),
      clientId: null,
      isNewDevice: false,
    },
  });
  if (made.kind !== 'withdrawal') throw new Error(JSON.stringify(made));
  return made.withdrawal.instruction;
}

/** Requests a withdrawal that the custodian refuses, and suspends its network. @returns The id of the instruction */
async function suspendedWithdrawal(): Promise<number> {
  respond = () => 503;
  const id = await withdraw();
  await until(() => requests.length > 0);
  await operate('POST', '/networks', { ...NETWORK, withdrawals: false });
  // An attempt may be on its way.
  await Bun.sleep(30);
  respond = () => 204;
  requests = [];
  return id;
}

/** Waits until a condition holds. The test's own timeout ends it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(2);
}

describe('an instruction', () => {
  test('is signed with the key that operators see', async () => {
    const id = await withdraw();
    await until(() => outbox().size === 0);
    const [{ url, headers, body }] = requests as [Request];
    expect(JSON.parse(body)).toEqual({
      ...{ id, type: 'withdrawal', account: 'alice', asset: 'BTC', network: 'bitcoin' },
      ...{ withdrawal: expect.any(Number), address: 'bc1qtheirs', memo: null },
      ...{ amount: 0.001, fee: 0.0001, createdAt: expect.any(String) },
    });
    const { exchangeKey, host, waiting } = await operate('GET', '/custodian');
    expect([host, waiting]).toEqual([`127.0.0.1:${custodian.port}`, 0]);
    const prefix = Buffer.from('302a300506032b6570032100', 'hex');
    const der = Buffer.concat([prefix, Buffer.from(exchangeKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const lines = [
      'buttonwood-v1',
      'POST',
      url,
      'exchange',
      headers.get('x-api-timestamp'),
      60_000,
    ];
    const signature = Buffer.from(headers.get('x-api-signature')!, 'base64');
    expect(verify(null, Buffer.from(`${lines.join('\n')}\n${body}`), key, signature)).toBe(true);
    expect(verify(null, Buffer.from(`${lines.join('\n')}\n${body} `), key, signature)).toBe(false);
  });

  test('leaves the outbox only after it was accepted, in order, whatever fails', async () => {
    const plan = fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      // One response per attempt; later ones are accepted.
      statuses: fc.array(fc.constantFrom(204, 204, 302, 404, 500), { maxLength: 8 }),
    });
    await checkAsync(
      fc.asyncProperty(plan, async ({ count, statuses }) => {
        requests = [];
        const accepted: number[] = [];
        const left = [...statuses];
        respond = () => {
          const status = left.shift() ?? 204;
          const { id } = JSON.parse(requests.at(-1)!.body);
          // It has not been removed before the response.
          expect([...outbox().keys()][0]).toBe(id);
          if (status === 204) accepted.push(id);
          return status;
        };
        const ids: number[] = [];
        for (let each = 0; each < count; each++) ids.push(await withdraw());
        await until(() => outbox().size === 0);
        expect(accepted).toEqual(ids);
        const bodies = Map.groupBy(requests, ({ body }) => JSON.parse(body).id);
        for (const [, same] of bodies) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
      }),
      20,
    );
    expect(exchange.failures).toEqual([]);
  }, 60_000);

  test('waits while its network is suspended or its account frozen, and others pass it', async () => {
    const held = await suspendedWithdrawal();
    const address = { asset: 'BTC', network: 'bitcoin' };
    await exchange.send('bob', 'POST', '/api/deposit-addresses', JSON.stringify(address));
    await until(() => requests.length === 1);
    expect(JSON.parse(requests[0]!.body)).toMatchObject({ type: 'address', account: 'bob' });
    await until(() => outbox().size === 1);
    await operate('PATCH', '/accounts/alice', { frozen: true });
    await operate('POST', '/networks', NETWORK);
    await Bun.sleep(30);
    expect([...outbox().keys()]).toEqual([held]);
    await operate('PATCH', '/accounts/alice', { frozen: false });
    await until(() => outbox().size === 0);
    expect(JSON.parse(requests[1]!.body).id).toBe(held);
  });

  test('waits while the custodian is down, and survives a stopped sender', async () => {
    respond = () => 503;
    const id = await withdraw();
    await until(() => requests.length >= 3);
    const status = await operate('GET', '/custodian');
    expect(status).toMatchObject({ waiting: 1, error: 'the receiver responded with 503' });
    expect(status.failures).toBeGreaterThanOrEqual(2);
    await exchange.services.outbox.close();
    const stopped = requests.length;
    await Bun.sleep(30);
    expect(requests).toHaveLength(stopped);
    expect([...outbox().keys()]).toEqual([id]);
    respond = () => 204;
    const { replica, users, clock, now } = exchange.services;
    const seal = await users.loadSeal('custodian');
    const { url } = exchange.services.outbox;
    const services = { replica, users, clock, now };
    const keys = { keyNumber: 1, seal, nextSeal: seal };
    const other = new CustodyOutbox(services, { node: 'other', url, ...keys, pausesMs: [5] });
    // Another node has the lease until it ends.
    other.note();
    await Bun.sleep(30);
    expect(requests).toHaveLength(stopped);
    exchange.now += 31_000;
    other.note();
    await until(() => outbox().size === 0);
    expect(JSON.parse(requests.at(-1)!.body).id).toBe(id);
    await other.close();
  });
});

test('an instruction that was acknowledged twice changes nothing', async () => {
  const acknowledge = { kind: CommandKind.acknowledgeInstruction, ...SYSTEM_ACTOR } as const;
  const before = exchange.replica.exchange.state.digest;
  const outcome = await exchange.replica.execute({ ...acknowledge, instruction: 1 });
  expect(outcome.kind).toBe('done');
  expect(exchange.replica.exchange.state.digest).toBe(before);
});
