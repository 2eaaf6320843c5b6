import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { table } from '../text.ts';

export const dashboardCommand: Command = online({
  name: 'dashboard',
  positionals: [],
  options: [],
  summary: 'show volume, fees, users, waiting items and the quality of the markets',
  run: dashboard,
});

async function dashboard(_: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getDashboard();
  const { node, users, queues, markets, volumes, fees } = data;
  const list = (parts: readonly string[]) => (parts.length === 0 ? '-' : parts.join(', '));
  const facts = [
    ['Node', `${node.node}, history lag ${node.archivistLagMs} ms`],
    ['Open orders', String(node.openOrders)],
    ['24h volume', list(volumes.map(({ asset, volume }) => `${numberText(volume)} ${asset}`))],
    [
      `Fees since ${data.feesSince}`,
      list(fees.map(({ asset, amount }) => `${numberText(amount)} ${asset}`)),
    ],
    ['Users', `${users.registered}, ${users.created} new and ${users.active} active in 24 h`],
    ...Object.entries(queues).map(([name, count]) => [`Waiting ${name}`, String(count)]),
  ];
  const orNone = (value: Parameters<typeof numberText>[0] | null) =>
    value === null ? '-' : numberText(value);
  const rows = markets.map((market) => [
    ...[market.symbol, market.status, orNone(market.spreadBasisPoints)],
    ...[orNone(market.bidDepth), orNone(market.askDepth), orNone(market.twoSidedPercent)],
    ...[numberText(market.volume), String(market.trades)],
  ]);
  const headings = [
    'MARKET',
    'STATUS',
    'SPREAD BPS',
    'BIDS',
    'ASKS',
    'QUOTED %',
    'VOLUME',
    'TRADES',
  ];
  return { data, text: `${table(['FIGURE', 'VALUE'], facts)}\n\n${table(headings, rows)}` };
}
