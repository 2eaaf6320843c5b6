import { CommandKind } from '../../engine/command.ts';
import { NONE, Side, TimeInForce } from '../../engine/terms.ts';
import { cancelIn, placeLimit, type Terms } from '../limit-orders.ts';
import type { RecordedEvent } from './events.ts';
import type { MarketPlayer, PlayerContext } from './market-player.ts';
import { type OpenOrder, openOrders } from './open-orders.ts';

export interface BookPlayerOptions extends PlayerContext {
  /** Indexes of accounts. */
  readonly maker: number;
  readonly taker: number;
}

/** Plays recorded book levels, each as one order of the maker, and recorded trades, which the taker makes. */
export class BookPlayer implements MarketPlayer {
  readonly nextAt = Number.POSITIVE_INFINITY;
  /** The maker's orders before the present run; undefined before its first event. */
  private open: Map<number, OpenOrder> | undefined;
  /** Changed levels of the present run. */
  private readonly changed = new Map<number, Terms>();
  private hasTraded = false;

  constructor(private readonly options: BookPlayerOptions) {}

  play(event: RecordedEvent): boolean {
    // The rest of a level is unknown until the trade has been applied.
    if (this.hasTraded) return false;
    const open = this.loadOpen();
    if (event.kind === 'clear') {
      if (this.changed.size > 0) return false;
      for (const [key, { side, price }] of open) this.changed.set(key, { side, price, amount: 0 });
    }
    if (event.kind === 'level') this.changed.set(toKey(event), event);
    if (event.kind === 'trade') {
      const { market, submit, taker } = this.options;
      this.submitLevels();
      submit(placeLimit(taker, market.index, event, TimeInForce.ioc));
      this.hasTraded = true;
    }
    return true;
  }

  endRun(): void {
    this.submitLevels();
    this.open = undefined;
    this.hasTraded = false;
  }

  private loadOpen(): Map<number, OpenOrder> {
    const { state, market, maker } = this.options;
    this.open ??= new Map(
      openOrders(state, maker, market).map((order) => [toKey(order), order] as const),
    );
    return this.open;
  }

  /** Submits the changes of levels: first those that end or shrink, which a new level may cross. */
  private submitLevels(): void {
    if (this.changed.size === 0) return;
    const { market, submit, maker } = this.options;
    const open = this.loadOpen();
    const ended: number[] = [];
    const placed: Terms[] = [];
    for (const [key, level] of this.changed) {
      const order = open.get(key);
      if (level.amount === 0) {
        if (order !== undefined) ended.push(order.orderId);
      } else if (order === undefined) placed.push(level);
      else if (order.remaining !== level.amount) this.amend(order, level.amount);
    }
    if (ended.length > 0) submit(cancelIn(maker, market, { orderIds: ended }));
    for (const level of placed) submit(placeLimit(maker, market.index, level, TimeInForce.gtc));
    this.changed.clear();
  }

  private amend({ orderId, filled }: OpenOrder, remaining: number): void {
    this.options.submit({
      kind: CommandKind.amendOrder,
      account: this.options.maker,
      key: NONE,
      orderId,
      price: 0,
      triggerPrice: 0,
      amount: filled + remaining,
    });
  }
}

function toKey({ side, price }: Pick<Terms, 'side' | 'price'>): number {
  return side === Side.buy ? price : -price;
}
