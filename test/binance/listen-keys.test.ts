import { afterEach, beforeEach, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import type { ApiKey } from '../../src/engine/ledger/accounts.ts';
import { ListenKeys } from '../../src/gateway/binance/user-data/listen-keys.ts';
import { MemoryNetwork } from '../../src/testing/memory-bus.ts';
import { TestExchange } from '../http/exchange.ts';
import { BinanceVenue, type Json } from './venue.ts';

/** Listen keys on the nodes of a cluster. */

let exchange: TestExchange;
let network: MemoryNetwork;
let nodes: ListenKeys[];
beforeEach(async () => {
  exchange = await TestExchange.open();
  network = new MemoryNetwork();
  nodes = ['one', 'two'].map(
    (name) => new ListenKeys({ ...exchange.services, bus: network.join(name) }),
  );
});
afterEach(() => exchange.close());

const HOUR_MS = 60 * 60_000;

test('a listen key of one node is valid on another, which learns that it was extended or deleted', () => {
  const [first, second] = nodes as [ListenKeys, ListenKeys];
  const key = exchange.state.keys[0]!;
  const text = first.create(key);
  expect(second.find(text)).toEqual({ text, key });
  exchange.now += HOUR_MS - 1;
  first.extend(text);
  network.deliverAll();
  exchange.now += HOUR_MS - 1;
  expect(second.find(text)).toEqual({ text, key });
  second.delete(text);
  network.deliverAll();
  expect([first.find(text), second.find(text)]).toEqual([undefined, undefined]);
});

test('a node that missed the creation knows the listen key for an hour', () => {
  const late = new ListenKeys({ ...exchange.services, bus: undefined });
  const text = nodes[0]!.create(exchange.state.keys[0]!);
  exchange.now += HOUR_MS - 1;
  expect(late.find(text)?.text).toBe(text);
  exchange.now++;
  expect(late.find(text)).toBeUndefined();
});

test('an API key has one listen key, whatever other API keys do', () => {
  const [first] = nodes as [ListenKeys];
  const [key, other] = exchange.state.keys as [ApiKey, ApiKey];
  const kept = first.create(key);
  for (let count = 0; count < 1000; count++) {
    exchange.now++;
    first.delete(first.create(other));
  }
  expect(first.create(key)).toBe(kept);
  const { newest } = first as unknown as { newest: ReadonlyMap<number, unknown> };
  expect(newest.size).toBe(2);
});

test('a deleted listen key is never valid again', () => {
  const [first, second] = nodes as [ListenKeys, ListenKeys];
  const key = exchange.state.keys[0]!;
  const texts = Array.from({ length: 5 }, (_, count) => {
    const text = first.create(key);
    first.extend(text);
    first.delete(text);
    // Within the same millisecond, and after the clock was set back.
    if (count > 1) exchange.now -= 10;
    return text;
  });
  expect(new Set(texts).size).toBe(5);
  network.deliverAll();
  const last = first.create(key);
  network.deliverAll();
  for (const node of [first, second]) {
    expect(texts.map((text) => node.find(text))).toEqual(texts.map(() => undefined));
    node.extend(texts[4]!);
    expect(node.find(texts[4]!)).toBeUndefined();
    expect(node.find(last)?.text).toBe(last);
  }
});

test('a listen key needs an API key that could sign', async () => {
  const venue = await BinanceVenue.open();
  const create = async (apiKey: string) => {
    const headers = { 'X-MBX-APIKEY': apiKey };
    const path = `${venue.url}/api/v3/userDataStream`;
    const response = await fetch(path, { method: 'POST', headers });
    return { status: response.status, body: await response.json() } as Json;
  };
  const addKey = async (terms: object) => {
    const body = JSON.stringify({ permissions: ['read'], ...terms });
    const { data } = await venue.exchange.send(
      ...(['operator', 'POST', '/api/admin/accounts/alice/keys', body] as const),
    );
    return data.key.apiKey as string;
  };
  const { publicKey } = generateKeyPairSync('ed25519');
  const ed25519 = publicKey
    .export({ type: 'spki', format: 'der' })
    .subarray(-32)
    .toString('base64');
  const signing = await addKey({ publicKey: ed25519 });
  const native = await addKey({});
  const hmac = venue.keys.get('alice')!.apiKey;
  const denied = { status: 401, body: { code: -2015 } };
  expect(await create(native)).toMatchObject(denied);
  expect(await create(signing)).toMatchObject({ status: 200 });
  const { status, body } = await create(hmac);
  expect(status).toBe(200);
  const bot = await venue.connect(`/ws/${body.listenKey}`);
  expect((await bot.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })).result).toEqual([body.listenKey]);
  // The operator refuses HMAC keys from now on.
  Object.assign(venue.exchange.services, { sealedSecrets: undefined });
  expect(await create(hmac)).toMatchObject(denied);
  const late = await venue.connect(`/ws/${body.listenKey}`);
  expect((await late.closed).code).toBe(1008);
  expect(await create(signing)).toMatchObject({ status: 200 });
  await venue.close();
});
