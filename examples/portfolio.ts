// Prints what an account owns, and what it is worth at the last prices, to the last digit.
//
//   npm start
//   node bin/bun.mjs examples/portfolio.ts [ASSET TO COUNT IN]
import { Client } from 'buttonwood/client';
import { connection } from './bot.ts';

const DECIMALS = 22;
const ONE = 10n ** BigInt(DECIMALS);

const [currency = 'USDT'] = process.argv.slice(2);
const client = new Client({ ...connection(), exactNumbers: true });
const [{ balances }, { prices }] = await Promise.all([client.getBalances(), client.getPrices()]);
const priceOf = new Map(prices.map(({ symbol, price }) => [symbol, unitsOf(price)]));

let sum = 0n;
const rows = balances.map(({ asset, total, available, held }) => {
  const price = asset === currency ? ONE : priceOf.get(`${asset}/${currency}`);
  const value = price === undefined ? undefined : (unitsOf(total) * price) / ONE;
  sum += value ?? 0n;
  const worth = value === undefined ? ['no market', ''] : [textOf(price!), textOf(value)];
  return [asset, total, available, held, ...worth];
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
