import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { entryTypes, isHoldEntry } from '../../engine/terms.ts';
import { fillColumns, isoTime } from './account-columns.ts';
import type { AssetMovements } from './ledger-sums.ts';
import { MAX_LISTED_FILLS, type StatementSummary } from './statement.ts';

/**
 * Colors and lines are for paper. Rows do not break across pages, and heads of tables repeat. The size of the page is that
 * of the printer: the layout fits A4 and Letter.
 */
const STYLE = `
  @page { margin: 16mm 14mm; }
  * { box-sizing: border-box; }
  body { font: 10pt/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: #16181d;
    background: #fff; max-width: 190mm; margin: 0 auto; padding: 8mm 4mm; }
  header { display: flex; justify-content: space-between; align-items: flex-start; gap: 10mm;
    border-bottom: 1.5pt solid #16181d; padding-bottom: 4mm; margin-bottom: 6mm; }
  h1 { font-size: 17pt; line-height: 1.2; margin: 0 0 1mm; }
  h2 { font-size: 11.5pt; margin: 8mm 0 2mm; break-after: avoid; }
  p { margin: 0 0 2mm; }
  dl { display: grid; grid-template-columns: auto auto; gap: 0.5mm 4mm; margin: 0; font-size: 9pt; }
  dt { color: #565c69; }
  dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
  table { width: 100%; border-collapse: collapse; font-size: 9pt; font-variant-numeric: tabular-nums; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  th { text-align: right; font-weight: 600; color: #565c69; border-bottom: 0.75pt solid #9aa1ae; padding: 1.2mm 1.5mm; }
  td { text-align: right; border-bottom: 0.5pt solid #e3e6eb; padding: 1.2mm 1.5mm; }
  th:first-child, td:first-child, .movements :is(th, td):nth-child(2),
  .fills :is(th, td):is(:nth-child(3), :nth-child(4)) { text-align: left; }
  tr.total td { font-weight: 600; border-top: 0.75pt solid #9aa1ae; }
  .fills { font-size: 7.5pt; }
  .fills td, .fills th { padding: 0.7mm 1mm; white-space: nowrap; }
  .note { color: #565c69; font-size: 8.5pt; }
  footer { margin-top: 8mm; border-top: 0.5pt solid #9aa1ae; padding-top: 3mm; }
  @media screen { body { padding: 14mm; } }
  @media print { body { padding: 0; max-width: none; } }
`;

/** Returns a statement as a page of HTML that needs no other file, for reading and printing. */
export function statementPage(summary: StatementSummary): string {
  const { account, from, to, position, time } = summary;
  const period = `${dayText(from)} to ${dayText(to - 1)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Account statement ${escapeHtml(account)}, ${period}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<div><h1>Account statement</h1><p>${period} (UTC)</p></div>
<dl>
<dt>Account</dt><dd>${escapeHtml(account)}</dd>
<dt>From</dt><dd>${timeText(from)}</dd>
<dt>To (excluded)</dt><dd>${timeText(to)}</dd>
<dt>Made at</dt><dd>${timeText(time)}</dd>
<dt>Log position</dt><dd>${position}</dd>
</dl>
</header>
<main>
${balancesSection(summary)}
${movementsSection(summary)}
${marketsSection(summary)}
${fillsSection(summary)}
</main>
<footer class="note">Opening balance plus all changes equals the closing balance of every asset; this was checked against the
exchange's own balances at log position ${position}. Times are in UTC, amounts are exact.</footer>
</body>
</html>
`;
}

function balancesSection({ movements, listings }: StatementSummary): string {
  if (movements.length === 0) {
    return '<h2>Balances</h2><p>The account had no balances and no changes in this period.</p>';
  }
  const rows = movements.map((each) => {
    const { asset, decimals } = listings.assets[each.asset]!;
    const text = (units: Exact) => formatUnits(units, decimals);
    const { opening, closing } = each;
    const first = sum(opening.available, opening.held);
    const last = sum(closing.available, closing.held);
    const cells = [text(first), signed(text(changed(each))), text(last)];
    return row([asset, ...cells, text(closing.available), text(closing.held)]);
  });
  return table(
    'Balances',
    ['Asset', 'Opening balance', 'Change', 'Closing balance', 'of it available', 'of it in orders'],
    rows,
  );
}

/** Holds and releases only move funds between available and held. */
function movementsSection({ movements, listings }: StatementSummary): string {
  const rows = movements.flatMap(({ asset: index, types }) => {
    const { asset, decimals } = listings.assets[index]!;
    return [...types]
      .filter(([type]) => isOwned(type))
      .sort(([a], [b]) => a - b)
      .map(([type, { amount, entries }]) =>
        row([
          asset,
          typeLabel(entryTypes[type]!),
          signed(formatUnits(amount, decimals)),
          `${entries}`,
        ]),
      );
  });
  if (rows.length === 0) return '';
  return table('Changes by type', ['Asset', 'Type', 'Amount', 'Entries'], rows, 'movements');
}

function marketsSection({ markets, listings }: StatementSummary): string {
  if (markets.length === 0) return '';
  const rows = markets.map((sums) => {
    const { symbol, base, quote, rules } = listings.markets[sums.market]!;
    const amount = (units: Exact) => formatUnits(units, rules.amountDecimals);
    const cost = (units: Exact) => formatUnits(units, quote.decimals);
    return row([
      symbol,
      `${sums.fills}`,
      amount(sums.bought),
      cost(sums.boughtCost),
      amount(sums.sold),
      cost(sums.soldCost),
      feesText([
        [formatUnits(sums.baseFees, base.decimals), base.asset],
        [formatUnits(sums.quoteFees, quote.decimals), quote.asset],
        [formatUnits(difference(0, sums.baseRebates), base.decimals), base.asset],
        [formatUnits(difference(0, sums.quoteRebates), quote.decimals), quote.asset],
      ]),
    ]);
  });
  const heads = ['Market', 'Trades', 'Bought', 'Paid', 'Sold', 'Received', 'Fees'];
  return table('Trading by market', heads, rows);
}

function fillsSection({ listed, fills, listings }: StatementSummary): string {
  if (fills === 0) return '<h2>Trades</h2><p>There were no trades in this period.</p>';
  if (listed.length === 0) {
    return (
      `<h2>Trades</h2><p>This period has ${fills} trades. A statement lists up to ${MAX_LISTED_FILLS}: ` +
      'the report "fills" has all of them.</p>'
    );
  }
  const columns = fillColumns(listings);
  const rows = listed.map((fill) => {
    const cells = Object.fromEntries(columns.map(({ name, value }) => [name, value(fill) ?? '']));
    return row([
      timeText(fill.time),
      cells.tradeId!,
      cells.symbol!,
      `${cells.side} (${cells.liquidity})`,
      cells.price!,
      cells.amount!,
      cells.cost!,
      `${cells.fee} ${cells.feeAsset}`,
    ]);
  });
  const heads = ['Time', 'Trade', 'Market', 'Side', 'Price', 'Amount', 'Value', 'Fee'];
  return table('Trades', heads, rows, 'fills');
}

function table(
  title: string,
  heads: readonly string[],
  rows: readonly string[],
  style = '',
): string {
  const names = heads.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join('');
  return (
    `<h2>${title}</h2>\n<table${style === '' ? '' : ` class="${style}"`}>` +
    `<thead><tr>${names}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody></table>`
  );
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
}

function isOwned(type: number): boolean {
  return !isHoldEntry(type);
}

/** Returns the sum of the changes of what the account owns. */
function changed({ types }: AssetMovements): Exact {
  let total: Exact = 0;
  for (const [type, { amount }] of types) if (isOwned(type)) total = sum(total, amount);
  return total;
}

function feesText(fees: readonly (readonly [amount: string, asset: string])[]): string {
  const paid = fees.filter(([amount]) => amount !== '0');
  return paid.length === 0 ? '0' : paid.map(([amount, asset]) => `${amount} ${asset}`).join(', ');
}

function signed(amount: string): string {
  return amount.startsWith('-') || amount === '0' ? amount : `+${amount}`;
}

/** Returns the label of a type of entries, such as "Fee" or "Internal transfer". */
function typeLabel(type: string): string {
  return `${type[0]!.toUpperCase()}${type.slice(1).replaceAll('_', ' ')}`;
}

function dayText(time: number): string {
  return isoTime(time).slice(0, 10);
}

function timeText(time: number): string {
  return isoTime(time).slice(0, 19).replace('T', ' ');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
