/** A market of the sandbox, with the parameters of its market making. */
export interface MakerMarket {
  readonly symbol: string;
  /** Decimals of a price; a tick is one unit of the last decimal. */
  readonly priceDecimals: number;
  /** The price that the random walk reverts to. */
  readonly reference: number;
  /** Distance of the best quotes from the fair price, as a fraction of it. */
  readonly halfSpread: number;
  /** Width in ticks of the innermost cells. Each cell has one quote. */
  readonly cell: number;
  /** Average base volume per minute. */
  readonly minuteVolume: number;
  /** Standard deviation of the price change per minute, as a fraction of the price. */
  readonly minuteMove: number;
}

/** In the order of their listing, so that their position is their index in the engine. */
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
