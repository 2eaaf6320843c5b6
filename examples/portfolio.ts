// Prints what an account owns, and what it is worth at the last prices: by an asset's market with the one to
// count in, whichever way round, or by two markets with one asset between them, such as SOL/USDT and BTC/USDT.
// The digits are all there are; where a price divides there are 22.
//
//   npm start
//   node bin/bun.mjs examples/portfolio.ts [ASSET TO COUNT IN]
import { Client } from 'buttonwood/client';
import { connection } from './bot.ts';

const DECIMALS = 22;
const ONE = 10n ** BigInt(DECIMALS);
/** What one of an asset is in another, as a fraction: divided, it would be rounded. */
type Rate = readonly [numerator: bigint, denominator: bigint];

const [currency = 'USDT'] = process.argv.slice(2);
const client = new Client({ ...connection(), exactNumbers: true });
const [{ balances }, { prices }] = await Promise.all([client.getBalances(), client.getPrices()]);

/** By what is counted, then by what it is counted in. */
const rates = new Map<string, Map<string, Rate>>();
for (const { symbol, price } of prices) {
  const [base, quote] = symbol.split('/') as [string, string];
  addRate(base, quote, [unitsOf(price), ONE]);
  addRate(quote, base, [ONE, unitsOf(price)]);
}
if (!rates.has(currency)) {
  console.error(
    `No market has ${currency}. Count in one of ${[...rates.keys()].sort().join(', ')}.`,
  );
  process.exit(1);
}

let sum = 0n;
const uncounted: string[] = [];
const rows = balances.map(({ asset, total, available, held }) => {
  const rate = rateOf(asset);
  if (rate === undefined) {
    uncounted.push(asset);
    return [asset, total, available, held, 'no market', ''];
  }
  const value = times(unitsOf(total), rate);
  sum += value;
  return [asset, total, available, held, textOf(times(ONE, rate)), textOf(value)];
});
const table = [
  ['ASSET', 'TOTAL', 'AVAILABLE', 'HELD', `PRICE (${currency})`, `VALUE (${currency})`],
  ...rows,
  ['', '', '', '', 'together', textOf(sum)],
];
const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
for (const row of table) {
  console.log(row.map((cell, column) => cell.padStart(widths[column]!)).join('  '));
}
if (uncounted.length > 0) {
  console.log(`Not counted, as no market leads from it to ${currency}: ${uncounted.join(', ')}.`);
}

function addRate(asset: string, inAsset: string, rate: Rate): void {
  const known = rates.get(asset) ?? new Map<string, Rate>();
  rates.set(asset, known.set(inAsset, rate));
}

function rateOf(asset: string): Rate | undefined {
  if (asset === currency) return [1n, 1n];
  const direct = rates.get(asset)?.get(currency);
  if (direct !== undefined) return direct;
  for (const [between, [numerator, denominator]] of rates.get(asset) ?? []) {
    const onward = rates.get(between)?.get(currency);
    if (onward !== undefined) return [numerator * onward[0], denominator * onward[1]];
  }
  return undefined;
}

function times(units: bigint, [numerator, denominator]: Rate): bigint {
  return (units * numerator) / denominator;
}

/** Of a decimal as the exchange writes it; a double would round it. */
function unitsOf(text: string): bigint {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(DECIMALS, '0')}`);
}

function textOf(units: bigint): string {
  const digits = `${units}`.padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}
