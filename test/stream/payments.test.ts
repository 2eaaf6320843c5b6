import { afterEach, beforeEach, expect, test } from 'bun:test';
import { CommandKind } from '../../src/engine/command.ts';
import { NONE } from '../../src/engine/terms.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { TestCustodian } from '../http/custodian.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

/** The private channels of deposits and withdrawals. */

let exchange: TestExchange;
let custodian: TestCustodian;
let server: ReturnType<typeof listen>;
const clients: StreamClient[] = [];

beforeEach(async () => {
  exchange = await TestExchange.open();
  custodian = await TestCustodian.open(exchange);
  const place = { asset: 'BTC', network: 'bitcoin', account: 'alice', address: 'bc1qown' };
  await custodian.report('/addresses', place);
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'off', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
  await exchange.close();
});

async function connect(name: string): Promise<StreamClient> {
  const client = await StreamClient.open(server.port);
  clients.push(client);
  const headers = exchange.headers(name);
  const apiKey = headers.Authorization!.slice('Bearer '.length);
  client.send({ op: 'auth', apiKey, apiSecret: headers['X-API-Secret'] });
  expect(await client.next()).toEqual({ op: 'authenticated' });
  return client;
}

function pay(transaction: string, more: object) {
  const place = { asset: 'BTC', network: 'bitcoin', address: 'bc1qown', amount: 0.5 };
  return custodian.report('/deposits', { ...place, transaction, index: 0, ...more });
}

async function newestDeposit() {
  return (await exchange.send('alice', 'GET', '/api/deposits')).json.data.deposits[0];
}

test('an account receives every change of its deposits, and no other account does', async () => {
  await pay('first', { confirmations: 1, report: 1 });
  const [alice, bob] = [await connect('alice'), await connect('bob')];
  for (const client of [alice, bob]) client.send({ op: 'subscribe', channel: 'deposits' });
  const snapshot = await alice.next();
  expect(snapshot).toMatchObject({ op: 'snapshot', channel: 'deposits' });
  expect(snapshot.data).toEqual({ deposits: [await newestDeposit()] });
  expect((await bob.next()).data).toEqual({ deposits: [] });
  let before = snapshot.sequence;
  for (const [report, confirmations, status] of [
    [2, 2, 'confirming'],
    [3, 3, 'credited'],
  ]) {
    await pay('first', { confirmations, report });
    const update = await alice.next();
    expect(update).toMatchObject({ op: 'update', prevSequence: before });
    expect(update.data).toEqual({ deposits: [await newestDeposit()] });
    expect(update.data.deposits[0].status).toBe(status);
    before = update.sequence;
  }
  // A repeated report changes nothing, and sends nothing.
  await pay('first', { confirmations: 3, report: 3 });
  await pay('second', { confirmations: 0, report: 1 });
  expect((await alice.next()).data.deposits[0]).toMatchObject({ transaction: 'second' });
  bob.send({ op: 'ping' });
  expect((await bob.next()).op).toBe('pong');
});

test('an operator who credits a deposit of no account shows it to the account', async () => {
  const place = { address: 'bc1qother', confirmations: 3, report: 1 };
  const { deposit } = (await pay('lost', place)).json.data;
  const alice = await connect('alice');
  alice.send({ op: 'subscribe', channel: 'deposits' });
  expect((await alice.next()).data).toEqual({ deposits: [] });
  const path = `/api/admin/deposits/${deposit.id}/resolve`;
  const decision = JSON.stringify({ resolution: 'credit', account: 'alice' });
  await exchange.send('operator', 'POST', path, decision);
  const { data } = await alice.next();
  expect(data.deposits[0]).toMatchObject({ id: deposit.id, status: 'credited', account: 'alice' });
});

test('a reader that resumes gets every change that it missed once, in order', async () => {
  const random = seededRandom(11);
  const expected: string[] = [];
  const received: string[] = [];
  let reports = 0;
  const text = ({ id, status, confirmations }: Record<string, unknown>) =>
    `${id} ${status} ${confirmations}`;
  let client = await connect('alice');
  client.send({ op: 'subscribe', channel: 'deposits' });
  let { sequence } = await client.next();
  for (let round = 0; round < 6; round++) {
    client.close();
    // More than a page of a backfill in some rounds.
    const changes = round % 3 === 0 ? 540 : below(20, random);
    const end = expected.length + changes;
    while (expected.length < end) {
      const report = Math.floor(reports / 40) + 1;
      const reported = await pay(`tx-${reports % 40}`, {
        confirmations: below(5, random),
        reorganized: below(4, random) === 0,
        report: report * 10 + below(9, random),
      });
      const { deposit, changed } = reported.json.data;
      if (changed) expected.push(text(deposit));
      reports++;
    }
    client = await connect('alice');
    client.send({ op: 'subscribe', channel: 'deposits', sequence });
    do {
      const message = await client.next();
      expect(message).toMatchObject({ op: 'update', prevSequence: sequence });
      received.push(...message.data.deposits.map(text));
      sequence = message.sequence;
    } while (received.length < expected.length);
    expect(received).toEqual(expected);
  }
});

test('a withdrawal is sent from its request to its end', async () => {
  const alice = await connect('alice');
  alice.send({ op: 'subscribe', channel: 'withdrawals' });
  const snapshot = await alice.next();
  expect(snapshot.data).toEqual({ withdrawals: [] });
  await exchange.addKey('withdrawer', 'alice', ['read', 'withdraw'], { addresses: ['127.0.0.1'] });
  // Withdrawals of a new key wait.
  exchange.now += 60_000;
  const post = (path: string, body: object) =>
    exchange.send('withdrawer', 'POST', path, JSON.stringify(body));
  const place = { asset: 'BTC', network: 'bitcoin', address: 'bc1qtheirs' };
  const { index } = exchange.state.accountsById.get('alice')!;
  const added = await exchange.replica.execute({
    ...{ kind: CommandKind.addWithdrawalAddress, account: index, key: NONE, network: 0 },
    ...{ address: place.address, memo: '' },
  });
  const { entry } = added as Extract<typeof added, { kind: 'withdrawalAddress' }>;
  const requested = await post('/api/withdrawals', { addressId: `${entry.id}`, amount: 0.25 });
  expect(requested.json.data).toMatchObject({ created: true });
  const { id } = requested.json.data.withdrawal;
  const first = await alice.next();
  expect(first.data.withdrawals[0]).toEqual(requested.json.data.withdrawal);
  expect(first.data.withdrawals[0]).toMatchObject({ ...place, status: 'approved' });
  const report = (status: string, number: number, more: object) =>
    custodian.report('/withdrawals', { withdrawal: Number(id), status, report: number, ...more });
  await report('broadcast', 1, { transaction: 'tx' });
  await report('confirmed', 2, { transaction: 'tx' });
  const statuses = [await alice.next(), await alice.next()].map(({ data }) => data.withdrawals[0]);
  expect(statuses.map(({ status }) => status)).toEqual(['broadcast', 'confirmed']);
  const again = await connect('alice');
  again.send({ op: 'subscribe', channel: 'withdrawals', sequence: snapshot.sequence });
  const { data } = await again.next();
  expect(data.withdrawals.map(({ status }: { status: string }) => status)).toEqual([
    'approved',
    'broadcast',
    'confirmed',
  ]);
});
