import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import schema from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' };
import { Ajv } from 'ajv';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { CHANNEL_FIELDS, CHANNELS, OP_FIELDS, OPS } from '../../src/gateway/stream/request.ts';
import { CloseCode } from '../../src/gateway/stream/sockets/close-codes.ts';
import { TestExchange } from '../http/exchange.ts';
import {
  CheckedMessages,
  checkReceived,
  checkSent,
  DOCUMENT,
  findFaults,
  listDescribed,
} from './described.ts';

/** The AsyncAPI document. Other tests check every message of their sockets against it. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

interface Operation {
  readonly action: string;
  readonly channel: Reference;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly channel: Reference; readonly messages: readonly Reference[] };
}
interface Reference {
  readonly $ref: string;
}
const OPERATIONS = Object.entries<Operation>(DOCUMENT.operations);

/** Returns every reference of a part of the document. */
function listReferences(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, reference]) => reference!,
  );
}

function resolve(reference: string): unknown {
  let found: Record<string, unknown> | undefined = { '#': DOCUMENT };
  for (const part of reference.split('/')) found = found?.[part] as typeof found;
  return found;
}

describe('the document', () => {
  test('is served unchanged', async () => {
    const answer = await exchange.send(undefined, 'GET', '/asyncapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.json).toEqual(DOCUMENT);
  });

  test('is valid AsyncAPI 3.0.0, and a wrong one is not', () => {
    // The schema brings draft 07 itself, and names formats that need not be checked here.
    const formats = Object.fromEntries(
      ['uri', 'uri-reference', 'email', 'regex'].map((name) => [name, true] as const),
    );
    const ajv = new Ajv({ strict: false, meta: false, validateSchema: false, formats });
    const validate = ajv.compile(schema);
    expect([validate(DOCUMENT), validate.errors]).toEqual([true, null]);
    const { channels, ...rest } = DOCUMENT;
    const { trades, ...others } = channels;
    expect(validate({ ...rest, channels: { ...others, trades: { ...trades, path: '/ws' } } })).toBe(
      false,
    );
  });

  test('resolves its references, and has no record without one', () => {
    const references = listReferences(DOCUMENT);
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
    const records = Object.keys(DOCUMENT.components.schemas);
    const unused = records.filter((name) => !references.includes(`#/components/schemas/${name}`));
    expect(unused).toEqual([]);
  });

  test.each(OPERATIONS)('%s has messages of its channel', (_, { channel, messages, reply }) => {
    const belongsTo =
      (owner: Reference) =>
      ({ $ref }: Reference) =>
        $ref.startsWith(`${owner.$ref}/messages/`);
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.every(belongsTo(channel))).toBe(true);
    if (reply !== undefined) expect(reply.messages.every(belongsTo(reply.channel))).toBe(true);
  });

  test('uses every message in an operation', () => {
    const used = new Set(listReferences(DOCUMENT.operations));
    const unused = listDescribed().filter(({ name }) => !used.has(`#/channels/${name}`));
    expect(unused.map(({ name }) => name)).toEqual([]);
  });

  test('has exactly the channels, messages and operations of the exchange', () => {
    const named = ENDPOINTS.flatMap((endpoint) => endpoint.operation?.name ?? []);
    const received = OPERATIONS.filter(([, { action }]) => action === 'receive').map(
      ([name]) => name,
    );
    const subscriptions = CHANNELS.flatMap((channel) => [
      `subscribe.${channel}`,
      `unsubscribe.${channel}`,
    ]);
    expect(received.sort()).toEqual(['auth', 'ping', ...subscriptions, ...named].sort());
    const sent = OPERATIONS.filter(([, { action }]) => action === 'send').map(([name]) => name);
    expect(sent).toEqual(CHANNELS.map((channel) => `updates.${channel}`));
    const ops = listDescribed()
      .filter(({ isSentByClients }) => isSentByClients)
      .map(({ message }) => message.payload.properties.op.const);
    expect(new Set(ops)).toEqual(new Set([...OPS, ...named]));
  });

  test('has the fields that the exchange reads', () => {
    const listFields = (channel: string, message: string) =>
      Object.keys(DOCUMENT.channels[channel].messages[message].payload.properties);
    expect(listFields('connection', 'auth')).toEqual(['op', ...OP_FIELDS.auth]);
    for (const channel of CHANNELS) {
      const fields = CHANNEL_FIELDS[channel];
      expect(listFields(channel, 'subscribe')).toEqual(['op', 'channel', ...fields]);
    }
  });

  test('explains every close code', () => {
    for (const code of [1001, 1009, ...Object.values(CloseCode)]) {
      expect(DOCUMENT.info.description).toContain(`| ${code} | `);
    }
  });

  test.each(listDescribed().map((each) => [each.name, each] as const))(
    'every example of %s fits it and no other message',
    (name, { isSentByClients, message }) => {
      expect(message.examples.length).toBeGreaterThan(0);
      for (const { payload } of message.examples) {
        expect(findFaults(name, payload)).toBe('');
        if (isSentByClients) checkSent(payload);
        else checkReceived(payload);
      }
    },
  );
});

describe('a message that differs from the document is detected', () => {
  const rateLimit = { limit: 60, remaining: 59, reset: 1767614460 };
  const balances = { op: 'balances', id: 1, success: true, data: { balances: [] }, rateLimit };
  test.each([
    ['an unknown op', { op: 'hello' }],
    ['an unknown channel', { op: 'snapshot', channel: 'news', data: {} }],
    ['a response without a rate limit', { ...balances, rateLimit: undefined }],
    ['a response with a field that is not described', { ...balances, took: 1 }],
    ['an error that is none of the operation', error('INVALID_SYMBOL')],
    [
      'an update without its previous sequence',
      { op: 'update', channel: 'trades', symbol: 'BTC/USDT', sequence: 1, data: { trades: [] } },
    ],
  ])('%s', (_, message) => {
    checkReceived(balances);
    checkReceived(error('UNAUTHORIZED'));
    expect(() => checkReceived(message)).toThrow('is not as described');
  });

  function error(code: string) {
    return { op: 'balances', id: '1', success: false, error: { code, message: '', details: {} } };
  }

  test('a request is compared once it was successful', () => {
    const messages = new CheckedMessages();
    messages.noteSent('{"op":"balances","id":1,"params":{"asset":"BTC"}}');
    expect(() => messages.noteReceived(balances)).toThrow('sent: ');
    messages.noteSent('{"op":"balances","id":1}');
    messages.noteReceived(balances);
  });
});
