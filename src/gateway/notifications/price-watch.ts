import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../config/durations.ts';
import type { Event } from '../../engine/event.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { formatUnits, parseUnits } from '../../engine/numbers/units.ts';
import type { Candle } from '../../history/history.ts';
import * as logger from '../../monitoring/logger.ts';
import type { PriceAlert, ReachedAlert } from '../../users/notifications/price-alerts.ts';
import { timeText } from '../endpoints/records.ts';
import type { NotificationServices } from './notification-services.ts';

/** An alert with its price in price units. */
interface Waiting {
  readonly alert: PriceAlert;
  readonly price: number;
}

/** The alerts of one market, by distance: those that the price reaches first are last. */
interface MarketAlerts {
  readonly above: Waiting[];
  readonly below: Waiting[];
}

/** Alerts stored in one transaction. */
const MAX_STORED_AT_ONCE = 50;
/** Candles read per market after an interruption. */
const MAX_CANDLES = 1000;
const WIDTHS_MS = [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS];

/** Finds the price alerts that trades reach, and notifies their accounts. */
export class PriceWatch {
  private markets = new Map<number, MarketAlerts>();
  /** Alerts that were reached and are not stored yet. */
  private readonly reached: ReachedAlert[] = [];
  private isStoring = false;

  /** @param wake Called for an account with a new notice. */
  constructor(
    private readonly services: NotificationServices,
    private readonly wake: (account: number) => void,
  ) {}

  /** Notes the events of a command. Without alerts it costs nothing. */
  note(events: readonly Event[]): void {
    if (this.markets.size === 0) return;
    for (const event of events) {
      if (event.kind === 'trade') this.reach(event.market, event.price, event.price, event.time);
    }
  }

  /**
   * Reads the alerts that wait. Those that were reached since a time, while no node watched, trigger now.
   * @param watchedUntil Milliseconds since 1970.
   */
  async reload(watchedUntil: number): Promise<void> {
    const alerts = await this.services.users.priceAlerts.list();
    const { marketsBySymbol } = this.services.replica.exchange.state;
    const markets = new Map<number, MarketAlerts>();
    for (const alert of alerts) {
      const market = marketsBySymbol.get(alert.symbol);
      if (market === undefined) continue;
      const price = parseUnits(alert.price, market.rules.priceDecimals);
      if (typeof price !== 'number') continue;
      const lists = markets.get(market.index) ?? { above: [], below: [] };
      markets.set(market.index, lists);
      lists[alert.direction].push({ alert, price });
    }
    for (const { above, below } of markets.values()) {
      above.sort((a, b) => b.price - a.price);
      below.sort((a, b) => a.price - b.price);
    }
    this.markets = markets;
    for (const index of markets.keys()) await this.catchUp(index, watchedUntil);
  }

  /** Triggers the alerts of a market that were reached since a time, as its candles and its last price show. */
  private async catchUp(index: number, since: number): Promise<void> {
    const { replica, now } = this.services;
    const market = replica.exchange.state.markets[index]!;
    const time = now();
    if (market.lastPrice !== 0) this.reach(index, market.lastPrice, market.lastPrice, time);
    if (since >= time) return;
    const width = WIDTHS_MS.find((each) => (time - since) / each < MAX_CANDLES) ?? DAY_MS;
    const first = Math.floor(since / width) * width;
    const filter = { market: index, width, since: first, limit: MAX_CANDLES, now: time };
    const query = { kind: 'candles', filter } as const;
    const candles = (await this.services.archivist.query(query, replica.position)) as Candle[];
    for (const { start, low, high } of candles) this.reach(index, low, high, start);
  }

  /** Triggers the alerts of a market that prices from `low` to `high` reach, if they were made before a time. */
  private reach(index: number, low: number, high: number, time: number): void {
    const lists = this.markets.get(index);
    if (lists === undefined) return;
    const market = this.services.replica.exchange.state.markets[index]!;
    const { above, below } = lists;
    this.takeReached(above, ({ price }) => price <= high, market, high, time);
    this.takeReached(below, ({ price }) => price >= low, market, low, time);
  }

  /** Takes the alerts at the end of a list that are reached and older than a time. */
  private takeReached(
    list: Waiting[],
    isReached: (each: Waiting) => boolean,
    { rules }: Market,
    price: number,
    time: number,
  ): void {
    for (let place = list.length - 1; place >= 0 && isReached(list[place]!); place--) {
      const { alert } = list[place]!;
      if (alert.createdAt > time) continue;
      list.splice(place, 1);
      const last = formatUnits(price, rules.priceDecimals);
      const data = alertText({ ...alert, triggeredAt: time }, last);
      this.reached.push({ alert, at: time, data });
    }
    if (this.reached.length > 0) this.storeSoon();
  }

  private storeSoon(): void {
    if (this.isStoring) return;
    this.isStoring = true;
    // After the batch that is being applied, and one transaction at a time: each blocks the thread for its sync.
    setImmediate(() => void this.store());
  }

  private async store(): Promise<void> {
    const { users, replica } = this.services;
    const { accountsById } = replica.exchange.state;
    while (this.reached.length > 0) {
      const batch = this.reached.splice(0, MAX_STORED_AT_ONCE);
      try {
        for (const accountId of await users.triggerAlerts(batch)) {
          const account = accountsById.get(accountId);
          if (account !== undefined) this.wake(account.index);
        }
      } catch (error) {
        // They still wait in the database: the next reload finds them.
        logger.warn(`Price alerts are late: ${(error as Error).message}`);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.isStoring = false;
  }
}

/** Returns an alert as JSON. @param last The price that reached it, as a decimal. */
export function alertText(alert: PriceAlert, last?: string): string {
  const { id, symbol, direction, price, note, createdAt, triggeredAt } = alert;
  return (
    `{"id":"${id}","symbol":"${symbol}","direction":"${direction}","price":${price},` +
    `"note":${JSON.stringify(note)},"createdAt":${timeText(createdAt)},` +
    `"triggeredAt":${triggeredAt === 0 ? 'null' : timeText(triggeredAt)}${last === undefined ? '' : `,"last":${last}`}}`
  );
}
