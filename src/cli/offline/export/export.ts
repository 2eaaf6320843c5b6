import { applyBatch } from '../../../archivist/recovery.ts';
import { INTERVALS_MS } from '../../../config/intervals.ts';
import { Exchange } from '../../../engine/exchange.ts';
import type { Progress } from '../../../monitoring/progress.ts';
import type { Result } from '../../command.ts';
import type { ExportInterval } from '../../form-values.ts';
import { cliError } from '../finding.ts';
import { type SourcePlace, withSource } from '../source.ts';
import { MarketExport } from './market-export.ts';
import { OrderFlowExport } from './order-flow-export.ts';

export interface ExportOptions {
  /** The data directory, whose node may run, and the archive of its log. */
  readonly source: SourcePlace;
  /** The directory of the files. */
  readonly out: string;
  /** Only this market. */
  readonly symbol?: string | undefined;
  readonly intervals: readonly ExportInterval[];
  /** Whether order-by-order files are written. */
  readonly hasOrders: boolean;
}

/**
 * Writes the trades and candles of every market and complete day as files in the layout of Binance's public data, from a replay of
 * the log. Files that exist are kept.
 * @throws CliError
 */
export function exportHistory(options: ExportOptions, progress: Progress): Promise<Result> {
  const { source: place, out, symbol, intervals, hasOrders } = options;
  const candles = intervals.map((name) => ({ name, widthMs: INTERVALS_MS[name] }));
  return withSource(place, undefined, progress, async (source) => {
    const exchange = new Exchange();
    const { state } = exchange;
    const markets = new Map<number, MarketExport>();
    const flows = new OrderFlowExport(out, exchange, symbol);
    for await (const batch of source.read('exporting')) {
      // The time of a batch is that of its trades, unless a clock was set back.
      const time = Math.max(batch.time, state.time);
      for (const each of markets.values()) if (each.hasEnded(time)) await each.finishDays(time);
      if (hasOrders) await flows.finishDays(time);
      applyBatch(exchange, batch, source.skips, () => {
        if (hasOrders) flows.note();
        for (const event of exchange.events) {
          if (event.kind !== 'trade') continue;
          const market = state.markets[event.market]!;
          if (symbol !== undefined && market.symbol !== symbol) continue;
          const known = markets.get(event.market) ?? new MarketExport(out, market, candles);
          markets.set(event.market, known);
          known.add(event);
        }
      });
    }
    if (symbol !== undefined && !state.marketsBySymbol.has(symbol)) {
      throw cliError('NO_SUCH_MARKET', `There is no market ${symbol} in ${place.path}.`);
    }
    for (const each of markets.values()) each.discard();
    flows.discard();
    const days = [...markets].map(([index, each]) => ({
      symbol: state.markets[index]!.symbol,
      days: each.days,
    }));
    const lines = days.map((each) => `${each.symbol}  ${each.days} days`);
    const text =
      lines.length === 0 ? 'Nothing was traded.' : `${lines.join('\n')}\n\nFiles: ${out}`;
    return { data: { out, markets: days }, text };
  });
}
