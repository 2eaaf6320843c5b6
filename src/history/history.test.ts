import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Applied, type Flow, flows, SECRET_HASH } from '../../test/history/flow.ts';
import {
  LIMITS,
  onEachDatabase,
  PROPERTY_TIMEOUT_MS,
  readRows,
  runs,
  withTemporaryHistory,
  withTemporaryUrl,
} from '../../test/history/temporary.ts';
import { CommandKind } from '../engine/command.ts';
import type { OrderRecord, TradeEvent } from '../engine/event.ts';
import { type Exact, sum } from '../engine/numbers/exact.ts';
import { InvariantError, RejectionCode } from '../engine/rejection.ts';
import { OrderStatus, Side } from '../engine/terms.ts';
import { openDatabase } from './database/open-database.ts';
import { HistoryConflictError, HistoryUnreadableError } from './errors.ts';
import { type Candle, type EndedOrder, History } from './history.ts';

const NEWEST = Number.MAX_SAFE_INTEGER;

/** The batches after which history is committed, and the commits after which it is reopened. */
const splits = fc.record({
  commits: fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }),
  restarts: fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }),
});

onEachDatabase(() => {
  test(
    'whatever the commits and restarts, all that happened is read back exactly',
    async () => {
      await fc.assert(
        fc.asyncProperty(flows(), splits, async (flow, { commits, restarts }) => {
          await withTemporaryUrl(async (url) => {
            let history = await History.open(url);
            for (const batch of toBatches(flow)) {
              const { sequence } = batch[0]!;
              recordAll(history, batch);
              if (!commits[sequence]) continue;
              await history.commit(sequence, hashState(sequence));
              if (!restarts[sequence]) continue;
              await history.close();
              history = await History.open(url);
              expect(history.position()).toEqual({ sequence, hash: hashState(sequence) });
            }
            // Uncommitted rows are visible already.
            await expectAll(history, flow);
            const { sequence } = flow.applied.at(-1)!;
            if (history.position().sequence < sequence) {
              await history.commit(sequence, hashState(sequence));
            }
            await history.close();
            history = await History.open(url);
            await expectAll(history, flow);
            await history.close();
          });
        }),
        { numRuns: runs(25), ...LIMITS },
      );
    },
    PROPERTY_TIMEOUT_MS,
  );

  test(
    'uncommitted rows are lost with the process and restored from the log',
    async () => {
      await fc.assert(
        fc.asyncProperty(flows(), fc.nat(30), async (flow, kept) => {
          await withTemporaryUrl(async (url) => {
            const batches = toBatches(flow);
            const crashed = await History.open(url);
            for (const batch of batches.slice(0, kept)) recordAll(crashed, batch);
            const last = batches.slice(0, kept).at(-1)?.at(-1)?.sequence ?? 0;
            if (last > 0) await crashed.commit(last, hashState(last));
            for (const batch of batches.slice(kept)) recordAll(crashed, batch);
            await crashed.close();

            const history = await History.open(url);
            expect(history.position().sequence).toBe(last);
            for (const batch of batches.slice(kept)) recordAll(history, batch);
            await expectAll(history, flow);
            await history.close();
          });
        }),
        { numRuns: runs(15), ...LIMITS },
      );
    },
    PROPERTY_TIMEOUT_MS,
  );

  test('candles start at the requested time', async () => {
    await withTemporaryHistory(async ({ history }) => {
      const flow = fc.sample(flows(), { numRuns: 100, seed: 5 }).find(({ applied }) => {
        return toMinuteCandles(applied, 0).length > 1;
      })!;
      recordAll(history, flow.applied);
      const [first, ...rest] = toMinuteCandles(flow.applied, 0);
      expect(await history.minuteCandles(0, first!.start)).toEqual([first!, ...rest]);
      expect(await history.minuteCandles(0, first!.start + 1)).toEqual(rest);
      await history.commit(200, hashState(200));
      expect(await history.minuteCandles(0, first!.start + 1)).toEqual(rest);
    });
  });

  describe('the position', () => {
    test('an empty history is before the first batch', async () => {
      await withTemporaryHistory(async ({ history }) => {
        expect(history.position()).toEqual({ sequence: 0, hash: new Uint8Array(32) });
        expect(await history.auditPage({ beforeId: NEWEST, limit: 10 })).toEqual([]);
      });
    });

    test('a batch that history already has is rejected', async () => {
      await withTemporaryHistory(async ({ history }) => {
        history.record(3, 0, 1, { kind: CommandKind.tick }, { kind: 'done' }, []);
        expect(() => tick(history, 2)).toThrow(InvariantError);
        await expect(history.commit(2, hashState(2))).rejects.toThrow(InvariantError);
        await history.commit(3, hashState(3));
        expect(() => tick(history, 3)).toThrow('was given batch 3');
        await expect(history.commit(3, hashState(3))).rejects.toThrow(InvariantError);
        tick(history, 4);
        await history.commit(5, hashState(5));
        expect(history.position().sequence).toBe(5);
      });
    });

    test('the second of two writers of one database is rejected and writes nothing', async () => {
      await withTemporaryUrl(async (url) => {
        const [flow] = fc.sample(flows(), { numRuns: 1, seed: 1 });
        const first = await History.open(url);
        const second = await History.open(url);
        recordAll(first, flow!.applied);
        await first.commit(200, hashState(200));
        tick(second, 1);
        createAccount(second, 1);
        await expect(second.commit(1, hashState(1))).rejects.toThrow(HistoryConflictError);
        expect(first.position().sequence).toBe(200);
        expect(await readRows(url, 'position')).toEqual([
          { sequence: 200, hash: hashState(200).toHex(), checksum: expect.any(Number) },
        ]);
        await expectAll(first, flow!);
        // The first one continues.
        tick(first, 201);
        await first.commit(201, hashState(201));
        await first.close();
        await second.close();
      });
    });

    test('the same batch with another hash belongs to another log', async () => {
      await withTemporaryHistory(async ({ url, history }) => {
        await history.commit(1, hashState(1));
        const database = openDatabase(url);
        await database.run('UPDATE position SET hash = $1', hashState(2).toHex());
        await database.close();
        await expect(history.commit(2, hashState(2))).rejects.toThrow(HistoryConflictError);
      });
    });

    test('a commit that fails half-way leaves the database unchanged', async () => {
      await withTemporaryHistory(async ({ history, rows }) => {
        const flow = fc.sample(flows(), { numRuns: 50, seed: 2 }).find(({ applied }) => {
          return listFinalOrders(applied).length > 1;
        })!;
        recordAll(history, flow.applied);
        // An order that becomes final twice breaks the index, after other rows are in.
        for (const { command, outcome, events } of flow.applied) {
          history.record(300, 0, 1, command, outcome, events);
        }
        await expect(history.commit(300, hashState(300))).rejects.toThrow(/unique/i);
        expect(await rows('orders')).toEqual([]);
        expect(await rows('audit')).toEqual([]);
        expect(await rows('position')).toMatchObject([{ sequence: 0 }]);
        expect(history.position().sequence).toBe(0);
      });
    });
  });

  describe('the audit', () => {
    test('returns actions with actor and outcome, newest first, in pages', async () => {
      await withTemporaryHistory(async ({ history }) => {
        const [flow] = fc.sample(flows(), { numRuns: 1, seed: 3 });
        recordAll(history, flow!.applied);
        const all = await history.auditPage({ beforeId: NEWEST, limit: 1000 });
        const first = all.filter(({ sequence }) => sequence === 1);
        expect(first.slice(0, 3)).toMatchObject([
          { action: 'setAccountStatus', details: '{"owner":0,"frozen":false}', outcome: 'done' },
          { action: 'revokeKey', outcome: 'rejected', rejection: RejectionCode.unknownKey },
          { action: 'transfer', outcome: 'repeated', rejection: 0, sequence: 1, account: -1 },
        ]);
        expect(JSON.parse(first[2]!.details)).toEqual({
          owner: 0,
          asset: 0,
          amount: (10n ** 29n).toString(),
          reference: 'credit-0-0',
          reason: 'test funds',
        });
        expect(all.map(({ id }) => id)).toEqual(all.map((_, place) => all.length - place));
        expect(new Set(all.map(({ action }) => action))).not.toContain('placeOrder');

        const paged = await history.auditPage({ beforeId: NEWEST, limit: 5 });
        while (paged.length < all.length)
          paged.push(...(await history.auditPage({ beforeId: paged.at(-1)!.id, limit: 5 })));
        expect(paged).toEqual(all);
      });
    });
  });
});

test('contains no secret and no hash of one', async () => {
  await withTemporaryUrl(async (url, path) => {
    const [flow] = fc.sample(flows(), { numRuns: 1, seed: 4 });
    const history = await History.open(url);
    recordAll(history, flow!.applied);
    const page = await history.auditPage({ beforeId: NEWEST, limit: 1000 });
    const created = page.find(({ action }) => action === 'createKey')!;
    expect(JSON.parse(created.details)).toEqual({
      owner: 0,
      apiKey: 'key-0',
      permissions: 3,
      label: 'bot',
      addresses: ['127.0.0.1'],
      expiresAt: 0,
    });
    await history.commit(200, hashState(200));
    await history.close();
    const bytes = readFileSync(path);
    expect(bytes.includes('key-0')).toBe(true);
    expect(bytes.includes(SECRET_HASH)).toBe(false);
    expect(bytes.includes(SECRET_HASH.toHex())).toBe(false);
    expect(bytes.includes(SECRET_HASH.toBase64())).toBe(false);
    expect(bytes.includes(JSON.stringify(SECRET_HASH[0]).concat(','))).toBe(false);
  });
});

test('a file that is not a database is rejected with advice', async () => {
  await withTemporaryUrl(async (url, path) => {
    writeFileSync(path, 'something else entirely, and long enough to have a header'.repeat(20));
    const opening = History.open(url);
    await expect(opening).rejects.toThrow(HistoryUnreadableError);
    await expect(opening).rejects.toThrow('move it away');
    await expect(History.open('mysql://localhost/x')).rejects.toThrow('sqlite://PATH');
  });
});

function toBatches({ applied }: Flow): Applied[][] {
  return [...Map.groupBy(applied, ({ sequence }) => sequence).values()];
}

function recordAll(history: History, applied: readonly Applied[]): void {
  for (const { sequence, index, time, command, outcome, events } of applied) {
    history.record(sequence, index, time, command, outcome, events);
  }
}

function tick(history: History, sequence: number): void {
  history.record(sequence, 0, 1, { kind: CommandKind.tick }, { kind: 'done' }, []);
}

function createAccount(history: History, sequence: number): void {
  const command = {
    kind: CommandKind.createAccount,
    account: -1,
    key: -1,
    accountId: 'carol',
    limitClass: 1,
  } as const;
  history.record(sequence, 1, 1, command, { kind: 'done' }, []);
}

function hashState(sequence: number): Uint8Array {
  return new Uint8Array(32).fill(sequence & 255);
}

/** Every order that ended, in pages of two, as a stream that resumes reads them. */
async function readEndedOrders(history: History, account: number): Promise<EndedOrder[]> {
  const ends: EndedOrder[] = [];
  for (;;) {
    const last = ends.at(-1);
    const after = { endedIn: last?.endedIn ?? 0, id: last?.order.id ?? 0 };
    const page = await history.endedOrders({ account, after, upTo: NEWEST, limit: 2 });
    ends.push(...page);
    if (page.length < 2) return ends;
  }
}

/** Compares orders, candles and audit with the engine's events. */
async function expectAll(history: History, { applied, exchange }: Flow): Promise<void> {
  const orders = listFinalOrders(applied);
  for (const { index: account } of exchange.state.accounts) {
    const own = orders.filter((order) => order.account === account);
    const page = await history.finalOrders({ account, descending: false, limit: 1000 });
    expect(page).toEqual({ orders: own, searchedTo: undefined });
    expect(await readEndedOrders(history, account)).toEqual(
      applied
        .flatMap(({ sequence, events }) =>
          listFinalOrders([{ events }])
            .filter((order) => order.account === account)
            .map((order) => ({ account, endedIn: sequence, order })),
        )
        .sort((a, b) => a.endedIn - b.endedIn || a.order.id - b.order.id),
    );
  }
  for (const { index: account } of exchange.state.accounts) {
    const ids = orders.map(({ id }) => id);
    const own = await history.ordersById(account, [...ids, NEWEST]);
    const expected = orders.filter((order) => order.account === account);
    expect(own.sort((a, b) => a.id - b.id)).toEqual(expected);
  }
  for (const order of orders) {
    expect(await history.order(order.account, order.id)).toEqual(order);
    expect(await history.order(order.account + 1, order.id)).toBeUndefined();
  }
  for (const { index: market } of exchange.state.markets) {
    expect(await history.minuteCandles(market, 0)).toEqual(toMinuteCandles(applied, market));
  }
  const audited = applied.filter(({ command }) => command.kind !== CommandKind.placeOrder);
  const administered = audited.filter(({ command }) => command.kind !== CommandKind.cancelOrder);
  const audit = await history.auditPage({ beforeId: NEWEST, limit: 1000 });
  expect(audit.reverse().map(({ sequence, index, time }) => ({ sequence, index, time }))).toEqual(
    administered.map(({ sequence, index, time }) => ({ sequence, index, time })),
  );
}

/** By id. */
function listFinalOrders(applied: readonly Pick<Applied, 'events'>[]): OrderRecord[] {
  return applied
    .flatMap(({ events }) => events)
    .flatMap((event) => (event.kind === 'order' ? [event] : []))
    .filter(({ status }) => status !== OrderStatus.open)
    .sort((a, b) => a.id - b.id);
}

/** The candles of a market, each from the list of its trades. */
function toMinuteCandles(applied: readonly Applied[], market: number): Candle[] {
  const trades = applied
    .flatMap(({ events }) => events)
    .filter((event): event is TradeEvent => event.kind === 'trade' && event.market === market);
  const total = (list: readonly TradeEvent[], value: (trade: TradeEvent) => Exact) =>
    list.reduce<Exact>((all, trade) => sum(all, value(trade)), 0);
  const bought = (list: readonly TradeEvent[]) =>
    list.filter(({ takerSide }) => takerSide === Side.buy);
  const minutes = Map.groupBy(trades, ({ time }) => Math.floor(time / 60_000) * 60_000);
  return [...minutes].map(([start, own]) => ({
    start,
    open: own[0]!.price,
    high: Math.max(...own.map(({ price }) => price)),
    low: Math.min(...own.map(({ price }) => price)),
    close: own.at(-1)!.price,
    baseVolume: total(own, ({ amount }) => amount),
    quoteVolume: total(own, ({ cost }) => cost),
    trades: own.length,
    takerBuyVolume: total(bought(own), ({ amount }) => amount),
    takerBuyQuoteVolume: total(bought(own), ({ cost }) => cost),
    firstTradeId: own[0]!.id,
    lastTradeId: own.at(-1)!.id,
    lastAmount: own.at(-1)!.amount,
  }));
}
