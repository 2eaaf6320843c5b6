// Prints the balances of an account and their value at the last prices. An asset is valued by its market with the
// chosen currency, or by two markets with a common asset, such as SOL/USDT and BTC/USDT. Values are exact, except that
// divisions are cut off at 22 decimals.
//
//   npm start
//   node bin/bun.mjs examples/portfolio.ts [CURRENCY]
import { Client } from '@buttonwood/client';
import { connection } from './bot.ts';

const DECIMALS = 22;
const ONE = 10n ** BigInt(DECIMALS);
/** Price of one asset in another, as a fraction, because dividing would round it. */
type Rate = readonly [numerator: bigint, denominator: bigint];

const [currency = 'USDT'] = process.argv.slice(2);
const client = new Client({ ...connection(), exactNumbers: true });
const [{ balances }, { prices }] = await Promise.all([client.getBalances(), client.getPrices()]);

/** Rates by asset, then by the asset of the price. */
const rates = new Map<string, Map<string, Rate>>();
for (const { symbol, price } of prices) {
  const [base, quote] = symbol.split('/') as [string, string];
  addRate(base, quote, [parseUnits(price), ONE]);
  addRate(quote, base, [ONE, parseUnits(price)]);
}
if (!rates.has(currency)) {
  console.error(`No market has ${currency}. Use one of ${[...rates.keys()].sort().join(', ')}.`);
  process.exit(1);
}

let sum = 0n;
const unpriced: string[] = [];
const rows = balances.map(({ asset, total, available, held }) => {
  const rate = findRate(asset);
  if (rate === undefined) {
    unpriced.push(asset);
    return [asset, total, available, held, 'no price', ''];
  }
  const value = convert(parseUnits(total), rate);
  sum += value;
  return [asset, total, available, held, formatUnits(convert(ONE, rate)), formatUnits(value)];
});
const table = [
  ['ASSET', 'TOTAL', 'AVAILABLE', 'HELD', `PRICE (${currency})`, `VALUE (${currency})`],
  ...rows,
  ['', '', '', '', 'total', formatUnits(sum)],
];
const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
for (const row of table) {
  console.log(row.map((cell, column) => cell.padStart(widths[column]!)).join('  '));
}
if (unpriced.length > 0) {
  console.log(
    `Not included, because no market has a price in ${currency}: ${unpriced.join(', ')}.`,
  );
}

function addRate(asset: string, inAsset: string, rate: Rate): void {
  const known = rates.get(asset) ?? new Map<string, Rate>();
  rates.set(asset, known.set(inAsset, rate));
}

function findRate(asset: string): Rate | undefined {
  if (asset === currency) return [1n, 1n];
  const direct = rates.get(asset)?.get(currency);
  if (direct !== undefined) return direct;
  for (const [between, [numerator, denominator]] of rates.get(asset) ?? []) {
    const second = rates.get(between)?.get(currency);
    if (second !== undefined) return [numerator * second[0], denominator * second[1]];
  }
  return undefined;
}

function convert(units: bigint, [numerator, denominator]: Rate): bigint {
  return (units * numerator) / denominator;
}

/** Parses a decimal from the exchange exactly; a double would round it. */
function parseUnits(text: string): bigint {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(DECIMALS, '0')}`);
}

function formatUnits(units: bigint): string {
  const digits = `${units}`.padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}
