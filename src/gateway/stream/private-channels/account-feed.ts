import { hasEnded, isEnded } from '../../../engine/custody/statuses.ts';
import type {
  DepositRecord,
  Event,
  OrderRecord,
  TradeEvent,
  WithdrawalRecord,
} from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import type { State } from '../../../engine/state.ts';
import { EntryType, OrderStatus } from '../../../engine/terms.ts';
import type { Replica } from '../../../replica/replica.ts';
import { depositText, withdrawalText } from '../../endpoints/custody/custody-records.ts';
import { fillText, type ShownFill, toFill, withFills } from '../../endpoints/fills.ts';
import { balancesText, balanceText, orderText, withQueueAhead } from '../../endpoints/records.ts';
import type { QueuePositions } from '../../orders/queue-positions.ts';
import type { ResumingSubscription } from '../replay/backfill.ts';
import type { ReplayBuffer } from '../replay/replay-buffer.ts';
import { ACCOUNT_CHANNELS, type AccountChannel } from '../request.ts';
import { sendSoon } from '../sockets/outgoing.ts';
import type { Socket } from '../sockets/socket.ts';
import type { StreamMetrics } from '../stream-metrics.ts';

/** One socket's subscription to one channel of its account. */
export interface AccountSubscription {
  readonly socket: Socket;
  readonly resuming: ResumingSubscription;
  /** Whether its orders have the amount that is ahead of them. */
  readonly queueAhead: boolean;
  /** Whether updates of its orders have the fills that changed them. */
  readonly fills: boolean;
  /** Holds live updates back until the snapshot or backfill has been sent; undefined afterwards. */
  replayBuffer: ReplayBuffer | undefined;
}

/** The fields of order records that a subscriber requested. */
type OrderTerms = Pick<AccountSubscription, 'queueAhead' | 'fills'>;

/**
 * The private channels of one account. Each batch makes at most one message per channel, which is built
 * once for all sockets. The sequence of `fills` is the trade id, that of the other channels the batch's.
 */
export class AccountFeed {
  readonly subscriptions: Readonly<Record<AccountChannel, Map<Socket, AccountSubscription>>> = {
    orders: new Map(),
    fills: new Map(),
    balances: new Map(),
    deposits: new Map(),
    withdrawals: new Map(),
  };
  /** The sequence of the last message, by channel. */
  readonly sequences: Record<AccountChannel, number>;
  private readonly orders = new Map<number, OrderRecord>();
  /** The trigger prices of open trailing stops, as last collected. */
  private readonly triggerPrices = new Map<number, number>();
  private readonly fills: ShownFill[] = [];
  /** The fills that belong to `orders`, whose update may wait longer than that of fills. */
  private readonly orderFills: ShownFill[] = [];
  private readonly deposits = new Map<number, DepositRecord>();
  private readonly withdrawals = new Map<number, WithdrawalRecord>();
  private readonly assets = new Set<number>();
  /** Ids of trades that were busted. */
  private readonly busts = new Set<number>();
  /** Whether changes of orders are held back until the amounts ahead of them can be read. */
  private awaitsQueues = false;

  constructor(
    readonly account: Account,
    private readonly replica: Replica,
    private readonly positions: QueuePositions,
    private readonly metrics: StreamMetrics,
  ) {
    const { position } = replica;
    // Whatever is applied counts as sent; later batches may still be in flight to the log.
    this.sequences = {
      orders: position,
      fills: this.state.nextTradeId - 1,
      balances: position,
      deposits: position,
      withdrawals: position,
    };
    this.noteMovedTriggers();
    this.orders.clear();
  }

  get isEmpty(): boolean {
    return ACCOUNT_CHANNELS.every((channel) => this.subscriptions[channel].size === 0);
  }

  /** Collects the changes of an event for the next `flush`. */
  note(event: Event): void {
    const { index } = this.account;
    if (event.kind === 'trade') {
      if (event.makerAccount === index) this.noteFill(event, true);
      if (event.takerAccount === index) this.noteFill(event, false);
    } else if (event.account === index) {
      if (event.kind === 'order') this.noteOrder(event);
      else if (event.kind === 'entry') {
        this.assets.add(event.asset);
        if (event.type === EntryType.tradeBust) this.busts.add(event.reference);
      } else if (event.kind === 'deposit') this.deposits.set(event.id, event);
      else if (event.kind === 'withdrawal') this.withdrawals.set(event.id, event);
    }
  }

  private noteOrder(order: OrderRecord): void {
    const { id, trailing, triggerPrice, status } = order;
    this.orders.set(id, order);
    if (trailing === undefined) return;
    if (status === OrderStatus.open) this.triggerPrices.set(id, triggerPrice);
    else this.triggerPrices.delete(id);
  }

  /** Collects the trailing stops whose triggers have moved since. @returns Whether there are any. */
  noteMovedTriggers(): boolean {
    const { details, trailingSlots } = this.state;
    const slots = trailingSlots.byAccount.get(this.account.index);
    if (slots === undefined) return false;
    for (const slot of slots) {
      const id = details.id(slot);
      const triggerPrice = details.triggerPrice(slot);
      if (this.triggerPrices.get(id) === triggerPrice) continue;
      this.triggerPrices.set(id, triggerPrice);
      this.orders.set(id, this.state.openRecord(slot));
    }
    return this.orders.size > 0;
  }

  private noteFill(trade: TradeEvent, isMaker: boolean): void {
    const { base, quote } = this.state.markets[trade.market]!;
    this.assets.add(base.index).add(quote.index);
    const fill = toFill(trade, isMaker);
    this.fills.push(fill);
    this.orderFills.push(fill);
  }

  /** Sends the collected changes. */
  flush(): void {
    const { fills, assets } = this;
    const { position } = this.replica;
    this.flushOrders();
    if (fills.length > 0) {
      this.send('fills', fills.at(-1)!.tradeId, () => fills.map((fill) => this.fillText(fill)));
      fills.length = 0;
    }
    if (this.busts.size > 0) {
      const texts = [...this.busts].flatMap((id) => this.bustTexts(id));
      this.send('fills', this.sequences.fills, () => [], texts);
      this.busts.clear();
    }
    if (assets.size > 0) {
      this.send('balances', position, () => Array.from(assets, (asset) => this.balanceText(asset)));
      assets.clear();
    }
    this.flushPayments();
  }

  /** Sends the deposits and withdrawals that have changed. */
  private flushPayments(): void {
    const { deposits, withdrawals } = this;
    const { position } = this.replica;
    if (deposits.size > 0) {
      const changed = Array.from(deposits.values());
      this.send('deposits', position, () => changed.map((each) => this.paymentText(each)));
      deposits.clear();
    }
    if (withdrawals.size > 0) {
      const changed = Array.from(withdrawals.values());
      this.send('withdrawals', position, () => changed.map((each) => this.paymentText(each)));
      withdrawals.clear();
    }
  }

  /** Sends the changes of orders, or waits for the amounts ahead of them. */
  private flushOrders(): void {
    if (this.orders.size === 0 || this.awaitsQueues) return;
    const queues = this.showsQueues ? this.positions.prepare(this.orders.keys()) : undefined;
    if (queues === undefined) {
      this.sendOrders();
      return;
    }
    this.awaitsQueues = true;
    void queues.then(() => {
      this.awaitsQueues = false;
      this.sendOrders();
    });
  }

  private sendOrders(): void {
    const { orders } = this;
    this.send('orders', this.replica.position, (terms) => this.changedOrderTexts(terms));
    orders.clear();
    this.orderFills.length = 0;
  }

  private get showsQueues(): boolean {
    for (const { queueAhead } of this.subscriptions.orders.values()) if (queueAhead) return true;
    return false;
  }

  /** Resolves when the amounts ahead of all open orders can be read, undefined if they can be now. */
  prepareQueues(): Promise<void> | undefined {
    const { details } = this.state;
    return this.positions.prepare(this.account.openSlots.map((slot) => details.id(slot)));
  }

  /** Returns the collected orders as JSON. */
  private changedOrderTexts({ queueAhead, fills }: OrderTerms): string[] {
    const changed = Array.from(this.orders.values());
    if (!fills) return changed.map((order) => this.orderText(order, queueAhead));
    const byOrder = Map.groupBy(this.orderFills, ({ orderId }) => orderId);
    return changed.map((order) => {
      const text = this.orderText(order, queueAhead);
      return withFills(text, byOrder.get(order.id) ?? [], this.state.markets[order.market]!);
    });
  }

  /**
   * Moves the channel to a sequence that this node has applied, with an empty update, because another
   * node has delivered that sequence and a client that comes from there must not go back. Call `flush`
   * first.
   */
  advanceTo(channel: AccountChannel, sequence: number): void {
    if (sequence > this.sequences[channel]) this.send(channel, sequence, () => []);
  }

  /** Returns the first message of a new subscription. Call `flush` first. */
  snapshot(channel: AccountChannel, queueAhead: boolean): string {
    const head = `{"op":"snapshot","channel":"${channel}","sequence":${this.sequences[channel]},"data":`;
    if (channel === 'balances') return `${head}${balancesText(this.account, this.state)}}`;
    const texts = this.openTexts(channel, queueAhead);
    return `${head}{"${channel}":[${texts.join(',')}]}}`;
  }

  /** Returns the maximum number of records in a snapshot of the channel. */
  snapshotRecords(channel: AccountChannel): number {
    if (channel === 'orders') return this.account.openOrders;
    if (channel === 'balances') return this.account.balances.length;
    return channel === 'fills' ? 0 : this.openPayments(channel).length;
  }

  private openTexts(channel: Exclude<AccountChannel, 'balances'>, queueAhead: boolean): string[] {
    if (channel === 'fills') return [];
    if (channel === 'orders') return this.openOrderTexts(queueAhead);
    return this.openPayments(channel).map((each) => this.paymentText(each));
  }

  /** Returns the deposits or withdrawals that have not ended, the oldest first. */
  private openPayments(
    channel: 'deposits' | 'withdrawals',
  ): readonly (DepositRecord | WithdrawalRecord)[] {
    const { store } = this.state.parts.custody;
    const { index } = this.account;
    const open =
      channel === 'deposits'
        ? store.accountDepositRecords(index).filter((each) => !isEnded(each))
        : [...store.accountWithdrawalRecords(index)].filter((each) => !hasEnded(each));
    return open.sort((a, b) => a.id - b.id);
  }

  openOrderTexts(queueAhead: boolean): string[] {
    const orders = this.state.accountOpenOrders(this.account);
    return orders.map((order) => this.orderText(order, queueAhead));
  }

  balanceTexts(): string[] {
    return this.account.balances.flatMap((balance) =>
      balance === undefined ? [] : [this.balanceText(balance.asset)],
    );
  }

  /** @param queueAhead Whether to add the amount that is ahead of it now. */
  orderText(order: OrderRecord, queueAhead: boolean): string {
    const market = this.state.markets[order.market]!;
    const text = orderText(order, market);
    if (!queueAhead) return text;
    const ahead = order.status === OrderStatus.open ? this.positions.ahead(order.id) : undefined;
    return withQueueAhead(text, ahead, market);
  }

  paymentText(payment: DepositRecord | WithdrawalRecord): string {
    return payment.kind === 'deposit'
      ? depositText(payment, this.state)
      : withdrawalText(payment, this.state);
  }

  fillText(fill: ShownFill): string {
    return fillText(fill, this.state.markets[fill.market]!);
  }

  /** Returns the fills of this account in a busted trade, as JSON. */
  private bustTexts(tradeId: number): string[] {
    const {
      makerFeePaid: makerFee,
      takerFeePaid: takerFee,
      ...terms
    } = this.state.parts.tradeBusts.find(tradeId)!;
    const trade = { ...terms, makerFee, takerFee };
    const own: string[] = [];
    if (trade.makerAccount === this.account.index) own.push(this.fillText(toFill(trade, true)));
    if (trade.takerAccount === this.account.index) own.push(this.fillText(toFill(trade, false)));
    return own;
  }

  private balanceText(asset: number): string {
    return balanceText(this.account.balances[asset]!, this.state.assets[asset]!);
  }

  /**
   * @param texts Returns the records as JSON, with what subscribers of these terms want. Called once for each terms.
   * @param busts Fills of busted trades as JSON.
   */
  private send(
    channel: AccountChannel,
    sequence: number,
    texts: (terms: OrderTerms) => string[],
    busts: readonly string[] = [],
  ): void {
    const prevSequence = this.sequences[channel];
    this.sequences[channel] = sequence;
    const subscriptions = this.subscriptions[channel];
    if (subscriptions.size === 0) return;
    this.metrics.updates.add(this.metrics.channelSlot(channel), subscriptions.size);
    const messages: string[] = [];
    for (const subscription of subscriptions.values()) {
      const { socket, replayBuffer, queueAhead, fills } = subscription;
      const place = (queueAhead ? 1 : 0) + (fills ? 2 : 0);
      messages[place] ??= updateText(channel, prevSequence, sequence, texts(subscription), busts);
      const message = messages[place];
      if (replayBuffer === undefined) sendSoon(socket, message);
      else replayBuffer.add(message, socket);
    }
  }

  private get state(): State {
    return this.replica.exchange.state;
  }
}

/** Returns an update of a private channel. @param texts The records as JSON. @param busts Fills of busted trades as JSON */
export function updateText(
  channel: AccountChannel,
  prevSequence: number,
  sequence: number,
  texts: readonly string[],
  busts: readonly string[] = [],
): string {
  const busted = busts.length === 0 ? '' : `,"busts":[${busts.join(',')}]`;
  return (
    `{"op":"update","channel":"${channel}","prevSequence":${prevSequence},"sequence":${sequence},` +
    `"data":{"${channel}":[${texts.join(',')}]${busted}}}`
  );
}
