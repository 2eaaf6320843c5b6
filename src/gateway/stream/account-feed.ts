import type { Event, OrderRecord, TradeEvent } from '../../engine/event.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import type { State } from '../../engine/state.ts';
import { Side } from '../../engine/terms.ts';
import type { Replica } from '../../replica/replica.ts';
import { fillText, type ShownFill } from '../endpoints/fills.ts';
import { balancesText, balanceText, orderText } from '../endpoints/records.ts';
import type { ResumingSubscription } from './backfill.ts';
import type { ReplayBuffer } from './replay-buffer.ts';
import { ACCOUNT_CHANNELS, type AccountChannel } from './request.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import type { Socket } from './streams.ts';

/** One socket on one channel of its account. */
export interface Listener {
  readonly socket: Socket;
  readonly returning: ResumingSubscription;
  /** What it is to get once it has what it missed; undefined when it hears at once. */
  gathered: ReplayBuffer | undefined;
}

/**
 * The private channels of one account. What a batch did to it is one message a channel, made once for
 * all its sockets. The sequence of `fills` is the trade's id, that of the others the batch's.
 */
export class AccountFeed {
  readonly listeners: Readonly<Record<AccountChannel, Map<Socket, Listener>>> = {
    orders: new Map(),
    fills: new Map(),
    balances: new Map(),
  };
  /** Of the last message of a channel. */
  readonly sequences: Record<AccountChannel, number>;
  private readonly orders = new Map<number, OrderRecord>();
  private readonly fills: ShownFill[] = [];
  private readonly assets = new Set<number>();

  constructor(
    readonly account: Account,
    private readonly replica: Replica,
    private readonly metrics: StreamMetrics,
  ) {
    const { position } = replica;
    // Batches may be under way from here to the log's end: all that counts as sent is applied.
    this.sequences = { orders: position, fills: this.state.nextTradeId - 1, balances: position };
  }

  get isUnheard(): boolean {
    return ACCOUNT_CHANNELS.every((channel) => this.listeners[channel].size === 0);
  }

  note(event: Event): void {
    const { index } = this.account;
    if (event.kind === 'trade') {
      if (event.makerAccount === index) this.noteFill(event, true);
      if (event.takerAccount === index) this.noteFill(event, false);
    } else if (event.account === index) {
      if (event.kind === 'order') this.orders.set(event.id, event);
      else this.assets.add(event.asset);
    }
  }

  private noteFill(trade: TradeEvent, isMaker: boolean): void {
    const { base, quote } = this.state.markets[trade.market]!;
    this.assets.add(base.index).add(quote.index);
    const { takerSide } = trade;
    this.fills.push({
      tradeId: trade.id,
      orderId: isMaker ? trade.makerOrderId : trade.takerOrderId,
      market: trade.market,
      side: isMaker ? (takerSide === Side.buy ? Side.sell : Side.buy) : takerSide,
      isMaker,
      price: trade.price,
      amount: trade.amount,
      fee: isMaker ? trade.makerFee : trade.takerFee,
      time: trade.time,
    });
  }

  /** Sends what was noted. */
  flush(): void {
    const { orders, fills, assets } = this;
    const { position } = this.replica;
    if (orders.size > 0) {
      this.send('orders', position, () =>
        Array.from(orders.values(), (order) => this.orderText(order)),
      );
      orders.clear();
    }
    if (fills.length > 0) {
      this.send('fills', fills.at(-1)!.tradeId, () => fills.map((fill) => this.fillText(fill)));
      fills.length = 0;
    }
    if (assets.size > 0) {
      this.send('balances', position, () => Array.from(assets, (asset) => this.balanceText(asset)));
      assets.clear();
    }
  }

  /**
   * Says that nothing happened up to a sequence that this node has applied: another node has told of it,
   * and who comes from there must not go back. All that was noted must have been sent.
   */
  advance(channel: AccountChannel, sequence: number): void {
    if (sequence > this.sequences[channel]) this.send(channel, sequence, () => []);
  }

  /** What a socket gets first that has nothing yet. All that was noted must have been sent. */
  snapshot(channel: AccountChannel): string {
    const head = `{"op":"snapshot","channel":"${channel}","sequence":${this.sequences[channel]},"data":`;
    if (channel === 'balances') return `${head}${balancesText(this.account, this.state)}}`;
    const texts = channel === 'orders' ? this.openOrderTexts() : [];
    return `${head}{"${channel}":[${texts.join(',')}]}}`;
  }

  /** How many records the channel's present state has, at most. */
  presentRecords(channel: AccountChannel): number {
    if (channel === 'orders') return this.account.openOrders;
    return channel === 'balances' ? this.account.balances.length : 0;
  }

  openOrderTexts(): string[] {
    return this.state.openOrdersOf(this.account).map((order) => this.orderText(order));
  }

  balanceTexts(): string[] {
    return this.account.balances.flatMap((balance) =>
      balance === undefined ? [] : [this.balanceText(balance.asset)],
    );
  }

  orderText(order: OrderRecord): string {
    return orderText(order, this.state.markets[order.market]!);
  }

  fillText(fill: ShownFill): string {
    return fillText(fill, this.state.markets[fill.market]!);
  }

  private balanceText(asset: number): string {
    return balanceText(this.account.balances[asset]!, this.state.assets[asset]!);
  }

  /** @param texts The records, made only where somebody hears the channel. */
  private send(channel: AccountChannel, sequence: number, texts: () => string[]): void {
    const prevSequence = this.sequences[channel];
    this.sequences[channel] = sequence;
    const listeners = this.listeners[channel];
    if (listeners.size === 0) return;
    this.metrics.updates.add(this.metrics.slotOf(channel), listeners.size);
    const message = updateText(channel, prevSequence, sequence, texts());
    for (const { socket, gathered } of listeners.values()) {
      if (gathered === undefined) socket.send(message);
      else gathered.add(message, socket);
    }
  }

  private get state(): State {
    return this.replica.exchange.state;
  }
}

/** An update of a private channel, its records as JSON texts. */
export function updateText(
  channel: AccountChannel,
  prevSequence: number,
  sequence: number,
  texts: readonly string[],
): string {
  return (
    `{"op":"update","channel":"${channel}","prevSequence":${prevSequence},"sequence":${sequence},` +
    `"data":{"${channel}":[${texts.join(',')}]}}`
  );
}
