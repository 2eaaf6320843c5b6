import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../test/check.ts';
import { ALICE, BOB, Fixture } from '../../test/fixture.ts';
import { rememberLittle } from '../../test/reference/little-memory.ts';
import type { ArchiveQuery } from '../archivist/archive.ts';
import { HOUR_MS } from '../config/durations.ts';
import type { PlaceOrder } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS, MAX_REMEMBERED } from '../engine/limits.ts';
import { findPlaced } from '../engine/orders/placement.ts';
import { readSnapshot, writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { OrderStatus, TimeInForce } from '../engine/terms.ts';
import { HistoryUnavailableError } from '../history/errors.ts';
import type { PlacedIdsPage } from '../history/history.ts';
import { DroppedIdFilter } from './dropped-id-filter.ts';
import { DroppedIds } from './dropped-ids.ts';

/** Large enough that a used id is hardly found by chance. */
const FILTER = { lifetimeMs: CLIENT_ORDER_ID_LIFETIME_MS, bytes: 1 << 14 };

let restore = () => {};
beforeAll(() => {
  restore = rememberLittle();
});
afterAll(() => restore());

interface Placed {
  readonly account: number;
  readonly clientOrderId: string;
  readonly orderId: number;
  readonly time: number;
}

interface Request {
  readonly account: number;
  readonly clientOrderId: string;
  readonly searchedBelow?: number;
}

/** An exchange that restarts, with a history of every ended order. */
class Scenario {
  private fixture = new Fixture();
  private readonly placed: Placed[] = [];
  private readonly ended = new Set<number>();
  private readonly requests: Request[] = [];
  private sleepers: (() => void)[] = [];
  isAway = false;
  damageFound = 0;
  /** Orders that a damaged index hides. */
  readonly hidden = new Set<number>();
  dropped = this.open();

  get state() {
    return this.fixture.exchange.state;
  }

  place(account: number, isOpen = false): string {
    const clientOrderId = `id-${this.state.nextOrderId}`;
    const terms = isOpen ? {} : { timeInForce: TimeInForce.ioc };
    const searchedBelow = this.state.nextOrderId;
    const kind = this.apply(account, { ...terms, clientOrderId, searchedBelow });
    expect(kind).toBe('order');
    return clientOrderId;
  }

  /** Reads a request that repeats an earlier id, as the gateway does; the command is applied later. */
  request(account: number, back: number): void {
    const { state } = this;
    const { clientOrderId = 'first' } = this.placed.at(-1 - back) ?? {};
    const isKnown = findPlaced(state, state.accounts[account]!, clientOrderId) !== undefined;
    const isInHistory = !isKnown && this.isUsed(account, clientOrderId);
    if (isInHistory && !this.isSurelyNew(account, clientOrderId)) return;
    const search = isKnown ? {} : { searchedBelow: state.nextOrderId };
    this.requests.push({ account, clientOrderId, ...search });
  }

  /** Applies the requests that were read. */
  applyRequests(): void {
    for (const { account, ...terms } of this.requests.splice(0)) {
      const { clientOrderId } = terms;
      const isUsed = this.isUsed(account, clientOrderId);
      const kind = this.apply(account, { ...terms, timeInForce: TimeInForce.ioc });
      if (isUsed) expect(kind).not.toBe('order');
    }
  }

  private apply(
    account: number,
    terms: Partial<PlaceOrder> & { readonly clientOrderId: string },
  ): Outcome['kind'] {
    const outcome = this.fixture.buy(account, 1, 10, terms);
    if (outcome.kind === 'order') {
      const { clientOrderId } = terms;
      const { id: orderId } = outcome.order;
      this.placed.push({ account, clientOrderId, orderId, time: this.state.time });
    }
    this.noteEnded();
    return outcome.kind;
  }

  private isUsed(account: number, clientOrderId: string): boolean {
    return this.placed.some(
      (each) =>
        each.account === account &&
        each.clientOrderId === clientOrderId &&
        !(this.hasExpired(each) && this.ended.has(each.orderId)),
    );
  }

  private hasExpired({ time }: Placed): boolean {
    const seconds = Math.floor(this.state.time / 1000) - Math.floor(time / 1000);
    return seconds * 1000 >= CLIENT_ORDER_ID_LIFETIME_MS;
  }

  cancelOldest(account: number): void {
    const [order] = this.state.accountOpenOrders(this.state.accounts[account]!);
    if (order !== undefined) this.fixture.cancel(account, order.id);
    this.noteEnded();
  }

  wait(milliseconds: number): void {
    this.fixture.wait(milliseconds);
    this.noteEnded();
  }

  /** Starts another process from a snapshot. */
  restart(): void {
    const { time } = this.fixture;
    const exchange = readSnapshot(writeSnapshot(this.fixture.exchange));
    this.fixture = Object.assign(new Fixture(), { exchange, time });
    this.sleepers = [];
    this.dropped = this.open();
  }

  /** Lets the loading get to its next pause. */
  async load(): Promise<void> {
    for (const wake of this.sleepers.splice(0)) wake();
    await Bun.sleep(0);
  }

  async loadAll(): Promise<void> {
    while (this.dropped.unloadedAccounts > 0) await this.load();
  }

  isSurelyNew(account: number, clientOrderId: string): boolean {
    return this.dropped.isSurelyNew(this.state.accounts[account]!, clientOrderId);
  }

  /** Used ids that neither the engine knows nor the filter finds, though they have not expired. */
  forgotten(): Placed[] {
    const { state } = this;
    return this.placed.filter((each) => {
      const { account, clientOrderId } = each;
      if (this.hasExpired(each)) return false;
      if (findPlaced(state, state.accounts[account]!, clientOrderId) !== undefined) return false;
      return this.isSurelyNew(account, clientOrderId);
    });
  }

  private open(): DroppedIds {
    const scenario = this;
    const source = {
      query: (query: ArchiveQuery) => scenario.answer(query),
      get damageFound() {
        return scenario.damageFound;
      },
    };
    return new DroppedIds({ exchange: this.fixture.exchange, position: 1 }, source, {
      filter: new DroppedIdFilter(FILTER),
      pageOrders: 2,
      sleep: () => new Promise((resolve) => this.sleepers.push(resolve)),
    });
  }

  private async answer(query: ArchiveQuery): Promise<PlacedIdsPage> {
    if (query.kind !== 'placedIds') throw new Error(query.kind);
    if (this.isAway) throw new HistoryUnavailableError('away');
    const { account, before = Infinity, since, limit } = query.filter;
    const orders = this.placed
      .filter(({ orderId }) => this.ended.has(orderId) && !this.hidden.has(orderId))
      .filter((each) => each.account === account && each.orderId < before && each.time > since)
      .reverse();
    const page = orders.slice(0, limit);
    return {
      clientOrderIds: page.map(({ clientOrderId }) => clientOrderId),
      next: page.length < limit ? undefined : page.at(-1)!.orderId,
    };
  }

  private noteEnded(): void {
    for (const event of this.fixture.events) {
      if (event.kind === 'order' && event.status !== OrderStatus.open) this.ended.add(event.id);
    }
  }
}

test('no used id is taken for a new one or placed again, whatever is dropped, restarted or rotated', async () => {
  const account = fc.constantFrom(ALICE, BOB);
  const step = fc.oneof(
    { weight: 12, arbitrary: fc.record({ place: account, isOpen: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ cancel: account }) },
    { weight: 6, arbitrary: fc.record({ request: account, back: fc.nat(12) }) },
    { weight: 2, arbitrary: fc.constant('apply' as const) },
    { weight: 5, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 15 * HOUR_MS }) }) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
    { weight: 4, arbitrary: fc.constant('load' as const) },
    { weight: 1, arbitrary: fc.constant('away' as const) },
    { weight: 1, arbitrary: fc.constant('damage' as const) },
  );
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 120, size: 'max' }),
    async (steps) => {
      const scenario = new Scenario();
      for (const each of steps) {
        if (each === 'restart') scenario.restart();
        else if (each === 'load') await scenario.load();
        else if (each === 'away') scenario.isAway = !scenario.isAway;
        else if (each === 'damage') scenario.damageFound++;
        else if (each === 'apply') scenario.applyRequests();
        else if ('request' in each) scenario.request(each.request, each.back);
        else if ('place' in each) scenario.place(each.place, each.isOpen);
        else if ('cancel' in each) scenario.cancelOldest(each.cancel);
        else scenario.wait(each.wait);
        expect(scenario.forgotten()).toEqual([]);
      }
      scenario.isAway = false;
      await scenario.loadAll();
      expect(scenario.forgotten()).toEqual([]);
    },
  );
  await checkAsync(property, 300);
});

test('an id is found if it is dropped after newer ones, because its order was open', () => {
  const scenario = new Scenario();
  const open = scenario.place(ALICE, true);
  for (let n = 0; n < 3 * MAX_REMEMBERED.clientOrderIds; n++) scenario.place(ALICE);
  scenario.cancelOldest(ALICE);
  for (let n = 0; n < 3 * MAX_REMEMBERED.clientOrderIds; n++) scenario.place(ALICE);
  expect(scenario.isSurelyNew(ALICE, open)).toBe(false);
  expect(scenario.isSurelyNew(ALICE, 'new')).toBe(true);
});

test('after a start only accounts that had dropped ids need history, until they are read', async () => {
  const scenario = new Scenario();
  const first = scenario.place(ALICE);
  for (let n = 0; n < 9; n++) scenario.place(ALICE);
  scenario.place(BOB);
  scenario.isAway = true;
  scenario.restart();
  expect(scenario.dropped.unloadedAccounts).toBe(1);
  await scenario.load();
  expect(scenario.isSurelyNew(ALICE, 'new')).toBe(false);
  expect(scenario.isSurelyNew(BOB, 'new')).toBe(true);
  scenario.isAway = false;
  await scenario.loadAll();
  expect(scenario.isSurelyNew(ALICE, 'new')).toBe(true);
  expect(scenario.isSurelyNew(ALICE, first)).toBe(false);
});

test('25 hours after a start the ids from before it do not matter any more', async () => {
  const scenario = new Scenario();
  for (let n = 0; n < 9; n++) scenario.place(ALICE);
  scenario.isAway = true;
  scenario.restart();
  scenario.wait(CLIENT_ORDER_ID_LIFETIME_MS - 1);
  expect(scenario.isSurelyNew(ALICE, 'new')).toBe(false);
  scenario.wait(1);
  expect(scenario.isSurelyNew(ALICE, 'new')).toBe(true);
});

test('after damage to history, which may have hidden rows, accounts are read again', async () => {
  const scenario = new Scenario();
  const hidden = scenario.place(ALICE);
  for (let n = 0; n < 9; n++) scenario.place(ALICE);
  scenario.hidden.add(1);
  scenario.restart();
  await scenario.loadAll();
  // The same look-up in history would not have found it either.
  expect(scenario.isSurelyNew(ALICE, hidden)).toBe(true);
  scenario.hidden.clear();
  scenario.damageFound++;
  expect(scenario.isSurelyNew(ALICE, hidden)).toBe(false);
  await scenario.loadAll();
  expect(scenario.isSurelyNew(ALICE, hidden)).toBe(false);
  expect(scenario.isSurelyNew(ALICE, 'new')).toBe(true);
});

test('the filter keeps an id for its lifetime and forgets it after two', () => {
  const filter = new DroppedIdFilter(FILTER);
  const hash = (n: number) => ({ a: Math.imul(n, 0x9e3779b1), b: n, c: 0 });
  for (let hour = 0; hour < 200; hour++) {
    filter.add(hash(hour), hour * HOUR_MS);
    for (let age = 0; age <= 25 && age <= hour; age++) {
      expect(filter.mayHave(hash(hour - age))).toBe(true);
    }
    for (let age = 51; age <= hour; age++) expect(filter.mayHave(hash(hour - age))).toBe(false);
  }
});

test('a filter with 13 bits for each id takes fewer than 1 % of new ids for used ones', () => {
  const filter = new DroppedIdFilter({ ...FILTER, bytes: 1 << 16 });
  const hash = (n: number) => ({ a: Math.imul(n, 0x9e3779b1), b: Math.imul(n, 0x85ebca6b), c: 0 });
  for (let n = 0; n < 40_000; n++) filter.add(hash(n), 0);
  let found = 0;
  for (let n = 40_000; n < 140_000; n++) if (filter.mayHave(hash(n))) found++;
  expect(found).toBeLessThan(1_000);
});
