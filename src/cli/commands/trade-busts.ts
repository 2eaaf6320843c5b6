import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { table } from '../text.ts';

type Bust = Awaited<ReturnType<ExactClient['listTradeBusts']>>['busts'][number];

export const tradeBustCommands: readonly Command[] = [
  online({
    name: 'trade bust',
    positionals: ['SYMBOL', 'ID'],
    options: [
      {
        name: 'reason',
        value: 'TEXT',
        help: 'the reason, for the second operator and the audit',
        form: FORMS.reason,
        isRequired: true,
      },
    ],
    summary: 'ask a second operator to reverse a trade',
    run: bust,
  }),
  online({
    name: 'trade busts',
    positionals: [],
    options: [],
    summary: 'list the last busted trades',
    run: async (_args, client) => show((await client.listTradeBusts()).busts),
  }),
];

async function bust(args: Arguments, client: ExactClient): Promise<Result> {
  const symbol = args.positional('SYMBOL');
  const tradeId = args.positional('ID');
  const data = await client.bustTrade({ symbol, tradeId, reason: args.required('reason') });
  return show([data.bust]);
}

function show(busts: readonly Bust[]): Result {
  const data = { busts };
  if (busts.length === 0) return { data, text: 'No trade has been busted.' };
  const rows = busts.map(({ id, symbol, price, amount, maker, taker, bustedAt }) => {
    return [id, symbol, numberText(price), numberText(amount), maker, taker, bustedAt];
  });
  const titles = ['TRADE', 'SYMBOL', 'PRICE', 'AMOUNT', 'MAKER', 'TAKER', 'BUSTED'];
  return { data, text: table(titles, rows) };
}
