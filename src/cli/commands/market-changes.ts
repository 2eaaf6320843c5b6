import type { ExactClient } from '../../client/exact-client.ts';
import type { ChangeMarketParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { fields } from '../text.ts';
import { REASON_OPTION } from './approval-reason.ts';
import { changeOptions, readRules, ruleLines } from './market-rules.ts';
import { orderTable } from './orders.ts';

type Changed = Awaited<ReturnType<ExactClient['changeMarket']>>;

const PREVIEW: Option = { name: 'preview', help: 'only show the affected open orders' };

export const marketChangeCommands: readonly Command[] = [
  online({
    name: 'market change',
    positionals: ['SYMBOL'],
    options: [...changeOptions, REASON_OPTION, PREVIEW],
    summary: 'change the rules of a market; resting orders are not affected',
    run: change,
  }),
  online({
    name: 'market delist',
    positionals: ['SYMBOL'],
    options: [REASON_OPTION, PREVIEW],
    summary: 'delist a market permanently and cancel all its orders',
    run: delist,
  }),
];

async function change(args: Arguments, client: ExactClient): Promise<Result> {
  const rules = readRules(args);
  if (Object.keys(rules).length === 0) throw usageError('Give at least one rule to change.');
  const data = await patch(args, client, rules);
  if (args.has('preview'))
    return { data, text: previewText(data, 'would be rejected if placed again') };
  const { market } = data;
  const text = fields([['Market', market.symbol], ...ruleLines(market)]);
  return { data, text };
}

async function delist(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await patch(args, client, { status: 'delisted' });
  if (args.has('preview')) return { data, text: previewText(data, 'would end') };
  const text = `${data.market.symbol} is ${data.market.status}. Open orders being canceled: ${data.affected}.`;
  return { data, text };
}

function patch(
  args: Arguments,
  client: ExactClient,
  changes: Omit<ChangeMarketParameters, 'symbol'>,
): Promise<Changed> {
  const symbol = args.positional('SYMBOL');
  return client.changeMarket({
    symbol,
    ...changes,
    reason: args.option('reason'),
    preview: args.has('preview') ? 'true' : undefined,
  });
}

function previewText({ affected, orders = [] }: Changed, what: string): string {
  const shown = orders.length === 0 ? '' : `${orderTable(orders)}\n\n`;
  const rest = affected === orders.length ? '' : ` The first ${orders.length} are shown.`;
  return `${shown}Open orders that ${what}: ${affected}.${rest} Nothing was changed.`;
}
