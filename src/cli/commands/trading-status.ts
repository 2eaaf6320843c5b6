import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { confirm, YES_OPTION } from '../confirm.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

type Restrictions = Awaited<ReturnType<ExactClient['setTradingStatus']>>;

const REASON = {
  name: 'reason',
  value: 'TEXT',
  help: 'the reason, shown to clients and recorded in the audit',
  form: FORMS.reason,
  isRequired: true,
} as const;

export const tradingStatusCommands: readonly Command[] = [
  online({
    name: 'exchange halt',
    positionals: [],
    options: [
      REASON,
      { name: 'cancel-only', help: 'set the status cancel_only instead of halted' },
      { name: 'cancel-orders', help: 'also cancel all open orders of all accounts' },
      YES_OPTION,
    ],
    summary: 'stop trading in all markets at once',
    run: halt,
  }),
  online({
    name: 'exchange resume',
    positionals: [],
    options: [REASON],
    summary: 'resume trading; every market has the status it had',
    run: resume,
  }),
  online({
    name: 'maintenance list',
    positionals: [],
    options: [],
    summary: 'list the announced maintenance',
    run: async (_args, client) => show(await client.getStatus()),
  }),
  online({
    name: 'maintenance schedule',
    positionals: ['FROM', 'TO'],
    options: [
      { ...REASON, name: 'message', help: 'the announcement, shown to clients' },
      { name: 'cancel-only', help: 'let clients cancel orders with the status cancel_only' },
    ],
    summary: 'announce a maintenance, during which trading is halted',
    run: schedule,
  }),
  online({
    name: 'maintenance cancel',
    positionals: ['FROM'],
    options: [],
    summary: 'withdraw a maintenance, or end the current one',
    run: async (args, client) =>
      show(await client.cancelMaintenance({ from: args.positional('FROM') })),
  }),
];

async function halt(args: Arguments, client: ExactClient): Promise<Result> {
  const cancelOrders = args.has('cancel-orders');
  if (cancelOrders) await confirm(args, 'All open orders of all accounts will be canceled.');
  const status = args.has('cancel-only') ? 'cancel_only' : 'halted';
  const reason = args.required('reason');
  return show(await client.setTradingStatus({ status, reason, cancelOrders }));
}

async function resume(args: Arguments, client: ExactClient): Promise<Result> {
  const reason = args.required('reason');
  return show(await client.setTradingStatus({ status: 'trading', reason }));
}

async function schedule(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.scheduleMaintenance({
    from: args.positional('FROM'),
    to: args.positional('TO'),
    mode: args.has('cancel-only') ? 'cancel_only' : 'halted',
    message: args.required('message'),
  });
  return show(data);
}

function show({ trading, maintenance }: Restrictions): Result {
  const data = { trading, maintenance };
  const status = `All markets: ${trading.status}.`;
  if (maintenance.length === 0) return { data, text: `${status} No maintenance is announced.` };
  const rows = maintenance.map(({ from, to, mode, message, active }) => {
    return [from, to, mode, active ? 'yes' : 'no', printable(message)];
  });
  return { data, text: `${status}\n${table(['FROM', 'TO', 'MODE', 'ACTIVE', 'MESSAGE'], rows)}` };
}
