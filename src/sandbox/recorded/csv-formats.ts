import { Side } from '../../engine/terms.ts';
import { compareDecimals, type Decimal, parseDecimal, parsePositive, RowError } from './decimal.ts';
import { parseOrderId, parseSide, splitColumns, timeParser } from './fields.ts';
import type { Row } from './row.ts';

// CSV files with a header of their own, in the manner of this project.

/** Parses the lines of one file after its header, in order. @throws RowError */
export type RowParser = (line: string) => readonly Row[];

export const TRADES_HEADER = 'time,price,amount,side';
/** Without the taker's side, it follows from the price: a trade above the last one was a buy. */
export const TRADES_HEADER_WITHOUT_SIDE = 'time,price,amount';
export const L2_HEADER = 'time,type,side,price,amount';
export const L3_HEADER = 'time,type,id,side,price,amount';

export function tradesParser(): RowParser {
  const parseTime = timeParser();
  return (line) => {
    const [time = '', price = '', amount = '', side = ''] = splitColumns(line, 4);
    return [
      {
        kind: 'trade',
        time: parseTime(time),
        side: parseSide(side),
        price: parsePositive(price, 'price'),
        amount: parsePositive(amount, 'amount'),
      },
    ];
  };
}

export function tradesWithoutSideParser(): RowParser {
  const parseTime = timeParser();
  let last: Decimal | undefined;
  let side: Side = Side.buy;
  return (line) => {
    const [time = '', priceText = '', amount = ''] = splitColumns(line, 3);
    const price = parsePositive(priceText, 'price');
    const change = last === undefined ? 0 : compareDecimals(price, last);
    if (change !== 0) side = change > 0 ? Side.buy : Side.sell;
    last = price;
    return [
      {
        kind: 'trade',
        time: parseTime(time),
        side,
        price,
        amount: parsePositive(amount, 'amount'),
      },
    ];
  };
}

/** Book levels: `snapshot` rows replace the book, `update` rows set a level, `trade` rows are trades. */
export function l2Parser(): RowParser {
  const parseTime = timeParser();
  let isInSnapshot = false;
  return (line) => {
    const columns = splitColumns(line, 5);
    const [timeText = '', type = '', sideText = '', priceText = '', amountText = ''] = columns;
    const time = parseTime(timeText);
    const side = parseSide(sideText);
    const price = parsePositive(priceText, 'price');
    if (type === 'trade') {
      isInSnapshot = false;
      return [{ kind: 'trade', time, side, price, amount: parsePositive(amountText, 'amount') }];
    }
    if (type !== 'snapshot' && type !== 'update') {
      throw new RowError(
        `type ${JSON.stringify(type.slice(0, 40))} is not snapshot, update or trade`,
      );
    }
    const isFirst = type === 'snapshot' && !isInSnapshot;
    isInSnapshot = type === 'snapshot';
    const amount = parseDecimal(amountText, 'amount');
    const level = { kind: 'level', time, side, price, amount } as const;
    return isFirst ? [{ kind: 'clear', time }, level] : [level];
  };
}

/** Limit orders and their cancels; the engine matches them. In a cancel only the id counts. */
export function l3Parser(): RowParser {
  const parseTime = timeParser();
  return (line) => {
    const columns = splitColumns(line, 6);
    const [timeText = '', type = '', idText = '', side = '', price = '', amount = ''] = columns;
    const time = parseTime(timeText);
    const id = parseOrderId(idText);
    if (type === 'cancel') return [{ kind: 'cancel', time, id }];
    if (type !== 'order') {
      throw new RowError(`type ${JSON.stringify(type.slice(0, 40))} is not order or cancel`);
    }
    return [
      {
        kind: 'order',
        time,
        id,
        side: parseSide(side),
        price: parsePositive(price, 'price'),
        amount: parsePositive(amount, 'amount'),
      },
    ];
  };
}
