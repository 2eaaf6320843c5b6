/** The sandbox's markets as its traders know them. */
export interface MakerMarket {
  readonly symbol: string;
  /** Decimals of a price: a tick is one in the last of them. */
  readonly priceDecimals: number;
  /** Price about which the market walks. */
  readonly reference: number;
  /** How far the best quotes are from the fair price, as a part of it. */
  readonly halfSpread: number;
  /** Width of the cells that the quotes nearest to it lie in, one a cell, ticks. */
  readonly cell: number;
  /** Base traded in a minute, on average. */
  readonly minuteVolume: number;
  /** Usual move of the price in a minute, as a part of it. */
  readonly minuteMove: number;
}

/** In the order of their listing: a market's place is its index. */
export const MAKER_MARKETS: readonly MakerMarket[] = [
  {
    symbol: 'BTC/USDT',
    priceDecimals: 2,
    reference: 118_000,
    halfSpread: 0.00008,
    cell: 1770,
    minuteVolume: 2,
    minuteMove: 0.00032,
  },
  {
    symbol: 'ETH/USDT',
    priceDecimals: 2,
    reference: 5_200,
    halfSpread: 0.0001,
    cell: 78,
    minuteVolume: 30,
    minuteMove: 0.00042,
  },
  {
    symbol: 'SOL/USDT',
    priceDecimals: 2,
    reference: 260,
    halfSpread: 0.00015,
    cell: 4,
    minuteVolume: 400,
    minuteMove: 0.00055,
  },
  {
    symbol: 'ETH/BTC',
    priceDecimals: 5,
    reference: 5_200 / 118_000,
    halfSpread: 0.0002,
    cell: 1,
    minuteVolume: 8,
    minuteMove: 0.00032,
  },
];

export const AMOUNT_DECIMALS = 8;
