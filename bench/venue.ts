/**
 * npm run bench:venue -- NAME [options]
 *
 * Figures of a venue that a firm runs, one JSON line each:
 *
 * auction [--orders 100000]: the end of an auction that fills a book of crossing orders.
 * deposits [--per-second 1000] [--seconds 10] [--before 110000]: deposit callbacks of a custodian at a steady rate.
 * disk [--days 30] [--keep-log 7d] [--keep-history 31d]: what the living sandbox leaves on the disk, with an archive of its log.
 * liabilities [--accounts 100000]: a proof of liabilities: its time, its longest step and its size.
 * surveillance [--slices 5]: what detectors add to the archivist's work.
 * statement [--fills 1000000] [--slices 20]: a statement of an account under a load of orders.
 */
import { parseArgs } from 'node:util';
import { measureAuction } from './venue/auction.ts';
import { benchDeposits } from './venue/deposits.ts';
import { measureDisk } from './venue/disk.ts';
import { measureLiabilities } from './venue/liabilities.ts';
import { benchStatement } from './venue/statement.ts';
import { measureSurveillance } from './venue/surveillance.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    accounts: { type: 'string', default: '100000' },
    before: { type: 'string', default: '110000' },
    days: { type: 'string', default: '30' },
    'per-second': { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
    orders: { type: 'string', default: '100000' },
    'keep-history': { type: 'string' },
    'keep-log': { type: 'string', default: '7d' },
    fills: { type: 'string', default: '1000000' },
    slices: { type: 'string' },
  },
});

const FIGURES: Readonly<Record<string, () => Promise<object>>> = {
  auction: () => measureAuction(Number(values.orders)),
  deposits: () =>
    benchDeposits({
      perSecond: Number(values['per-second']),
      seconds: Number(values.seconds),
      before: Number(values.before),
    }),
  disk: () => measureDisk(Number(values.days), values['keep-log'], values['keep-history']),
  liabilities: () => measureLiabilities(Number(values.accounts)),
  statement: () =>
    benchStatement({ fills: Number(values.fills), slices: Number(values.slices ?? 20) }),
  surveillance: () => measureSurveillance(Number(values.slices ?? 5)),
};

const [name = ''] = positionals;
const figure = FIGURES[name];
if (figure === undefined) {
  console.error(`Name one of: ${Object.keys(FIGURES).join(', ')}.`);
  process.exit(2);
}
console.log(JSON.stringify({ figure: name, ...(await figure()) }));
