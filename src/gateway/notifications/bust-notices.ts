import { MINUTE_MS } from '../../config/durations.ts';
import type { Event } from '../../engine/event.ts';
import type { BustedTrade } from '../../engine/protection/trade-busts.ts';
import { EntryType } from '../../engine/terms.ts';
import * as logger from '../../monitoring/logger.ts';
import { fillText, toFill } from '../endpoints/fills.ts';
import type { NotificationServices } from './notification-services.ts';

/** The event of a busted trade, whose notices every account gets. */
export const TRADE_BUSTED = 'trade.busted';
/** The clock of the node and the time of the log may differ by so much: notices are never added twice. */
const MARGIN_MS = MINUTE_MS;

/** Notifies both accounts of a busted trade, whether or not they subscribe to events. */
export class BustNotices {
  /** Ids of trades whose notices are not stored yet. */
  private readonly waiting = new Set<number>();
  private isStoring = false;

  /** @param wake Called for an account with a new notice. */
  constructor(
    private readonly services: NotificationServices,
    private readonly wake: (account: number) => void,
  ) {}

  /** Notes the events of a command. */
  note(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'entry' && event.type === EntryType.tradeBust) this.add(event.reference);
    }
  }

  /** Adds the notices of busts since a time, while no node watched. @param watchedUntil Milliseconds since 1970 */
  reload(watchedUntil: number): void {
    for (const { id, bustedAt } of this.busts.all) {
      if (bustedAt >= watchedUntil - MARGIN_MS) this.add(id);
    }
  }

  private get busts() {
    return this.services.replica.exchange.state.parts.tradeBusts;
  }

  private add(tradeId: number): void {
    this.waiting.add(tradeId);
    if (this.isStoring) return;
    this.isStoring = true;
    // After the batch that is being applied.
    setImmediate(() => void this.store());
  }

  private async store(): Promise<void> {
    try {
      for (const id of this.waiting) {
        await this.notify(this.busts.find(id)!);
        this.waiting.delete(id);
      }
    } catch (error) {
      // The next reload, or the next node, finds them.
      logger.warn(`Notices of busted trades are late: ${(error as Error).message}`);
    }
    this.isStoring = false;
  }

  private async notify({ bustedAt, ...bust }: BustedTrade): Promise<void> {
    const { users, replica } = this.services;
    const { accounts, markets } = replica.exchange.state;
    const { makerFeePaid: makerFee, takerFeePaid: takerFee, ...terms } = bust;
    const trade = { ...terms, makerFee, takerFee };
    for (const index of new Set([trade.makerAccount, trade.takerAccount])) {
      const { id } = accounts[index]!;
      const fill = toFill(trade, index !== trade.takerAccount);
      const data = fillText(fill, markets[trade.market]!);
      const notice = { event: TRADE_BUSTED, createdAt: bustedAt, data };
      if (await users.notices.add(id, `bust-${trade.id}`, notice)) this.wake(index);
    }
  }
}
