import type { OrderRecord, TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { sum } from '../../../engine/numbers/exact.ts';
import { Side } from '../../../engine/terms.ts';
import type { Services } from '../../services.ts';
import { aggregatedTradeFields, type TradeGroup } from '../market-data/trades.ts';
import { amountText, priceText } from '../market-data/units.ts';
import { toSymbol } from '../symbols.ts';
import { REAL_TIME, Stream } from './stream.ts';

const NONE: readonly string[] = [];

/** `<symbol>@trade`: every trade. */
export class TradeStream extends Stream {
  private texts: string[] = [];

  constructor(
    name: string,
    override readonly market: Market,
    private readonly services: Services,
  ) {
    super(name, market, REAL_TIME);
  }

  override note(event: OrderRecord | TradeEvent): void {
    if (event.kind !== 'trade') return;
    const { market } = this;
    const { id, price, amount, takerSide, time } = event;
    this.texts.push(
      `{"e":"trade","E":${this.services.now()},"s":"${toSymbol(market)}","t":${id},` +
        `"p":"${priceText(market, price)}","q":"${amountText(market, amount)}","T":${time},` +
        `"m":${takerSide === Side.sell},"M":true}`,
    );
  }

  take(): readonly string[] {
    if (this.texts.length === 0) return NONE;
    const { texts } = this;
    this.texts = [];
    return texts;
  }
}

/** `<symbol>@aggTrade`: the trades of one order at one price and time as one, with the id of the first. */
export class AggregatedTradeStream extends Stream {
  private groups: (TradeGroup & { readonly takerOrderId: number })[] = [];

  constructor(
    name: string,
    override readonly market: Market,
    private readonly services: Services,
  ) {
    super(name, market, REAL_TIME);
  }

  override note(event: OrderRecord | TradeEvent): void {
    if (event.kind !== 'trade') return;
    const { id, price, amount, takerSide, takerOrderId, time } = event;
    const last = this.groups.at(-1);
    const isSame =
      last?.takerOrderId === takerOrderId && last.price === price && last.time === time;
    const first = isSame ? this.groups.pop() : undefined;
    this.groups.push({
      firstTradeId: first?.firstTradeId ?? id,
      lastTradeId: id,
      price,
      amount: sum(first?.amount ?? 0, amount),
      takerSide,
      takerOrderId,
      time,
    });
  }

  take(): readonly string[] {
    if (this.groups.length === 0) return NONE;
    const { market, groups } = this;
    this.groups = [];
    const head = `{"e":"aggTrade","E":${this.services.now()},"s":"${toSymbol(market)}",`;
    return groups.map((group) => `${head}${aggregatedTradeFields(group, market)}}`);
  }
}
