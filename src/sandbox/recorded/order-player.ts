import type { Account } from '../../engine/ledger/accounts.ts';
import { NONE, Side, TimeInForce } from '../../engine/terms.ts';
import { cancelIn, placeLimit } from '../limit-orders.ts';
import type { RecordedEvent } from './events.ts';
import type { MarketPlayer, PlayerContext } from './market-player.ts';

export interface OrderPlayerOptions extends PlayerContext {
  /** Indexes of the accounts that place the orders of each side, so that no recorded orders are of one account. */
  readonly buyers: readonly number[];
  readonly sellers: readonly number[];
}

/**
 * Plays recorded orders and cancels; the engine matches them. The client order id of an order is its recorded id, by
 * which a cancel finds it, also after a restart.
 */
export class OrderPlayer implements MarketPlayer {
  readonly nextAt = Number.POSITIVE_INFINITY;
  /** Orders of the present run by id, and the indexes of their accounts. */
  private readonly placed = new Map<string, number>();

  constructor(private readonly options: OrderPlayerOptions) {}

  play(event: RecordedEvent): boolean {
    const { market, submit } = this.options;
    if (event.kind === 'order') {
      const { id, side } = event;
      const account = this.accountFor(side, id);
      this.placed.set(id, account);
      submit(placeLimit(account, market.index, event, TimeInForce.gtc, id));
    }
    if (event.kind === 'cancel') {
      const { id } = event;
      const account = this.placed.get(id) ?? this.findOwner(id);
      if (account !== undefined) submit(cancelIn(account, market, { clientOrderId: id }));
    }
    return true;
  }

  endRun(): void {
    this.placed.clear();
  }

  /** Spreads orders over the accounts of a side, because an account can have 2,000 open orders. */
  private accountFor(side: Side, id: string): number {
    const { buyers, sellers } = this.options;
    const accounts = side === Side.buy ? buyers : sellers;
    let hash = 0;
    for (let index = 0; index < id.length; index++) {
      hash = (Math.imul(hash, 31) + id.charCodeAt(index)) >>> 0;
    }
    return accounts[hash % accounts.length]!;
  }

  /** Returns the index of the account that has an open order with this id, if there is one. */
  private findOwner(id: string): number | undefined {
    return [Side.buy, Side.sell]
      .map((side) => this.accountFor(side, id))
      .find((account) => this.hasOpen(this.options.state.accounts[account]!, id));
  }

  private hasOpen(account: Account, id: string): boolean {
    const { clientOrderIds, index } = this.options.state;
    const known = clientOrderIds.find(account, id);
    return known !== undefined && index.find(known.orderId) !== NONE;
  }
}
