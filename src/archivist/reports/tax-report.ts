import { DAY_MS } from '../../config/durations.ts';
import { exact } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { CostMethod } from '../gains/cost-basis.ts';
import { GainsWalk } from '../gains/gains-walk.ts';
import type { Disposal } from '../gains/method-gains.ts';
import { isoTime, type Listings, number, text } from './account-columns.ts';
import { csvRow, jsonRow, type ReportColumn } from './columns.ts';
import { type Job, type Maker, passedPart, RowWriter } from './report-rows.ts';

/** A disposal, or the sum of all. Values are in minor units of the quote asset. */
interface TaxLine extends Pick<Disposal, 'proceeds' | 'cost' | 'fee' | 'isKnown'> {
  readonly kind: Disposal['kind'] | 'total';
  /** Undefined for the sum. */
  readonly disposal: Disposal | undefined;
}

/**
 * Makes a list of everything that an account disposed of in a period, and of its income, with costs by one method. Values
 * are in the quote asset of the first market.
 */
export async function* makeTaxReport(job: Job, method: CostMethod): Maker {
  const { source, terms, making } = job;
  const quote = source.state.markets[0]?.quote.index ?? 0;
  const columns = taxColumns(source.state, quote);
  // The walk has its own records, from the beginning of the ledger to a position that is known once it has begun.
  const records = { position: 0 };
  const rows = new RowWriter<TaxLine>({ ...job, records }, columns);
  const total = { proceeds: 0n, cost: 0n, fee: 0n, isKnown: true };
  const walk = new GainsWalk(source, { account: terms.account, quote }, (by, disposal) => {
    const { time } = disposal;
    if (by !== method || time < terms.from || time >= terms.to) return;
    total.proceeds += disposal.proceeds;
    total.cost += disposal.cost;
    total.fee += disposal.fee;
    if (!disposal.isKnown) total.isKnown = false;
    rows.write({ ...disposal, disposal });
  });
  const steps = walk.continue();
  while (!(await steps.next()).done) {
    making.progress = passedPart(terms, job.records, walk.time);
    yield;
  }
  records.position = walk.position;
  making.position = walk.position;
  const sum: TaxLine = { ...total, kind: 'total', disposal: undefined };
  if (terms.format === 'json') {
    return rows.end('disposals', `"method":"${method}","total":${jsonRow(columns, sum)},`);
  }
  job.output.write(csvRow(columns, sum));
  return rows.end('disposals');
}

/** The columns of disposals. Values are in the asset `currency`. */
function taxColumns({ assets }: Listings, quote: number): readonly ReportColumn<TaxLine>[] {
  const { asset: currency, decimals } = assets[quote]!;
  const money = (name: string, value: (line: TaxLine) => bigint) =>
    number<TaxLine>(name, (line) => formatUnits(exact(value(line)), decimals));
  const detail = (name: string, value: (disposal: Disposal) => string | null) =>
    text<TaxLine>(name, ({ disposal }) => (disposal === undefined ? null : value(disposal)));
  return [
    detail('time', ({ time }) => isoTime(time)),
    text('kind', ({ kind }) => kind),
    detail('reference', ({ reference }) => String(reference)),
    detail('asset', ({ asset }) => assets[asset]!.asset),
    number('amount', ({ disposal }) => {
      if (disposal === undefined) return null;
      return formatUnits(exact(disposal.amount), assets[disposal.asset]!.decimals);
    }),
    text('currency', () => currency),
    money('proceeds', ({ proceeds }) => proceeds),
    money('cost', ({ cost }) => cost),
    money('gain', ({ proceeds, cost }) => proceeds - cost),
    money('fee', ({ fee }) => fee),
    detail('acquiredAt', ({ acquiredAt }) =>
      acquiredAt === undefined ? null : isoTime(acquiredAt),
    ),
    number('holdingDays', ({ disposal }) => {
      if (disposal?.acquiredAt === undefined) return null;
      return String(Math.floor((disposal.time - disposal.acquiredAt) / DAY_MS));
    }),
    text('costIsKnown', ({ isKnown }) => String(isKnown)),
  ];
}
