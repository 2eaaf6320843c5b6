import { type ExactNumber, numberText } from '../../client/exact-number.ts';
import type { Market } from '../../client/index.ts';
import type { Body, RestClient } from '../../client/rest-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { fields } from '../text.ts';
import { changeOptions, readRules, ruleLines } from './market-rules.ts';
import { type Order, orderTable } from './orders.ts';

interface Affected {
  readonly market: Market<ExactNumber>;
  readonly affected?: ExactNumber;
  readonly orders?: readonly Order[];
}

const PREVIEW: Option = { name: 'preview', help: 'only show the affected open orders' };

export const marketChangeCommands: readonly Command[] = [
  online({
    name: 'market change',
    positionals: ['SYMBOL'],
    options: [...changeOptions, PREVIEW],
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
  const rules = readRules(args);
  if (Object.keys(rules).length === 0) throw usageError('Give at least one rule to change.');
  const data = await patch(args, client, rules);
  if (args.has('preview'))
    return { data, text: previewText(data, 'would be rejected if placed again') };
  const { market } = data;
  const text = fields([['Market', market.symbol], ...ruleLines(market)]);
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
