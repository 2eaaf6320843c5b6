import { Side } from '../../engine/terms.ts';
import type { RowParser } from './csv-formats.ts';
import { compareDecimals, parseDecimal, parsePositive, RowError } from './decimal.ts';
import { checkWhole, parseFlag, splitColumns, timeParser } from './fields.ts';

// The files of data.binance.vision, with the columns that https://github.com/binance/binance-public-data documents.
// Spot files have no header; times are in milliseconds, and from 2025 on in microseconds.

export const KLINE_COLUMNS = 12;
/** Spot files have a last column more than futures. */
export const AGG_TRADE_COLUMNS = [8, 7] as const;

export const KLINES_HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
export const AGG_TRADES_HEADER =
  'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker';

const [BUYER_IS_MAKER, BEST_MATCH] = [6, 7];

export function aggTradesParser(): RowParser {
  const parseTime = timeParser();
  return (line) => {
    const columns = splitColumns(line, ...AGG_TRADE_COLUMNS);
    const [id = '', price = '', quantity = '', first = '', last = '', time = ''] = columns;
    checkWhole(id, 'aggregate trade id');
    checkWhole(first, 'first trade id');
    checkWhole(last, 'last trade id');
    const isBuyerMaker = parseFlag(columns[BUYER_IS_MAKER]!, '"was the buyer the maker"');
    if (columns.length > BEST_MATCH) parseFlag(columns[BEST_MATCH]!, '"best price match"');
    return [
      {
        kind: 'trade',
        time: parseTime(time),
        side: isBuyerMaker ? Side.sell : Side.buy,
        price: parsePositive(price, 'price'),
        amount: parsePositive(quantity, 'quantity'),
      },
    ];
  };
}

export function klinesParser(): RowParser {
  const parseTime = timeParser();
  return (line) => {
    const columns = splitColumns(line, KLINE_COLUMNS);
    const time = parseTime(columns[0]!);
    const closeTime = parseTime(columns[6]!);
    const price = (column: number, name: string) => parsePositive(columns[column]!, name);
    const open = price(1, 'open');
    const high = price(2, 'high');
    const low = price(3, 'low');
    const close = price(4, 'close');
    const volume = parseDecimal(columns[5]!, 'volume');
    checkWhole(columns[8]!, 'number of trades');
    parseDecimal(columns[11]!, 'last column');
    if (closeTime <= time) throw new RowError('the close time is not after the open time');
    for (const inside of [open, close, low]) {
      if (compareDecimals(inside, high) > 0) throw new RowError('high is not the highest price');
      if (compareDecimals(inside, low) < 0) throw new RowError('low is not the lowest price');
    }
    return [{ kind: 'kline', time, closeTime, open, high, low, close, volume }];
  };
}
