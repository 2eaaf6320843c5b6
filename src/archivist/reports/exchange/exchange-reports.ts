import type { Exchange } from '../../../engine/exchange.ts';
import { replayPeriod } from '../../past/period.ts';
import type { ExchangeReportKind, ReportTerms } from '../report.ts';
import type { ReportOutput } from '../report-output.ts';
import { type Maker, type Making, RowWriter } from '../report-rows.ts';
import type { ReportSource } from '../report-source.ts';
import { marketQualityReport } from './market-quality.ts';
import type { ExchangeObserver, ExchangeReport } from './observer.ts';
import { revenueReport } from './revenue.ts';
import { usersReport } from './users.ts';
import { volumeReport } from './volume.ts';

const REPORTS: Readonly<Record<ExchangeReportKind, Begin>> = {
  volume: begin(volumeReport),
  revenue: begin(revenueReport),
  users: begin(usersReport),
  market_quality: begin(marketQualityReport),
};

/** Begins a report at the beginning of its period. */
type Begin = (
  job: ConstructorParameters<typeof RowWriter>[0],
  exchange: Exchange,
  from: number,
) => { readonly observer: ExchangeObserver; readonly rows: Pick<RowWriter<unknown>, 'end'> };

function begin<Row>(report: ExchangeReport<Row>): Begin {
  return (job, exchange, from) => {
    const rows = new RowWriter<Row>(job, report.columns(exchange.state));
    return { observer: report.observe(exchange, from, (row) => rows.write(row)), rows };
  };
}

/** Reports about the exchange replay the log, and this node's is not in files. */
export class NoReplayError extends Error {
  override readonly name = 'NoReplayError';

  constructor() {
    super('Reports about the exchange need a log in files; the log of this exchange is on NATS.');
  }
}

/**
 * Makes a report about the exchange, from a replay of its period that is observed command by command, in steps of some
 * milliseconds.
 * @throws NoReplayError, RevenueMismatchError
 */
export async function* makeExchangeReport(
  source: ReportSource,
  kind: ExchangeReportKind,
  terms: ReportTerms,
  output: ReportOutput,
  making: Making,
): Maker {
  const { past, state, position } = source;
  if (past === undefined) throw new NoReplayError();
  making.position = position;
  const end = Math.min(terms.to, state.time + 1);
  let finish = () => '';
  yield* replayPeriod(past, { from: terms.from, to: end }, position, (exchange, from) => {
    const job = { source, terms, output, making, records: { position } };
    const { observer, rows } = REPORTS[kind](job, exchange, from);
    finish = () => {
      observer.end(end);
      return rows.end('rows');
    };
    return {
      note: () => observer.note(),
      endBatch: () => {
        observer.endBatch();
        making.progress = (exchange.state.time - from) / Math.max(1, end - from);
      },
    };
  });
  return finish();
}
