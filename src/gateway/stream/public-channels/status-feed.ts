import type { State } from '../../../engine/state.ts';
import { marketStatuses } from '../../../engine/terms.ts';
import { restrictionsText } from '../../endpoints/trading-status.ts';
import type { Services } from '../../services.ts';
import { alreadySubscribed } from '../request-errors.ts';
import { sendSoon } from '../sockets/outgoing.ts';
import type { Socket } from '../sockets/socket.ts';
import type { StreamMetrics } from '../stream-metrics.ts';

const CHANNEL = 'markets';

/** The public channel of the statuses of all markets: halts, auctions, the kill switch and maintenance. */
export class StatusFeed {
  private readonly sockets = new Set<Socket>();
  /** The statuses that were last sent, by market, and the restrictions of all markets. */
  private sent: readonly number[] = [];
  private sentRestrictions = '';
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

  /** Sends the restrictions and the statuses that have changed since the last message. */
  update(): void {
    if (this.isEmpty) return;
    const { state, sent, sentRestrictions } = this;
    if (countStatusChanges(state) === this.seenChanges) return;
    this.remember(state);
    const changed = [...state.markets.keys()].filter((index) => this.sent[index] !== sent[index]);
    if (changed.length === 0 && this.sentRestrictions === sentRestrictions) return;
    const message = this.message('update', state, changed);
    this.metrics.updates.add(this.metrics.channelSlot(CHANNEL), this.sockets.size);
    for (const socket of this.sockets) sendSoon(socket, message);
  }

  private remember(state: State): void {
    this.sent = state.markets.map(({ currentStatus }) => currentStatus);
    this.sentRestrictions = restrictionsText(state);
    this.seenChanges = countStatusChanges(state);
  }

  private message(op: 'snapshot' | 'update', state: State, indexes: readonly number[]): string {
    const markets = indexes.map((index) => {
      const { symbol, currentStatus } = state.markets[index]!;
      return `{"symbol":"${symbol}","status":"${marketStatuses[currentStatus]}"}`;
    });
    return `{"op":"${op}","channel":"${CHANNEL}","data":{${restrictionsText(state)},"markets":[${markets.join()}]}}`;
  }

  private get state(): State {
    return this.services.replica.exchange.state;
  }
}

/** Returns a number that grows with every change of the status of a market or of all markets. */
export function countStatusChanges({ parts, markets }: Pick<State, 'parts' | 'markets'>): number {
  return parts.auctions.changes + parts.tradingStatus.changes + markets.length;
}
