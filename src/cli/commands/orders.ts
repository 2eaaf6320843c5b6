import type { ExactClient } from '../../client/exact-client.ts';
import type { ExactNumber } from '../../client/exact-number.ts';
import type { ListAccountOrdersParameters, OperatorOrder } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

/** Option of `order cancel`, query parameter. */
const SELECTION = [
  ['symbol', 'symbol'],
  ['ids', 'ids'],
  ['client-order-id', 'clientOrderId'],
] as const;

export const orderCommands: readonly Command[] = [
  online({
    name: 'order list',
    positionals: ['ACCOUNT'],
    options: [
      {
        name: 'status',
        value: 'STATUS',
        help: 'only orders of this status (default open); closed for all ended ones',
        form: FORMS.orderStatus,
      },
      { name: 'symbol', value: 'S', help: 'only orders of this market', form: FORMS.symbol },
      {
        name: 'limit',
        value: 'N',
        help: 'number of orders, newest first (default 100)',
        form: FORMS.pageSize,
      },
    ],
    summary: 'list the open orders of an account, or those of another status',
    run: list,
  }),
  online({
    name: 'order cancel',
    positionals: ['ACCOUNT'],
    options: [
      { name: 'symbol', value: 'S', help: 'orders of this market', form: FORMS.symbol },
      { name: 'ids', value: '17,18', help: 'orders with these ids', form: FORMS.orderIds },
      {
        name: 'client-order-id',
        value: 'C',
        help: 'the order with this client order id',
        form: FORMS.reference,
      },
      { name: 'all', help: 'all orders' },
    ],
    summary: 'cancel orders of an account, even a frozen one',
    run: cancel,
  }),
  online({
    name: 'order timeline',
    positionals: ['ORDER'],
    options: [],
    summary: 'show the events of an own order, in a sandbox',
    run: showTimeline,
  }),
];

async function list(args: Arguments, client: ExactClient): Promise<Result> {
  const status = (args.option('status') ?? 'open') as ListAccountOrdersParameters['status'];
  const data = await client.listAccountOrders({
    id: args.positional('ACCOUNT'),
    status,
    symbol: args.option('symbol'),
    limit: args.integer('limit'),
  });
  const none = `${printable(args.positional('ACCOUNT'))} has no ${status} orders.`;
  const more =
    data.nextCursor === null ? '' : '\n\nThere are older orders. Use --limit to see more.';
  return { data, text: data.orders.length > 0 ? orderTable(data.orders) + more : none };
}

async function cancel(args: Arguments, client: ExactClient): Promise<Result> {
  const given = SELECTION.filter(([option]) => args.has(option)).map(
    ([option, parameter]) => [parameter, args.required(option)] as const,
  );
  const chosen = args.has('all') ? [...given, ['all', 'true'] as const] : given;
  if (chosen.length !== 1) {
    throw usageError('Give exactly one of --symbol, --ids, --client-order-id and --all.');
  }
  const selection = Object.fromEntries(chosen);
  const data = await client.cancelOrdersOf({ id: args.positional('ACCOUNT'), ...selection });
  const count = data.orders.length;
  const text = count === 0 ? 'No orders to cancel.' : `Canceled ${count} orders.`;
  return { data, text: count === 0 ? text : `${orderTable(data.orders)}\n\n${text}` };
}

async function showTimeline(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getOrderTimeline({ id: args.positional('ORDER') });
  const { events, whyNotFilled, complete, position } = data;
  const rows = events.map((event) => [
    event.position,
    event.timestamp,
    event.kind,
    event.price,
    event.amount,
    event.filled,
    event.levelsAhead,
    event.queueAhead,
    event.liquidity ?? event.reason ?? '',
  ]);
  const headings = [
    'POSITION',
    'TIME',
    'EVENT',
    'PRICE',
    'AMOUNT',
    'FILLED',
    'LEVELS',
    'QUEUE',
    'NOTE',
  ];
  const parts = [table(headings, rows)];
  if (whyNotFilled !== null) parts.push(`Not filled: ${whyNotFilled.text}`);
  if (!complete) parts.push(`The timeline ends early, at position ${position}.`);
  return { data, text: parts.join('\n\n') };
}

export function orderTable(orders: readonly OperatorOrder<ExactNumber>[]): string {
  const rows = orders.map((order) => [
    order.orderId,
    order.accountId,
    order.symbol,
    order.side,
    order.type,
    order.price,
    order.amount,
    order.filled,
    order.status,
  ]);
  const headings = [
    'ORDER',
    'ACCOUNT',
    'MARKET',
    'SIDE',
    'TYPE',
    'PRICE',
    'AMOUNT',
    'FILLED',
    'STATUS',
  ];
  return table(headings, rows);
}
