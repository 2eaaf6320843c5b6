import type { Side } from '../../engine/terms.ts';
import type { Decimal } from './decimal.ts';

/** A row of a recording, in the numbers of the file. Times are in milliseconds since 1970. */
export type Row = { readonly time: number } & (
  | TradeRow
  | KlineRow
  | OrderRow
  | { readonly kind: 'cancel'; readonly id: string }
  | LevelRow
  /** The levels that follow replace the book. */
  | { readonly kind: 'clear' }
);

export interface TradeRow {
  readonly kind: 'trade';
  /** The taker's. */
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
}

export interface KlineRow {
  readonly kind: 'kline';
  /** The last millisecond of its interval. */
  readonly closeTime: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  readonly volume: Decimal;
}

export interface OrderRow {
  readonly kind: 'order';
  readonly id: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
}

export interface LevelRow {
  readonly kind: 'level';
  readonly side: Side;
  readonly price: Decimal;
  /** The new amount of the level; 0 removes it. */
  readonly amount: Decimal;
}
