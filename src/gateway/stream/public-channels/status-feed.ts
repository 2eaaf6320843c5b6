import type { MarketRules } from '../../../engine/markets/market-rules.ts';
import type { State } from '../../../engine/state.ts';
import { marketStatuses } from '../../../engine/terms.ts';
import { marketText } from '../../endpoints/records.ts';
import { exchangeStatusText } from '../../endpoints/trading-status.ts';
import type { Services } from '../../services.ts';
import { alreadySubscribed } from '../request-errors.ts';
import { sendSoon } from '../sockets/outgoing.ts';
import type { Socket } from '../sockets/socket.ts';
import type { StreamMetrics } from '../stream-metrics.ts';

const CHANNEL = 'markets';

/** The public channel of statuses and rules: halts, auctions, the kill switch, maintenance, announcements, new markets and changed rules. */
export class StatusFeed {
  private readonly sockets = new Set<Socket>();
  /** The statuses that were last sent, by market, and the status of the exchange. */
  private sent: readonly number[] = [];
  private sentExchange = '';
  /** The rules of the markets when the last message was sent; each change makes a new object. */
  private sentRules: readonly MarketRules[] = [];
  private seenChanges = -1;

  constructor(
    private readonly services: Services,
    private readonly metrics: StreamMetrics,
  ) {}

  get isEmpty(): boolean {
    return this.sockets.size === 0;
  }

  /** Sends the statuses of all markets. @throws ApiError INVALID_REQUEST if the socket is subscribed */
  subscribe(socket: Socket): void {
    if (this.sockets.has(socket)) throw alreadySubscribed();
    const { state } = this;
    if (this.isEmpty) this.remember(state);
    this.sockets.add(socket);
    sendSoon(socket, this.message('snapshot', state, [...state.markets.keys()]));
  }

  unsubscribe(socket: Socket): void {
    this.sockets.delete(socket);
  }

  /** Sends the status of the exchange, and the statuses and rules that have changed since the last message. */
  update(): void {
    if (this.isEmpty) return;
    const { state, sent, sentRules, sentExchange } = this;
    if (countStatusChanges(state) === this.seenChanges) return;
    this.remember(state);
    const indexes = [...state.markets.keys()];
    const changed = indexes.filter((index) => this.sent[index] !== sent[index]);
    const relisted = indexes.filter((index) => this.sentRules[index] !== sentRules[index]);
    const isSame = changed.length === 0 && relisted.length === 0;
    if (isSame && this.sentExchange === sentExchange) return;
    const message = this.message('update', state, changed, relisted);
    this.metrics.updates.add(this.metrics.channelSlot(CHANNEL), this.sockets.size);
    for (const socket of this.sockets) sendSoon(socket, message);
  }

  private remember(state: State): void {
    this.sent = state.markets.map(({ currentStatus }) => currentStatus);
    this.sentRules = state.markets.map(({ rules }) => rules);
    this.sentExchange = exchangeStatusText(state);
    this.seenChanges = countStatusChanges(state);
  }

  /** @param relisted The markets whose records are included, because they are new or have other rules. */
  private message(
    op: 'snapshot' | 'update',
    state: State,
    indexes: readonly number[],
    relisted: readonly number[] = [],
  ): string {
    const markets = indexes.map((index) => {
      const { symbol, currentStatus } = state.markets[index]!;
      return `{"symbol":"${symbol}","status":"${marketStatuses[currentStatus]}"}`;
    });
    return `{"op":"${op}","channel":"${CHANNEL}","data":{${exchangeStatusText(state)},"markets":[${markets.join()}]${this.listings(state, relisted)}}}`;
  }

  private listings(state: State, indexes: readonly number[]): string {
    if (indexes.length === 0) return '';
    const { statistics, now } = this.services;
    const time = now();
    const texts = indexes.map((index) =>
      marketText(state.markets[index]!, statistics.get(index).at(time), state),
    );
    return `,"listings":[${texts.join()}]`;
  }

  private get state(): State {
    return this.services.replica.exchange.state;
  }
}

/** Returns a number that grows with every change of the rules or status of a market, of the status of all markets, or of announcements. */
export function countStatusChanges({ parts, markets }: Pick<State, 'parts' | 'markets'>): number {
  return (
    parts.auctions.changes +
    parts.tradingStatus.changes +
    parts.announcements.changes +
    markets.length
  );
}
