import { type ExactNumber, numberText } from '../client/exact-number.ts';
import type { Body, RestClient } from '../client/rest-client.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Option, Result } from './command.ts';
import { online } from './connection.ts';
import { usageError } from './failure.ts';
import { type Order, orderTable } from './orders.ts';
import { fields } from './text.ts';

interface Market {
  readonly symbol: string;
  readonly status: string;
  readonly tickSize: ExactNumber;
  readonly stepSize: ExactNumber;
  readonly minPrice: ExactNumber;
  readonly maxPrice: ExactNumber;
  readonly minAmount: ExactNumber;
  readonly maxAmount: ExactNumber;
  readonly minNotional: ExactNumber;
  readonly makerFee: ExactNumber;
  readonly takerFee: ExactNumber;
}

interface Affected {
  readonly market: Market;
  readonly affected?: ExactNumber;
  readonly orders?: readonly Order[];
}

/** Option of `market change` → field of the request, and what it means. */
const RULES = [
  ['tick', 'tickSize', 'prices of new orders are multiples of this'],
  ['step', 'stepSize', 'amounts of new orders are multiples of this'],
  ['min-price', 'minPrice', 'the lowest price'],
  ['max-price', 'maxPrice', 'the highest price'],
  ['min-amount', 'minAmount', 'the smallest amount of an order'],
  ['max-amount', 'maxAmount', 'the largest amount of an order'],
  ['min-notional', 'minNotional', 'what an order is worth at least'],
  ['maker-fee', 'makerFee', 'rate, such as 0.0008'],
  ['taker-fee', 'takerFee', 'rate, such as 0.001'],
  ['collar', 'collar', 'how far from the last price market orders trade, such as 0.1; 0 for any'],
  ['reference-price', 'referencePrice', 'shown as the price before the first trade'],
] as const;

const PREVIEW: Option = { name: 'preview', help: 'only show the open orders that it concerns' };

export const marketChangeCommands: readonly Command[] = [
  online({
    name: 'market change',
    positionals: ['SYMBOL'],
    options: [...RULES.map(([name, , help]): Option => ({ name, value: 'X', help })), PREVIEW],
    summary: 'change rules of a market; resting orders stay what they are',
    run: change,
  }),
  online({
    name: 'market delist',
    positionals: ['SYMBOL'],
    options: [PREVIEW],
    summary: 'close a market and cancel all its orders, for good',
    run: delist,
  }),
];

async function change(args: Arguments, client: RestClient): Promise<Result> {
  const rules = RULES.filter(([option]) => args.has(option));
  if (rules.length === 0) throw usageError('Give at least one rule that is to change.');
  const changes = rules.map(([option, field]) => [field, args.number(option)] as const);
  const data = await patch(args, client, Object.fromEntries(changes));
  if (args.has('preview')) return { data, text: previewText(data, 'would not be taken anew') };
  const { market } = data;
  const text = fields([
    ['Market', market.symbol],
    ['Tick', market.tickSize],
    ['Step', market.stepSize],
    ['Price', `${numberText(market.minPrice)} to ${numberText(market.maxPrice)}`],
    ['Amount', `${numberText(market.minAmount)} to ${numberText(market.maxAmount)}`],
    ['Min notional', market.minNotional],
    ['Maker fee', market.makerFee],
    ['Taker fee', market.takerFee],
  ]);
  return { data, text };
}

async function delist(args: Arguments, client: RestClient): Promise<Result> {
  const data = await patch(args, client, { status: 'delisted' });
  if (args.has('preview')) return { data, text: previewText(data, 'would end') };
  const count = numberText(data.affected!);
  const text = `${data.market.symbol} is ${data.market.status}. Open orders, canceled over the following moments: ${count}.`;
  return { data, text };
}

function patch(args: Arguments, client: RestClient, changes: Body): Promise<Affected> {
  return client.request<Affected>('PATCH', '/api/admin/markets', {
    body: { symbol: args.positional('SYMBOL'), ...changes },
    ...(args.has('preview') ? { query: { preview: 'true' } } : {}),
  });
}

function previewText({ affected, orders = [] }: Affected, what: string): string {
  const count = numberText(affected!);
  const shown = orders.length === 0 ? '' : `${orderTable(orders)}\n\n`;
  const rest = count === `${orders.length}` ? '' : ` The first ${orders.length} are shown.`;
  return `${shown}Open orders that ${what}: ${count}.${rest} Nothing was changed.`;
}
