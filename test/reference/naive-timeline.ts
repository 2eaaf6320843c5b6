import { orderStatuses } from '../../src/engine/terms.ts';
import type { NaiveExchange } from './naive-exchange.ts';
import { currentStatus, type NaiveOrder, type NaiveState } from './naive-state.ts';

/** The orders ahead of a resting order: number of better prices, amount in its queue, and whole amount. */
export interface NaiveAhead {
  readonly levels: number;
  readonly queue: bigint;
  readonly amount: bigint;
}

/** An event of an order: its kind, and the facts that it has in every model. */
export interface NaiveTimelineEvent {
  readonly kind: string;
  readonly position: number;
  readonly time: number;
  readonly price: number;
  readonly amount: number;
  readonly filled: number;
  readonly ahead: NaiveAhead | undefined;
}

interface Life {
  last: NaiveOrder | undefined;
  filled: number;
  wasResting: boolean;
  isActivated: boolean;
  marketStatus: number;
  readonly events: NaiveTimelineEvent[];
  /** The orders ahead after each command that changed them. */
  readonly points: { readonly position: number; readonly ahead: NaiveAhead }[];
}

/** Records the lives of all orders of the reference model, by looking at everything after every command. */
export class NaiveTimelines {
  readonly lives = new Map<number, Life>();
  /** Ids of the orders that came to rest with the last command. */
  private rested: number[] = [];

  constructor(private readonly naive: NaiveExchange) {
    const { state } = naive;
    const rest = state.rest.bind(state);
    state.rest = (order) => {
      this.rested.push(order.id);
      rest(order);
    };
  }

  /** Looks at the last command, the only one of batch `position`. */
  note(position: number): void {
    const { events } = this.naive;
    const changed = events.flatMap(({ kind, id }) => (kind === 'order' ? [id as number] : []));
    for (const id of new Set([...this.lives.keys(), ...changed])) this.noteOrder(id, position);
    this.rested = [];
  }

  private noteOrder(id: number, position: number): void {
    const { state } = this.naive;
    const life = this.lives.get(id) ?? newLife();
    this.lives.set(id, life);
    if (life.last !== undefined && hasEnded(life.last)) return;
    const ahead = naiveAhead(state, id);
    const add = (kind: string, terms: Pick<NaiveTrade, 'price' | 'amount'> = life.last!) => {
      const { price, amount } = terms;
      const { filled, events } = life;
      events.push({ kind, position, time: state.time, price, amount, filled, ahead });
    };
    const fills = this.fills(id);
    const before = life.last;
    life.last = this.report(id) ?? before!;
    const order = life.last;
    if (order !== before) {
      const isLegNeverPlaced = hasEnded(order) && order.parentId !== 0 && fills.length === 0;
      if (before !== undefined && isAmended(before, order)) add('amended');
      if (before === undefined && !isLegNeverPlaced) add('placed');
      if (order.triggeredAt !== before?.triggeredAt) add('triggered');
      for (const fill of fills) {
        life.filled += fill.amount;
        add('fill', fill);
      }
    }
    if (hasEnded(order)) {
      add(orderStatuses[order.status]!);
      return;
    }
    const status = currentStatus(state, state.markets[order.market]!);
    if (before !== undefined && status !== life.marketStatus) add('market_status');
    life.marketStatus = status;
    const isWaiting = (order.trailing?.activationPrice ?? 0) !== 0 && !life.isActivated;
    if (isWaiting && state.best.get(id) !== 0) {
      life.isActivated = true;
      add('activated');
    }
    if (ahead !== undefined && (this.rested.includes(id) || !life.wasResting)) {
      const isMaker = fills.some(({ makerOrderId }) => makerOrderId === id);
      add(life.wasResting && isMaker ? 'replenished' : 'rested');
    }
    life.wasResting = ahead !== undefined;
    if (ahead !== undefined && !Bun.deepEquals(life.points.at(-1)?.ahead, ahead)) {
      life.points.push({ position, ahead });
    }
  }

  /** Returns the last record of an order that the command has reported. */
  private report(id: number): NaiveOrder | undefined {
    const found = this.naive.events.findLast(({ kind, id: own }) => kind === 'order' && own === id);
    return found as NaiveOrder | undefined;
  }

  /** Returns the trades of an order in the last command. */
  private fills(id: number): NaiveTrade[] {
    const { events } = this.naive;
    const trades = events.filter(({ kind }) => kind === 'trade') as unknown as NaiveTrade[];
    return trades.filter((trade) => trade.makerOrderId === id || trade.takerOrderId === id);
  }
}

interface NaiveTrade {
  readonly price: number;
  readonly amount: number;
  readonly makerOrderId: number;
  readonly takerOrderId: number;
}

function hasEnded({ status }: NaiveOrder): boolean {
  return orderStatuses[status] !== 'open';
}

function newLife(): Life {
  const none = { last: undefined, filled: 0, wasResting: false, isActivated: false };
  return { ...none, marketStatus: -1, events: [], points: [] };
}

function isAmended(before: NaiveOrder, after: NaiveOrder): boolean {
  const terms = ({ price, amount, displayAmount, expiresAt, triggerPrice, trailing }: NaiveOrder) =>
    JSON.stringify([price, amount, displayAmount, expiresAt, trailing ? 0 : triggerPrice]);
  return terms(before) !== terms(after);
}

/** Counts what is ahead of an order; undefined if it does not rest. */
export function naiveAhead(state: NaiveState, id: number): NaiveAhead | undefined {
  const order = state.orders.find((each) => each.id === id);
  if (order === undefined) return undefined;
  const side = state.side(order.market, order.side);
  const before = side.slice(0, side.indexOf(order));
  const amount = (orders: readonly NaiveOrder[]) =>
    orders.reduce((sum, each) => sum + BigInt(state.shownAmount(each)), 0n);
  const better = before.filter(({ price }) => price !== order.price);
  return {
    levels: new Set(better.map(({ price }) => price)).size,
    queue: amount(before.filter(({ price }) => price === order.price)),
    amount: amount(before),
  };
}
