import { type ExactNumber, numberText } from '../../client/exact-number.ts';
import type { Body, RestClient } from '../../client/rest-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { fields } from '../text.ts';
import { type Order, orderTable } from './orders.ts';

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

/** Option of `market change`, field of the request, help. */
const RULES = [
  ['tick', 'tickSize', 'tick size: prices of new orders must be multiples of it'],
  ['step', 'stepSize', 'lot size: amounts of new orders must be multiples of it'],
  ['min-price', 'minPrice', 'minimum price'],
  ['max-price', 'maxPrice', 'maximum price'],
  ['min-amount', 'minAmount', 'minimum order amount'],
  ['max-amount', 'maxAmount', 'maximum order amount'],
  ['min-notional', 'minNotional', 'minimum notional'],
  ['maker-fee', 'makerFee', 'maker rate, such as 0.0008'],
  ['taker-fee', 'takerFee', 'taker rate, such as 0.001'],
  [
    'collar',
    'collar',
    'market-order price band as a share of the last price, such as 0.1; 0 for none',
  ],
  ['reference-price', 'referencePrice', 'price shown before the first trade'],
] as const;

const PREVIEW: Option = { name: 'preview', help: 'only show the affected open orders' };

export const marketChangeCommands: readonly Command[] = [
  online({
    name: 'market change',
    positionals: ['SYMBOL'],
    options: [...RULES.map(([name, , help]): Option => ({ name, value: 'X', help })), PREVIEW],
    summary: 'change the rules of a market; resting orders are not affected',
    run: change,
  }),
  online({
    name: 'market delist',
    positionals: ['SYMBOL'],
    options: [PREVIEW],
    summary: 'delist a market permanently and cancel all its orders',
    run: delist,
  }),
];

async function change(args: Arguments, client: RestClient): Promise<Result> {
  const rules = RULES.filter(([option]) => args.has(option));
  if (rules.length === 0) throw usageError('Give at least one rule to change.');
  const changes = rules.map(([option, field]) => [field, args.number(option)] as const);
  const data = await patch(args, client, Object.fromEntries(changes));
  if (args.has('preview'))
    return { data, text: previewText(data, 'would be rejected if placed again') };
  const { market } = data;
  const text = fields([
    ['Market', market.symbol],
    ['Tick', market.tickSize],
    ['Step', market.stepSize],
    ['Price', `${numberText(market.minPrice)} to ${numberText(market.maxPrice)}`],
    ['Amount', `${numberText(market.minAmount)} to ${numberText(market.maxAmount)}`],
    ['Minimum notional', market.minNotional],
    ['Maker fee', market.makerFee],
    ['Taker fee', market.takerFee],
  ]);
  return { data, text };
}

async function delist(args: Arguments, client: RestClient): Promise<Result> {
  const data = await patch(args, client, { status: 'delisted' });
  if (args.has('preview')) return { data, text: previewText(data, 'would end') };
  const count = numberText(data.affected!);
  const text = `${data.market.symbol} is ${data.market.status}. Open orders being canceled: ${count}.`;
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
