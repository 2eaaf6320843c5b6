import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { entryTypes, Side, sides } from '../../engine/terms.ts';
import type { Fill } from '../../history/history.ts';
import { fillColumns, isoTime, type Listings } from './account-columns.ts';
import { jsonRow } from './columns.ts';
import type { AssetMovements } from './ledger-sums.ts';
import type { ReportTerms } from './report.ts';

/** Fills that a statement lists one by one; of more it shows only the sums. */
export const MAX_LISTED_FILLS = 1000;

/** Sums of the fills of a market. Amounts are in its units, costs and fees in minor units. */
interface MarketSums {
  readonly market: number;
  fills: number;
  bought: Exact;
  sold: Exact;
  boughtCost: Exact;
  soldCost: Exact;
  /** Fees of buys, in the base asset. */
  baseFees: Exact;
  /** Fees of sells, in the quote asset. */
  quoteFees: Exact;
  /** Rebates of sells, in the base asset. */
  baseRebates: Exact;
  /** Rebates of buys, in the quote asset. */
  quoteRebates: Exact;
}

/** The account, and the position of the log at which a statement was made. */
export interface StatementOrigin {
  readonly account: string;
  readonly position: number;
  /** The log's time at the position, milliseconds since 1970. */
  readonly time: number;
}

/** Everything that a statement shows. */
export interface StatementSummary extends StatementOrigin {
  readonly from: number;
  readonly to: number;
  readonly movements: readonly AssetMovements[];
  readonly markets: readonly MarketSums[];
  /** The fills of the period, if they are listed. */
  readonly listed: readonly Fill[];
  readonly fills: number;
  readonly listings: Listings;
}

/** Collects the trades of a statement. */
export class Statement {
  fills = 0;
  private readonly markets = new Map<number, MarketSums>();
  private readonly listed: Fill[] = [];

  constructor(
    private readonly terms: ReportTerms,
    private readonly listings: Listings,
  ) {}

  addFill(fill: Fill): void {
    this.fills++;
    if (this.fills <= MAX_LISTED_FILLS) this.listed.push(fill);
    const sums = this.markets.get(fill.market) ?? newSums(fill.market);
    this.markets.set(fill.market, sums);
    const cost = this.listings.markets[fill.market]!.notional(fill.price, fill.amount);
    sums.fills++;
    if (fill.side === Side.buy) {
      sums.bought = sum(sums.bought, fill.amount);
      sums.boughtCost = sum(sums.boughtCost, cost);
    } else {
      sums.sold = sum(sums.sold, fill.amount);
      sums.soldCost = sum(sums.soldCost, cost);
    }
    addFee(sums, fill);
  }

  finish(movements: readonly AssetMovements[], origin: StatementOrigin): StatementSummary {
    const { terms, listings, fills, listed } = this;
    const { from, to } = terms;
    const markets = [...this.markets.values()].sort((a, b) => a.market - b.market);
    const shown = fills > MAX_LISTED_FILLS ? [] : listed;
    return { ...origin, from, to, movements, markets, listed: shown, fills, listings };
  }
}

/** Adds the fee of a fill, or its rebate, which is in the other asset. */
function addFee(sums: MarketSums, { side, fee }: Fill): void {
  if (side === Side.buy) {
    if (fee < 0) sums.quoteRebates = difference(sums.quoteRebates, fee);
    else sums.baseFees = sum(sums.baseFees, fee);
  } else if (fee < 0) sums.baseRebates = difference(sums.baseRebates, fee);
  else sums.quoteFees = sum(sums.quoteFees, fee);
}

function newSums(market: number): MarketSums {
  return {
    market,
    fills: 0,
    bought: 0,
    sold: 0,
    boughtCost: 0,
    soldCost: 0,
    baseFees: 0,
    quoteFees: 0,
    baseRebates: 0,
    quoteRebates: 0,
  };
}

/** Returns the movements of assets as JSON: what an account had before and after, and the sum of each type of entry. */
export function movementsText(
  movements: readonly AssetMovements[],
  { assets }: Pick<Listings, 'assets'>,
): string {
  const texts = movements.map(({ asset: index, opening, closing, types }) => {
    const { asset, decimals } = assets[index]!;
    const text = (units: Exact) => formatUnits(units, decimals);
    const balance = ({ available, held }: typeof opening) =>
      `{"available":${text(available)},"held":${text(held)},"total":${text(sum(available, held))}}`;
    const entries = [...types].map(
      ([type, { amount, entries }]) =>
        `{"type":"${entryTypes[type]}","amount":${text(amount)},"entries":${entries}}`,
    );
    return (
      `{"asset":${JSON.stringify(asset)},"opening":${balance(opening)},"closing":${balance(closing)},` +
      `"types":[${entries.join(',')}]}`
    );
  });
  return `[${texts.join(',')}]`;
}

/** Returns a statement as JSON. */
export function statementJson(summary: StatementSummary): string {
  const { account, from, to, position, movements, markets, listed, fills, listings } = summary;
  const head = JSON.stringify({
    kind: 'statement',
    account,
    from: isoTime(from),
    to: isoTime(to),
    logPosition: position,
  }).slice(0, -1);
  const columns = fillColumns(listings);
  const rows = listed.map((fill) => jsonRow(columns, fill));
  return (
    `${head},"balances":${movementsText(movements, listings)},` +
    `"markets":[${markets.map((sums) => marketText(sums, listings)).join(',')}],` +
    `"fillCount":${fills},"fills":[${rows.join(',')}]}\n`
  );
}

function marketText(sums: MarketSums, { markets }: Listings): string {
  const { symbol, base, quote, rules } = markets[sums.market]!;
  const amount = (units: Exact) => formatUnits(units, rules.amountDecimals);
  const feeText = (name: string, fee: Exact, { asset, decimals }: typeof base) =>
    `"${name}":${formatUnits(fee, decimals)},"${name}Asset":${JSON.stringify(asset)}`;
  const side = (name: string, units: Exact, cost: Exact, fee: string, rebate: string) =>
    `"${name}":{"amount":${amount(units)},"cost":${formatUnits(cost, quote.decimals)},${fee},${rebate}}`;
  const bought = [
    feeText('fee', sums.baseFees, base),
    feeText('rebate', sums.quoteRebates, quote),
  ] as const;
  const sold = [
    feeText('fee', sums.quoteFees, quote),
    feeText('rebate', sums.baseRebates, base),
  ] as const;
  const [buy, sell] = sides;
  return (
    `{"symbol":${JSON.stringify(symbol)},"fills":${sums.fills},` +
    `${side(buy, sums.bought, sums.boughtCost, ...bought)},` +
    `${side(sell, sums.sold, sums.soldCost, ...sold)}}`
  );
}
