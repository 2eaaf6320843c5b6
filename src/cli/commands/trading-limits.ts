import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { table } from '../text.ts';
import { REASON_OPTION } from './approval-reason.ts';

type Limits = Awaited<ReturnType<ExactClient['getTradingLimits']>>['limits'];

const ACCOUNT = {
  name: 'account',
  value: 'ID',
  help: 'the account; without it the limits of all accounts without their own',
  form: FORMS.accountId,
} as const;

export const tradingLimitCommands: readonly Command[] = [
  online({
    name: 'limits show',
    positionals: [],
    options: [ACCOUNT],
    summary: 'show the trading limits of an account, or of all accounts without their own',
    run: show,
  }),
  online({
    name: 'limits set',
    positionals: [],
    options: [
      ACCOUNT,
      {
        name: 'order-rate',
        value: 'N',
        help: 'orders and amendments per 10 seconds',
        form: FORMS.orderLimit,
      },
      {
        name: 'orders-per-trade',
        value: 'N',
        help: 'orders and amendments per trade in each hour',
        form: FORMS.orderLimit,
      },
      {
        name: 'free-orders',
        value: 'N',
        help: 'orders and amendments per hour that need no trade; with --orders-per-trade',
        form: FORMS.orderLimit,
      },
      {
        name: 'open-notional',
        value: 'ASSET:AMOUNT',
        help: 'value of all open orders in markets quoted in ASSET;\nrepeat for more assets',
        isRepeatable: true,
        form: FORMS.notionalLimit,
      },
      REASON_OPTION,
    ],
    summary: 'replace trading limits; without an option there is no such limit',
    run: set,
  }),
  online({
    name: 'limits reset',
    positionals: ['ACCOUNT'],
    options: [REASON_OPTION],
    summary: 'remove the limits of an account, so that it has those of all others',
    run: reset,
  }),
];

async function show(args: Arguments, client: ExactClient): Promise<Result> {
  const id = args.option('account');
  if (id === undefined) return toResult(await client.getTradingLimits(), 'Accounts');
  const { account } = await client.getAccount({ id });
  return toResult({ limits: account.tradingLimits }, id);
}

async function set(args: Arguments, client: ExactClient): Promise<Result> {
  const openNotional = args.all('open-notional').map((text) => {
    const [asset, amount] = text.split(':');
    return { asset: asset!, amount: amount! };
  });
  const terms = {
    orderRate: args.integer('order-rate'),
    ordersPerTrade: args.integer('orders-per-trade'),
    freeOrders: args.integer('free-orders'),
    openNotional,
    reason: args.option('reason'),
  };
  const id = args.option('account');
  if (id === undefined) return toResult(await client.setTradingLimits(terms), 'Accounts');
  return toResult(await client.setAccountTradingLimits({ id, ...terms }), id);
}

async function reset(args: Arguments, client: ExactClient): Promise<Result> {
  const id = args.positional('ACCOUNT');
  const reason = args.option('reason');
  const data = await client.setAccountTradingLimits({ id, useDefault: true, reason });
  return toResult(data, id);
}

function toResult(data: { readonly limits: Limits }, who: string): Result {
  const { orderRate, ordersPerTrade, freeOrders, openNotional, isDefault } = data.limits;
  const rows = [
    ...(orderRate === null ? [] : [['orders per 10 seconds', `${orderRate}`]]),
    ...(ordersPerTrade === null
      ? []
      : [['orders per trade, hourly', `${ordersPerTrade}, and ${freeOrders} without a trade`]]),
    ...openNotional.map(({ asset, amount }) => ['open notional', `${amount} ${asset}`]),
  ];
  const whose = isDefault && who !== 'Accounts' ? `${who} has the limits of all others` : who;
  if (rows.length === 0) return { data, text: `${whose}: no trading limits.` };
  return { data, text: `${whose}:\n${table(['LIMIT', 'VALUE'], rows)}` };
}
