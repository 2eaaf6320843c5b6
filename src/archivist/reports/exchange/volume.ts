import type { TradeEvent } from '../../../engine/event.ts';
import type { Exchange } from '../../../engine/exchange.ts';
import { difference, type Exact, sum } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { oppositeSide, Side } from '../../../engine/terms.ts';
import { type Listings, number, text } from '../account-columns.ts';
import { Days, dateText, type ExchangeObserver, type ExchangeReport } from './observer.ts';

/** The trades of a market on a day. */
interface DayVolume {
  readonly day: number;
  readonly market: number;
  trades: number;
  /** In units of the market. */
  amount: Exact;
  takerBuyAmount: Exact;
  /** In quote minor units. */
  cost: Exact;
  readonly traders: Set<number>;
  /** In minor units, by index of the asset. */
  readonly fees: Map<number, Exact>;
  readonly rebates: Map<number, Exact>;
}

/** A row per day and market with trades: volume, traders, fees and rebates. */
export const volumeReport: ExchangeReport<DayVolume> = {
  columns({ markets }: Listings) {
    const market = (row: DayVolume) => markets[row.market]!;
    const amount = (row: DayVolume, units: Exact) =>
      formatUnits(units, market(row).rules.amountDecimals);
    const cost = (row: DayVolume, units: Exact) => formatUnits(units, market(row).quote.decimals);
    const paid = (row: DayVolume, paid: ReadonlyMap<number, Exact>, asset: 'base' | 'quote') => {
      const { index, decimals } = market(row)[asset];
      return formatUnits(paid.get(index) ?? 0, decimals);
    };
    return [
      text('date', ({ day }) => dateText(day)),
      text('symbol', (row) => market(row).symbol),
      number('trades', ({ trades }) => String(trades)),
      number('amount', (row) => amount(row, row.amount)),
      number('cost', (row) => cost(row, row.cost)),
      number('takerBuyAmount', (row) => amount(row, row.takerBuyAmount)),
      number('traders', ({ traders }) => String(traders.size)),
      text('baseAsset', (row) => market(row).base.asset),
      number('baseFees', (row) => paid(row, row.fees, 'base')),
      number('baseRebates', (row) => paid(row, row.rebates, 'base')),
      text('quoteAsset', (row) => market(row).quote.asset),
      number('quoteFees', (row) => paid(row, row.fees, 'quote')),
      number('quoteRebates', (row) => paid(row, row.rebates, 'quote')),
    ];
  },
  observe: (exchange, from, write) => new VolumeObserver(exchange, from, write),
};

class VolumeObserver implements ExchangeObserver {
  private readonly days: Days;
  private markets = new Map<number, DayVolume>();

  constructor(
    private readonly exchange: Exchange,
    from: number,
    write: (row: DayVolume) => void,
  ) {
    this.days = new Days(from, () => {
      for (const row of [...this.markets.values()].sort((a, b) => a.market - b.market)) write(row);
      this.markets = new Map();
    });
  }

  note(): void {
    const { events, state } = this.exchange;
    this.days.passTo(state.time);
    for (const event of events) if (event.kind === 'trade') this.add(event);
  }

  endBatch(): void {}

  end(time: number): void {
    this.days.end(time);
  }

  private add(trade: TradeEvent): void {
    const { market, amount, cost, takerSide, makerAccount, takerAccount, time } = trade;
    const row = this.markets.get(market) ?? newRow(market, time);
    this.markets.set(market, row);
    row.trades++;
    row.amount = sum(row.amount, amount);
    row.cost = sum(row.cost, cost);
    if (takerSide === Side.buy) row.takerBuyAmount = sum(row.takerBuyAmount, amount);
    row.traders.add(makerAccount).add(takerAccount);
    this.addFee(row, oppositeSide(takerSide), trade.makerFee);
    this.addFee(row, takerSide, trade.takerFee);
  }

  private addFee({ market, fees, rebates }: DayVolume, side: Side, fee: Exact): void {
    const { index } = this.exchange.state.markets[market]!.feeAsset(side, fee);
    if (fee < 0) rebates.set(index, difference(rebates.get(index) ?? 0, fee));
    else fees.set(index, sum(fees.get(index) ?? 0, fee));
  }
}

function newRow(market: number, time: number): DayVolume {
  return {
    day: time,
    market,
    trades: 0,
    amount: 0,
    takerBuyAmount: 0,
    cost: 0,
    traders: new Set(),
    fees: new Map(),
    rebates: new Map(),
  };
}
