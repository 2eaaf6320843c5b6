import type { OrderRecord, TradeEvent } from '../../engine/event.ts';
import { OrderReason, OrderStatus, oppositeSide, Side } from '../../engine/terms.ts';
import { Activities } from '../activities.ts';
import { type Detector, type Finding, type FindOwner, PARAMETERS, type Place } from '../alert.ts';

const {
  maxAgeMs: MAX_AGE_MS,
  maxReactionMs: MAX_REACTION_MS,
  minOrders: MIN_ORDERS,
  minRounds: MIN_ROUNDS,
  minRatio: MIN_RATIO,
  minBias: MIN_BIAS,
  minTradedBias: MIN_TRADED_BIAS,
} = PARAMETERS.spoofing;

// Columns, each of buys and then of sells.
/** Time and amount of fills. */
const FILLED_AT = 0;
const FILLED = 2;
/** Amount of all orders that rested when they were placed. */
const PLACED = 4;
/** Number and amount of orders withdrawn after a trade on the other side. */
const WITHDRAWN = 6;
const WITHDRAWN_AMOUNT = 8;
/** Number of those trades, and the time of the last one. */
const ROUNDS = 10;
const ROUND_AT = 12;
const COLUMNS = 14;

/**
 * Finds users who show orders on one side, trade on the other, and then cancel what they showed: with one large order
 * (spoofing) or with several (layering).
 */
export class Spoofing implements Detector {
  readonly name = 'spoofing';
  readonly windowMs = 60_000;
  private readonly rows = new Activities(COLUMNS);

  constructor(private readonly findOwner: FindOwner) {}

  readOrders(orders: readonly OrderRecord[], place: Place): void {
    for (const order of orders) {
      if (order.remaining !== order.amount) continue;
      const { status } = order;
      if (status === OrderStatus.open && order.createdAt === order.updatedAt)
        this.notePlaced(order);
      else if (status === OrderStatus.canceled && order.reason === OrderReason.requested) {
        this.noteCanceled(order, place);
      }
    }
  }

  readTrades(trades: readonly TradeEvent[], _: readonly OrderRecord[], place: Place): void {
    for (const { market, amount, takerSide, makerAccount, takerAccount } of trades) {
      this.noteFilled(market, makerAccount, oppositeSide(takerSide), amount, place);
      this.noteFilled(market, takerAccount, takerSide, amount, place);
    }
  }

  endWindow(): Finding[] {
    const findings: Finding[] = [];
    this.rows.forEach((at, market, owner) => {
      for (const side of [Side.buy, Side.sell]) {
        const figures = this.evaluate(at, side);
        if (figures === undefined) continue;
        findings.push({ market, owners: [owner], ...this.rows.cited(at), figures });
        return;
      }
    });
    this.rows.clear();
    return findings;
  }

  save(): number[][] {
    return this.rows.save();
  }

  restore(saved: unknown): void {
    this.rows.restore(saved as number[][]);
  }

  private evaluate(at: number, side: Side): Finding['figures'] | undefined {
    const { values } = this.rows;
    const other = oppositeSide(side);
    const withdrawn = values[at + WITHDRAWN + side]!;
    const rounds = values[at + ROUNDS + side]!;
    if (withdrawn < MIN_ORDERS || rounds < MIN_ROUNDS) return undefined;
    const traded = values[at + FILLED + other]!;
    const ratio = values[at + WITHDRAWN_AMOUNT + side]! / traded;
    if (ratio < MIN_RATIO) return undefined;
    if (traded < MIN_TRADED_BIAS * values[at + FILLED + side]!) return undefined;
    if (values[at + PLACED + side]! < MIN_BIAS * values[at + PLACED + other]!) return undefined;
    return { side, withdrawnOrders: withdrawn, rounds, ratio: Math.floor(ratio) };
  }

  private noteFilled(
    market: number,
    account: number,
    side: Side,
    amount: number,
    { time }: Place,
  ): void {
    const at = this.rows.find(market, this.findOwner(account));
    const { values } = this.rows;
    values[at + FILLED_AT + side] = time;
    values[at + FILLED + side]! += amount;
  }

  private notePlaced({ market, account, side, amount }: OrderRecord): void {
    const at = this.rows.find(market, this.findOwner(account));
    this.rows.values[at + PLACED + side]! += amount;
  }

  private noteCanceled(order: OrderRecord, place: Place): void {
    const { side, amount } = order;
    const { rows } = this;
    const at = rows.find(order.market, this.findOwner(order.account));
    const { values } = rows;
    const tradedAt = values[at + FILLED_AT + oppositeSide(side)]!;
    const age = tradedAt - order.createdAt;
    if (age < 0 || age > MAX_AGE_MS || place.time - tradedAt > MAX_REACTION_MS) return;
    values[at + WITHDRAWN + side]!++;
    values[at + WITHDRAWN_AMOUNT + side]! += amount;
    rows.cite(at, place);
    if (values[at + ROUND_AT + side] === tradedAt) return;
    values[at + ROUND_AT + side] = tradedAt;
    values[at + ROUNDS + side]!++;
  }
}
