import { afterEach, beforeEach, expect, test } from 'bun:test';
import { ListenKeys } from '../../src/gateway/binance/user-data/listen-keys.ts';
import { MemoryNetwork } from '../../src/testing/memory-bus.ts';
import { TestExchange } from '../http/exchange.ts';

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
