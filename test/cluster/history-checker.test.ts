import { beforeEach, describe, expect, test } from 'bun:test';
import { EnvelopeKind, encodeEnvelope } from '../../src/cluster/log/envelope.ts';
import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { ByteWriter } from '../../src/engine/numbers/bytes.ts';
import { Permission, Side } from '../../src/engine/terms.ts';
import { encodeCommand } from '../../src/log/codec.ts';
import { GENESIS_HASH } from '../../src/log/hash.ts';
import { GENESIS_COMMANDS, limitOrder } from '../../src/testing/test-exchange.ts';
import type { Ask, Asked, Delivered, ReceivedMessages } from './history.ts';
import { checkHistory } from './history-checker.ts';
import { checkReceived } from './stream-checker.ts';
import { Truth } from './truth.ts';

// Correct histories, and the same with one violation each, so that every rule is shown to fail.

const NOW = 1_800_000_000_000;
const ALICE = { account: 1, key: 0 };
const BOB = { account: 2, key: 1 };

const NOTHING = { count: 0, payload: new Uint8Array() };

/** A log of a cluster. */
class Log {
  readonly messages: StoredMessage[] = [];
  private counter = 0;

  constructor() {
    this.put(EnvelopeKind.join, 0, new Uint8Array(16));
    this.append(
      ...GENESIS_COMMANDS,
      ...[1, 2].map(
        (owner): Command => ({
          kind: CommandKind.createKey,
          ...SYSTEM_ACTOR,
          owner,
          apiKey: `key-${owner}`,
          label: '',
          secretHash: new Uint8Array(32).fill(owner),
          addresses: [],
          expiresAt: 0,
          permissions: Permission.read | Permission.trade,
        }),
      ),
    );
  }

  append(...commands: Command[]): void {
    const writer = new ByteWriter();
    for (const command of commands) encodeCommand(writer, command);
    this.put(EnvelopeKind.batch, commands.length, writer.bytes().slice());
  }

  /** Repeats the last batch as a new message, which no node does. */
  repeat(): void {
    const { count, payload } = this.last;
    this.put(EnvelopeKind.batch, count, payload);
  }

  private last: { readonly count: number; readonly payload: Uint8Array } = NOTHING;

  private put(kind: number, count: number, payload: Uint8Array): void {
    const sequence = this.messages.length + 1;
    const counter = kind === EnvelopeKind.join ? 0 : ++this.counter;
    this.last = { count, payload };
    const bytes = encodeEnvelope({
      kind,
      node: 'a',
      incarnation: 1,
      counter,
      deadline: NOW * 2,
      clock: NOW + sequence,
      applied: { sequence: 0, hash: GENESIS_HASH, digest: 0 },
      count,
      payload,
    });
    this.messages.push({ sequence, storedAt: NOW + sequence, bytes });
  }

  truth(): Truth {
    const truth = new Truth();
    for (const message of this.messages) truth.take(message);
    return truth;
  }
}

let log: Log;
let requests: Asked[];
let clock: number;
beforeEach(() => {
  log = new Log();
  requests = [];
  clock = 0;
});

const place = (
  name: string,
  price = 10_000_000,
  side: Side = Side.buy,
  actor = ALICE,
): Command => ({
  ...limitOrder(actor.account, side, price, 100_000_000),
  ...actor,
  clientOrderId: name,
});

/** A request that is answered after all previous ones. */
function ask(what: Ask, answer: Partial<Asked> = {}): Asked {
  const asked: Asked = {
    ask: what,
    client: 'c',
    node: 'b',
    apiKey: 'key-1',
    status: 200,
    code: '',
    data: '',
    isGivenUp: false,
    beganAt: ++clock,
    endedAt: ++clock,
    hasRetryAfter: false,
    ...answer,
  };
  requests.push(asked);
  return asked;
}

const alice = { account: 'alice' } as const;
const listVersions = (truth: Truth, id: string) => truth.orders.get(id)!.versions;
const refused = { status: 503, code: 'OVERLOADED' } as const;

describe('responses about orders', () => {
  /** Returns a history of an order that is placed, amended and canceled, with reads after each step. */
  function rightHistory(): { truth: Truth; reads: Asked[] } {
    log.append(place('one'));
    log.append({ ...AMEND, price: 10_000_100 });
    log.append({ kind: CommandKind.cancelOrder, ...ALICE, orderId: 1 });
    const truth = log.truth();
    const [open, amended, canceled] = listVersions(truth, '1').map(({ text }) => text);
    const read = (data: string) => ask({ kind: 'order', ...alice, orderId: '1' }, { data });
    ask({ kind: 'place', ...alice, clientOrderId: 'one' }, { data: open! });
    const reads = [read(open!)];
    ask({ kind: 'amend', ...alice, orderId: '1', price: 100_001 }, { data: amended! });
    reads.push(read(amended!));
    ask({ kind: 'cancel', ...alice, orderId: '1' }, { data: canceled! });
    reads.push(read(canceled!));
    reads.push(
      ask(
        { kind: 'orders', ...alice, limit: 9 },
        { data: `{"orders":[${canceled}],"nextCursor":null}` },
      ),
    );
    const balances = truth.balanceVersions.get('alice')!.at(-1)!.text;
    reads.push(ask({ kind: 'balances', ...alice }, { data: balances }));
    return { truth, reads };
  }
  const AMEND = {
    kind: CommandKind.amendOrder,
    ...ALICE,
    orderId: 1,
    triggerPrice: 0,
    amount: 0,
  } as const;

  test('a correct history passes', () => {
    expect(checkHistory(requests, rightHistory().truth)).toEqual([]);
  });

  test('concurrent changes may be visible or not', () => {
    const { truth, reads } = rightHistory();
    const [open] = listVersions(truth, '1');
    reads[1]!.data = open!.text;
    // While the amend is in flight.
    requests[2]!.endedAt = 100;
    Object.assign(requests[4]!, { beganAt: 101, endedAt: 102 });
    for (const read of reads.slice(2)) Object.assign(read, { beganAt: 103, endedAt: 104 });
    expect(checkHistory(requests, truth)).toEqual([]);
  });

  test.each([
    [1, 'stale: order'],
    [2, 'stale: order'],
  ])('stale read %d', (which, message) => {
    const { truth, reads } = rightHistory();
    reads[which]!.data = listVersions(truth, '1')[which - 1]!.text;
    expect(checkHistory(requests, truth)).toEqual([expect.stringContaining(message)]);
  });

  test('an acknowledged order that another node does not know', () => {
    const { truth, reads } = rightHistory();
    Object.assign(reads[0]!, { status: 404, code: 'ORDER_NOT_FOUND', data: '' });
    expect(checkHistory(requests, truth)).toEqual([expect.stringContaining('stale: order')]);
  });

  test('a stale list, stale balances', () => {
    const { truth, reads } = rightHistory();
    reads[3]!.data = '{"orders":[],"nextCursor":null}';
    reads[4]!.data = truth.balanceVersions.get('alice')!.at(-2)!.text;
    expect(checkHistory(requests, truth)).toEqual([
      expect.stringContaining('stale: list of orders'),
      expect.stringContaining('stale: balances'),
    ]);
  });

  test('values that never existed', () => {
    const { truth, reads } = rightHistory();
    reads[0]!.data = reads[0]!.data.replace('"remaining":1,', '"remaining":2,');
    expect(reads[0]!.data).toContain('"remaining":2,');
    expect(checkHistory(requests, truth)).toEqual([expect.stringContaining('never so: order')]);
  });

  test('a lost order', () => {
    const { truth } = rightHistory();
    const data = requests[0]!.data.replace('"orderId":"1"', '"orderId":"2"').replace('one', 'two');
    ask({ kind: 'place', ...alice, clientOrderId: 'two' }, { data });
    const wrong = checkHistory(requests, truth);
    expect(wrong[0]).toContain('an acknowledged order is lost');
    expect(wrong[1]).toContain('acknowledged and not done');
  });

  test('an order under another id than its response', () => {
    const { truth } = rightHistory();
    requests[0]!.data = requests[0]!.data.replace('"orderId":"1"', '"orderId":"7"');
    expect(checkHistory(requests, truth)[0]).toContain('an acknowledged order is lost');
  });

  test('a lost cancel, a lost amend', () => {
    log.append(place('one'));
    const truth = log.truth();
    const [open] = listVersions(truth, '1').map(({ text }) => text);
    ask({ kind: 'place', ...alice, clientOrderId: 'one' }, { data: open! });
    const data = open!.replace('"open"', '"canceled"');
    ask({ kind: 'cancel', ...alice, orderId: '1' }, { data });
    ask({ kind: 'amend', ...alice, orderId: '1', price: 5 }, { data });
    const wrong = checkHistory(requests, truth);
    expect(wrong.filter((line) => line.startsWith('an acknowledged change is lost'))).toHaveLength(
      2,
    );
    expect(wrong.filter((line) => line.startsWith('acknowledged and not done'))).toHaveLength(2);
  });

  test('a doubled order: its batch was applied twice', () => {
    log.append(place('one'));
    log.repeat();
    const truth = log.truth();
    ask(
      { kind: 'place', ...alice, clientOrderId: 'one' },
      { data: listVersions(truth, '1')[0]!.text },
    );
    expect(checkHistory(requests, truth)).toEqual([expect.stringContaining('applied 2 times')]);
  });

  test('a refused order, cancel and amend that were executed', () => {
    log.append(place('one'));
    log.append({ ...AMEND, price: 10_000_100 });
    log.append({ kind: CommandKind.cancelOrder, ...ALICE, orderId: 1 });
    const truth = log.truth();
    ask({ kind: 'place', ...alice, clientOrderId: 'one' }, refused);
    ask({ kind: 'amend', ...alice, orderId: '1', price: 100_001 }, refused);
    ask({ kind: 'cancel', ...alice, orderId: '1' }, refused);
    const wrong = checkHistory(requests, truth);
    expect(wrong).toHaveLength(3);
    for (const line of wrong) expect(line).toStartWith('executed although it was refused');
  });

  test('a rejected order that was executed', () => {
    log.append(place('one'));
    const truth = log.truth();
    ask(
      { kind: 'place', ...alice, clientOrderId: 'one' },
      { status: 400, code: 'INSUFFICIENT_BALANCE' },
    );
    expect(checkHistory(requests, truth)).toEqual([
      expect.stringContaining('executed although it was rejected'),
    ]);
  });

  test('a request without a response or with an unknown outcome may take effect, at most once', () => {
    log.append(place('there'));
    const nothing = { status: 0, endedAt: Infinity };
    ask({ kind: 'place', ...alice, clientOrderId: 'there' }, nothing);
    ask({ kind: 'place', ...alice, clientOrderId: 'not there' }, nothing);
    ask(
      { kind: 'place', ...alice, clientOrderId: 'nor this' },
      { status: 500, code: 'OUTCOME_UNKNOWN' },
    );
    expect(checkHistory(requests, log.truth())).toEqual([]);
    log.repeat();
    expect(checkHistory(requests, log.truth())).toEqual([
      expect.stringContaining('applied 2 times'),
    ]);
  });

  test('a repeated order may be in the log again even if history is unavailable for its response', () => {
    log.append(place('one'));
    log.append(place('one'));
    ask({ kind: 'place', ...alice, clientOrderId: 'one' }, { status: 0, endedAt: Infinity });
    ask({ kind: 'place', ...alice, clientOrderId: 'one' }, refused);
    expect(checkHistory(requests, log.truth())).toEqual([]);
  });

  test('an internal error is a violation', () => {
    ask({ kind: 'balances', ...alice }, { status: 500, code: 'INTERNAL_ERROR' });
    expect(checkHistory(requests, log.truth())[0]).toContain('an internal error');
  });
});

describe('responses about keys', () => {
  const other = { kind: 'other', ...alice } as const;
  let truth: Truth;
  beforeEach(() => {
    log.append({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'key-1' });
    log.append(place('after', 10_000_000, Side.buy, BOB));
    truth = log.truth();
  });
  /** A response after the revocation: bob's order follows it in the log. */
  const afterwards = () =>
    ask(
      { kind: 'place', account: 'bob', clientOrderId: 'after' },
      { apiKey: 'key-2', data: listVersions(truth, '1')[0]!.text },
    );

  test('a key may be accepted until its revocation is acknowledged', () => {
    ask(other);
    ask(other, { endedAt: 100 });
    afterwards();
    ask(other, { status: 401, code: 'UNAUTHORIZED' });
    expect(checkHistory(requests, truth)).toEqual([]);
  });

  test('a revoked key that worked', () => {
    afterwards();
    ask(other);
    expect(checkHistory(requests, truth)).toEqual([
      expect.stringContaining('a revoked key was taken'),
    ]);
  });

  const revoke = { kind: 'revokeKey', account: 'operator', revoked: 'key-1' } as const;

  test('a revoked key that worked after its revocation was acknowledged', () => {
    ask(revoke, { apiKey: 'key-2' });
    ask(other, { status: 401, code: 'UNAUTHORIZED' });
    expect(checkHistory(requests, truth)).toEqual([]);
    ask(other);
    expect(checkHistory(requests, truth)).toEqual([
      expect.stringContaining('a revoked key was taken'),
    ]);
  });

  test('a key that was rejected before its revocation was requested', () => {
    const data = '{"key":{"apiKey":"key-1"},"apiSecret":""}';
    ask({ kind: 'makeKey', account: 'operator' }, { apiKey: 'key-2', data });
    ask(other, { status: 401, code: 'UNAUTHORIZED' });
    ask(revoke, { apiKey: 'key-2' });
    expect(checkHistory(requests, truth)).toEqual([expect.stringContaining('a key was refused')]);
  });

  test('a lost revocation, and a refused one that was executed', () => {
    ask({ ...revoke, revoked: 'key-2' }, { apiKey: 'key-2' });
    ask(revoke, { apiKey: 'key-2', ...refused });
    expect(checkHistory(requests, truth)).toEqual([
      expect.stringContaining('an acknowledged revocation is lost'),
      expect.stringContaining('acknowledged and not done'),
      expect.stringContaining('executed although it was refused'),
    ]);
  });

  test('a key that was refused, and not revoked', () => {
    ask({ ...other, account: 'bob' }, { apiKey: 'key-2', status: 401, code: 'UNAUTHORIZED' });
    expect(checkHistory(requests, truth)).toEqual([]);
    afterwards();
    ask({ ...other, account: 'bob' }, { apiKey: 'key-2', status: 401, code: 'UNAUTHORIZED' });
    expect(checkHistory(requests, truth)).toEqual([
      expect.stringContaining('a key was refused that had been made'),
    ]);
  });
});

describe('private streams', () => {
  let truth: Truth;
  let received: ReceivedMessages;
  beforeEach(() => {
    // Two fills of two of alice's orders; one is canceled; one stays open.
    log.append(place('one'), place('two'), place('three', 9_000_000), place('four', 9_000_000));
    log.append(place('take', 10_000_000, Side.sell, BOB));
    log.append(place('more', 10_000_000, Side.sell, BOB));
    log.append({ kind: CommandKind.cancelOrder, ...ALICE, orderId: 3 });
    truth = log.truth();
    const message = (sequence: number, prevSequence: number | undefined, records: unknown[]) => ({
      op: prevSequence === undefined ? 'snapshot' : 'update',
      sequence,
      prevSequence,
      records,
      isFirst: prevSequence === undefined,
    });
    const order = (id: number, version: number) =>
      JSON.parse(listVersions(truth, `${id}`)[version]!.text);
    const balances = (at: number) =>
      JSON.parse(truth.balanceVersions.get('alice')![at]!.text).balances;
    const [first, second] = truth.fillsByAccount.get('alice')!;
    received = {
      client: 'c',
      account: 'alice',
      orders: [
        message(2, undefined, []),
        message(
          3,
          2,
          [1, 2, 3, 4].map((id) => order(id, 0)),
        ),
        message(4, 3, [order(1, 1)]),
        { ...message(6, 4, [order(2, 1), order(3, 1), order(4, 0)]), isFirst: true },
      ] as Delivered[],
      fills: [
        message(0, undefined, []),
        message(1, 0, [first]),
        { ...message(2, 1, [second]), isFirst: true },
      ] as Delivered[],
      balances: [
        message(2, undefined, balances(1)),
        message(3, 2, balances(5)),
        message(4, 3, balances(6)),
        { ...message(6, 4, balances(8)), isFirst: true },
      ] as Delivered[],
    };
  });
  const check = () => checkReceived([received], truth);

  test('a complete stream passes', () => {
    expect(check()).toEqual([]);
  });

  test.each(['orders', 'fills', 'balances'] as const)('a gap in %s', (channel) => {
    received[channel].splice(1, 1);
    expect(check()[0]).toContain(`${channel}: a message after`);
  });

  test('a missing fill, although the sequences match', () => {
    received.fills[2] = { ...received.fills[2]!, records: [] };
    expect(check()).toEqual([expect.stringContaining('fills: they are')]);
  });

  test('a repeated fill', () => {
    const [, first, second] = received.fills;
    received.fills[2] = { ...second!, records: [...first!.records, ...second!.records] };
    expect(check()).toEqual([expect.stringContaining('fills: they are')]);
  });

  test('a missing final order', () => {
    const last = received.orders[3]!;
    received.orders[3] = { ...last, records: last.records.slice(1) };
    expect(check()).toEqual([expect.stringContaining('orders: 2 was last reported as')]);
  });

  test('a repeated final order', () => {
    const last = received.orders[3]!;
    received.orders[3] = { ...last, records: [...received.orders[2]!.records, ...last.records] };
    expect(check()).toEqual([expect.stringContaining('orders: the end of 1 was reported twice')]);
  });

  test('an order that returns to an older state', () => {
    const last = received.orders[3]!;
    const records = [received.orders[1]!.records[0], ...last.records];
    received.orders[3] = { ...last, records };
    expect(check()[0]).toContain('orders: 1 went back');
  });

  test('a record that never existed', () => {
    const last = received.orders[3]!;
    const [one, ...others] = last.records;
    received.orders[3] = { ...last, records: [{ ...one, price: 1 }, ...others] };
    expect(check()[0]).toContain('orders: 2 never was so');
  });

  test('final balances that differ', () => {
    received.balances[3] = { ...received.balances[3]!, records: received.balances[2]!.records };
    expect(check()[0]).toContain('balances: USDT');
  });
});
