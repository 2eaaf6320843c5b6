import type { TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { type Exact, sum } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { Side } from '../../../engine/terms.ts';
import { type Candle, extendCandle, flatCandle, toCandle } from '../../../history/history.ts';
import { DayFile } from './day-file.ts';

// The files of data.binance.vision, with the columns that https://github.com/binance/binance-public-data documents.

const DAY_MS = 86_400_000;
/** From this day on Binance's spot files have times in microseconds, before it in milliseconds. */
const MICROSECONDS_FROM = Date.UTC(2025, 0);

/** An interval of candles that a day is a multiple of. */
export interface CandleInterval {
  readonly name: string;
  readonly widthMs: number;
}

/** Trades of one taker order at one price and time. */
interface Aggregate {
  readonly first: TradeEvent;
  readonly id: number;
  lastTradeId: number;
  amount: Exact;
}

interface CandleFile extends CandleInterval {
  readonly file: DayFile;
  candle: Candle | undefined;
}

/** Writes the files of one market: its trades in order of time become a file for each day and kind. */
export class MarketExport {
  /** Start of the current day, milliseconds since 1970; undefined before the first trade. */
  private day: number | undefined;
  private trades!: DayFile;
  private aggTrades!: DayFile;
  private candles: CandleFile[] = [];
  private aggregate: Aggregate | undefined;
  /** Ids of aggregates count from 1, so that every export gives them the same ones. */
  private aggregates = 0;
  private lastPrice = 0;
  /** Days with files. */
  days = 0;

  constructor(
    private readonly out: string,
    private readonly market: Market,
    private readonly intervals: readonly CandleInterval[],
  ) {}

  /** Whether the current day has ended at `time`. */
  hasEnded(time: number): boolean {
    return this.day !== undefined && time >= this.day + DAY_MS;
  }

  /** Finishes all days that end at `time` or before. Days without trades have candles too, after the first trade. */
  async finishDays(time: number): Promise<void> {
    while (this.hasEnded(time)) {
      const day = this.day!;
      this.endAggregate();
      for (const each of this.candles) this.fillUntil(each, day + DAY_MS);
      const files = [this.trades, this.aggTrades, ...this.candles.map(({ file }) => file)];
      for (const file of files) await file.finish();
      this.days++;
      this.open(day + DAY_MS);
    }
  }

  add(trade: TradeEvent): void {
    if (this.day === undefined) this.open(trade.time - (trade.time % DAY_MS));
    const { market } = this;
    const isBuyerMaker = trade.takerSide === Side.sell;
    const quote = formatUnits(trade.cost, market.quote.decimals);
    this.trades.write(
      `${trade.id},${this.price(trade.price)},${this.amount(trade.amount)},${quote},` +
        `${timeText(trade.time)},${flag(isBuyerMaker)},True`,
    );
    this.addToAggregate(trade);
    for (const each of this.candles) this.addToCandle(each, trade);
    this.lastPrice = trade.price;
  }

  /** Removes the files of the day that is not over. */
  discard(): void {
    if (this.day === undefined) return;
    for (const file of [this.trades, this.aggTrades, ...this.candles.map((each) => each.file)]) {
      file.discard();
    }
  }

  private open(day: number): void {
    const name = this.market.symbol.replace('/', '');
    const open = (kind: string, suffix: string) =>
      new DayFile(this.out, `${kind}/${name}${suffix}`, `${name}-${suffix.slice(1) || kind}`, day);
    this.day = day;
    this.trades = open('trades', '');
    this.aggTrades = open('aggTrades', '');
    this.candles = this.intervals.map((interval) => ({
      ...interval,
      file: open('klines', `/${interval.name}`),
      // Before the first trade there is no price.
      candle: this.lastPrice === 0 ? undefined : flatCandle(day, this.lastPrice),
    }));
  }

  private addToAggregate(trade: TradeEvent): void {
    const { aggregate } = this;
    const first = aggregate?.first;
    const belongs =
      first?.takerOrderId === trade.takerOrderId &&
      first.price === trade.price &&
      first.time === trade.time;
    if (belongs) {
      aggregate!.lastTradeId = trade.id;
      aggregate!.amount = sum(aggregate!.amount, trade.amount);
      return;
    }
    this.endAggregate();
    const id = ++this.aggregates;
    this.aggregate = { first: trade, id, lastTradeId: trade.id, amount: trade.amount };
  }

  private endAggregate(): void {
    const { aggregate } = this;
    this.aggregate = undefined;
    if (aggregate === undefined) return;
    const { first, id, lastTradeId, amount } = aggregate;
    this.aggTrades.write(
      `${id},${this.price(first.price)},${this.amount(amount)},${first.id},${lastTradeId},` +
        `${timeText(first.time)},${flag(first.takerSide === Side.sell)},True`,
    );
  }

  private addToCandle(each: CandleFile, trade: TradeEvent): void {
    const start = trade.time - (trade.time % each.widthMs);
    const single = toCandle(trade, start);
    if (each.candle === undefined) each.candle = single;
    else {
      this.fillUntil(each, start);
      // A candle without trades has the last price, and begins with its first trade.
      if (each.candle.trades === 0) each.candle = single;
      else extendCandle(each.candle, single);
    }
  }

  /** Writes the candles that end at `time` or before; the one that begins there has no trade yet. */
  private fillUntil(each: CandleFile, time: number): void {
    while (each.candle !== undefined && each.candle.start < time) {
      const { start, close } = each.candle;
      this.writeCandle(each, each.candle);
      each.candle = flatCandle(start + each.widthMs, close);
    }
  }

  private writeCandle({ file, widthMs }: CandleFile, candle: Candle): void {
    const { quote } = this.market;
    const end = candle.start + widthMs;
    const isInMicroseconds = candle.start >= MICROSECONDS_FROM;
    const closeTime = isInMicroseconds ? `${BigInt(end) * 1000n - 1n}` : `${end - 1}`;
    const cost = (units: Exact) => formatUnits(units, quote.decimals);
    file.write(
      [
        timeText(candle.start),
        ...[candle.open, candle.high, candle.low, candle.close].map((units) => this.price(units)),
        this.amount(candle.baseVolume),
        closeTime,
        cost(candle.quoteVolume),
        candle.trades,
        this.amount(candle.takerBuyVolume),
        cost(candle.takerBuyQuoteVolume),
        0,
      ].join(','),
    );
  }

  private price(units: number): string {
    return formatUnits(units, this.market.rules.priceDecimals);
  }

  private amount(units: Exact): string {
    return formatUnits(units, this.market.rules.amountDecimals);
  }
}

function timeText(time: number): string {
  return time >= MICROSECONDS_FROM ? `${time}000` : `${time}`;
}

function flag(value: boolean): string {
  return value ? 'True' : 'False';
}
