import type { TradeEvent } from '../../engine/event.ts';

/** One side of a trade whose report has not arrived yet. */
export interface HiddenFill {
  readonly trade: TradeEvent;
  readonly isMaker: boolean;
  readonly orderId: number;
  /** When its report arrives, milliseconds since 1970. */
  readonly until: number;
}

const NONE: readonly HiddenFill[] = [];

/** The fills that accounts do not see yet. */
export class SlowFills {
  /** By the account's index, oldest first. */
  private readonly hidden = new Map<number, HiddenFill[]>();

  /** @param drawLag Draws how long the report of a fill of an account lags, milliseconds; 0 if it does not. */
  constructor(
    private readonly drawLag: (accountId: string) => number,
    private readonly now: () => number,
  ) {}

  get isHolding(): boolean {
    return this.hidden.size > 0;
  }

  /** When the next report arrives, milliseconds since 1970; Infinity if none is late. */
  get nextAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [first] of this.hidden.values()) next = Math.min(next, first?.until ?? next);
    return next;
  }

  /** Takes a trade, for one of its sides. @param accountId The id of that side's account. */
  note(trade: TradeEvent, isMaker: boolean, accountId: string): void {
    const lagMs = this.drawLag(accountId);
    const account = isMaker ? trade.makerAccount : trade.takerAccount;
    const earlier = this.hidden.get(account) ?? [];
    // Reports arrive in order: one that does not lag waits for those before it.
    const until = Math.max(this.now() + lagMs, earlier.at(-1)?.until ?? 0);
    if (until <= this.now()) return;
    const orderId = isMaker ? trade.makerOrderId : trade.takerOrderId;
    this.hidden.set(account, [...earlier, { trade, isMaker, orderId, until }]);
  }

  /** Returns the fills that an account does not see yet, oldest first. */
  list(account: number): readonly HiddenFill[] {
    if (!this.isHolding) return NONE;
    const now = this.now();
    return (this.hidden.get(account) ?? []).filter(({ until }) => until > now);
  }

  /** Returns when the newest report of an account arrives; undefined if it has them all. */
  heldUntil(account: number): number | undefined {
    return this.list(account).at(-1)?.until;
  }

  /** Forgets the fills whose reports have arrived. */
  forget(now: number): void {
    for (const [account, fills] of this.hidden) {
      const rest = fills.filter(({ until }) => until > now);
      if (rest.length === 0) this.hidden.delete(account);
      else this.hidden.set(account, rest);
    }
  }
}
