import type { QuotedMarket } from '../makers/quotes.ts';
import type { RecordedMarket } from './recording.ts';

/** Distance of the best quotes from the last price, as a fraction of it. */
const HALF_SPREAD = 0.0001;
/** Width of the innermost cells, as a fraction of the first price. */
const CELL = 0.00015;
const MINUTE_MS = 60_000;

/** Returns how the makers quote a recorded market: in the scale of its price and of its average volume. */
export function quotedMarket({ files, priceDecimals, firstPrice }: RecordedMarket): QuotedMarket {
  const volume = files.reduce((sum, file) => sum + file.volume, 0);
  const durationMs = files.reduce((sum, { firstTime, lastTime }) => sum + lastTime - firstTime, 0);
  return {
    priceDecimals,
    halfSpread: HALF_SPREAD,
    cell: Math.max(1, Math.round(firstPrice * CELL)),
    minuteVolume: volume / Math.max(1, durationMs / MINUTE_MS),
  };
}
