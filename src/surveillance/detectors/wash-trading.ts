import type { OrderRecord, TradeEvent } from '../../engine/event.ts';
import { OrderStatus, Side } from '../../engine/terms.ts';
import { type Detector, type Finding, type FindOwner, PARAMETERS, type Place } from '../alert.ts';

const {
  maxAgeMs: MAX_AGE_MS,
  minTrades: MIN_TRADES,
  minTradesPerDirection: MIN_TRADES_PER_DIRECTION,
  maxNetPercent: MAX_NET_PERCENT,
} = PARAMETERS.wash_trading;

/** The prearranged trades of two owners in a market. */
interface Pair {
  readonly market: number;
  readonly owners: readonly number[];
  readonly from: Place;
  to: Place;
  /** Number and amount of the trades in which the first owner bought, and in which it sold. */
  readonly trades: [number, number];
  readonly amounts: [number, number];
}

/**
 * Finds users who trade the same amount with each other to and fro: two orders of the same size, entered within seconds
 * of each other, fill each other completely, and positions hardly change in the end.
 */
export class WashTrading implements Detector {
  readonly name = 'wash_trading';
  readonly windowMs = 600_000;
  /** Few trades match exactly, so that a map of objects is cheap. */
  private readonly pairs = new Map<string, Pair>();

  constructor(private readonly findOwner: FindOwner) {}

  readTrades(trades: readonly TradeEvent[], orders: readonly OrderRecord[], place: Place): void {
    // A trade that fills both orders completely is the only one of its command.
    if (trades.length !== 1) return;
    const [trade] = trades;
    if (trade!.isAuction || !isPrearranged(trade!, orders, place.time)) return;
    const maker = this.findOwner(trade!.makerAccount);
    const taker = this.findOwner(trade!.takerAccount);
    const buyer = trade!.takerSide === Side.buy ? taker : maker;
    this.add(trade!, Math.min(maker, taker), Math.max(maker, taker), buyer, place);
  }

  endWindow(): Finding[] {
    const findings: Finding[] = [];
    for (const { market, owners, from, to, trades, amounts } of this.pairs.values()) {
      const count = trades[0] + trades[1];
      if (count < MIN_TRADES || Math.min(...trades) < MIN_TRADES_PER_DIRECTION) continue;
      const gross = amounts[0] + amounts[1];
      const netPercent = Math.ceil((Math.abs(amounts[0] - amounts[1]) * 100) / gross);
      if (netPercent > MAX_NET_PERCENT) continue;
      findings.push({ market, owners, from, to, figures: { trades: count, netPercent } });
    }
    this.pairs.clear();
    return findings;
  }

  save(): Pair[] {
    return [...this.pairs.values()];
  }

  restore(saved: unknown): void {
    for (const pair of saved as Pair[]) this.pairs.set(pairKey(pair.market, pair.owners), pair);
  }

  private add(
    { market, amount }: TradeEvent,
    first: number,
    second: number,
    buyer: number,
    place: Place,
  ): void {
    const key = pairKey(market, [first, second]);
    let pair = this.pairs.get(key);
    if (pair === undefined) {
      pair = {
        market,
        owners: [first, second],
        from: place,
        to: place,
        trades: [0, 0],
        amounts: [0, 0],
      };
      this.pairs.set(key, pair);
    }
    const direction = buyer === first ? 0 : 1;
    pair.trades[direction]++;
    pair.amounts[direction] += amount;
    pair.to = place;
  }
}

function pairKey(market: number, owners: readonly number[]): string {
  return `${market} ${owners.join(' ')}`;
}

/** Returns whether two young orders of the same size have filled each other completely. */
function isPrearranged(trade: TradeEvent, orders: readonly OrderRecord[], time: number): boolean {
  const { amount, makerOrderId, takerOrderId } = trade;
  let found = 0;
  for (const order of orders) {
    if (order.id !== makerOrderId && order.id !== takerOrderId) continue;
    if (order.status !== OrderStatus.filled || order.amount !== amount) return false;
    if (time - order.createdAt > MAX_AGE_MS) return false;
    found++;
  }
  return found === 2;
}
