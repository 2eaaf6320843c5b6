import { expect, test } from 'bun:test';
import { asyncApiDocument } from '../../src/gateway/asyncapi/asyncapi.ts';
import { openApiDocument } from '../../src/gateway/openapi/openapi.ts';
import {
  type AsyncApi,
  describeType,
  listFields,
  type OpenApi,
  readChannels,
  readOperations,
  readTopics,
  search,
  searchTopics,
} from './documents.ts';

const REST = openApiDocument(true) as unknown as OpenApi;
const STREAMS = asyncApiDocument(true) as unknown as AsyncApi;
const sections = [...readOperations(REST), readChannels(STREAMS)];
const entries = sections.flatMap((section) => section.entries);
const find = (id: string) => entries.find((entry) => entry.id === id)!;

test('every operation and channel is an entry with its own id', () => {
  const operations = Object.values(REST.paths).flatMap((methods) => Object.values(methods));
  const channels = Object.keys(STREAMS.channels);
  expect(entries.length).toBe(operations.length + channels.length);
  const ids = [...entries, ...sections].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every schema is listed, with references, lists and alternatives', () => {
  for (const { parts, parameters, document } of entries) {
    for (const { schema } of parts) if (schema) listFields(schema, document);
    for (const { schema } of parameters) expect(describeType(schema!, document)).not.toBe('');
  }
  const { parts, document } = find('placeOrder');
  const body = listFields(parts[0]!.schema!, document);
  const types = Object.fromEntries(body.map(({ name, type }) => [name, type]));
  expect(types).toMatchObject({
    side: '"buy" or "sell"',
    price: 'number or null',
    'attached.takeProfit.price': 'number or null',
  });
  const answer = listFields(parts.find(({ title }) => title === '200')!.schema!, document);
  expect(answer.map(({ name }) => name)).toContain('data.fees[].asset');
  const update = find('channel-orderbook').parts.find(({ title }) => title === 'update')!;
  const rows = listFields(update.schema!, STREAMS);
  expect(rows.find(({ name }) => name === 'data.bids')!.type).toBe('list of list of number');
});

test('the introduction has a topic for each of its paragraphs, and the error codes', () => {
  const topics = readTopics(REST.info.description);
  const ids = topics.map(({ id }) => id);
  expect(ids).toContain('api-keys');
  expect(ids).toContain('rate-limits');
  expect(ids.at(-1)).toBe('error-codes');
  expect(new Set([...ids, ...sections.map(({ id }) => id)]).size).toBe(
    ids.length + sections.length,
  );
  expect(searchTopics(topics, 'insufficient_balance').map(({ id }) => id)).toEqual(['error-codes']);
  expect(searchTopics(topics, '')).toEqual([...topics]);
  const shown = topics.map(({ text }) => text).join(' ');
  expect(shown.length).toBeGreaterThan(0.97 * REST.info.description.length - 200);
});

test('a search finds entries with all words', () => {
  const found = search(sections, 'cancel /orders/{id}').flatMap((section) => section.entries);
  expect(found.map(({ id }) => id)).toContain('cancelOrder');
  expect(found.every(({ path }) => path.includes('/orders/'))).toBe(true);
  expect(search(sections, 'orderbook ws')[0]!.id).toBe('streams');
  expect(search(sections, 'websocket').map(({ id }) => id)).toContain('streams');
  expect(search(sections, 'nothing like this')).toEqual([]);
  expect(search(sections, ' ')).toBe(sections);
});
