import type { ExactNumber } from '../../client/exact-number.ts';
import type { Market } from '../../client/index.ts';
import type { RestClient } from '../../client/rest-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { fields, table } from '../text.ts';
import { createOptions, readRules, ruleLines } from './market-rules.ts';

interface Asset {
  readonly asset: string;
  readonly name: string;
  readonly decimals: ExactNumber;
}

type ExactMarket = Market<ExactNumber>;

export const marketCommands: readonly Command[] = [
  online({
    name: 'asset create',
    positionals: ['ASSET'],
    options: [
      { name: 'name', value: 'N', help: 'full name, such as Bitcoin', isRequired: true },
      { name: 'decimals', value: 'D', help: 'number of decimals', isRequired: true },
    ],
    summary: 'add an asset',
    run: createAsset,
  }),
  online({
    name: 'asset list',
    positionals: [],
    options: [],
    summary: 'list the assets',
    run: listAssets,
  }),
  online({
    name: 'market list',
    positionals: [],
    options: [],
    summary: 'list the markets with their rules and last prices',
    run: listMarkets,
  }),
  online({
    name: 'market create',
    positionals: ['SYMBOL'],
    options: createOptions,
    summary: 'list a market of two assets, such as BTC/USDT',
    run: createMarket,
  }),
  online({
    name: 'market status',
    positionals: ['SYMBOL', 'STATUS'],
    options: [],
    summary: 'set the status: online, post_only, limit_only, cancel_only or halted',
    run: (args, client) => setStatus(args, client, args.positional('STATUS')),
  }),
  online({
    name: 'market halt',
    positionals: ['SYMBOL'],
    options: [],
    summary: 'halt a market',
    run: (args, client) => setStatus(args, client, 'halted'),
  }),
  online({
    name: 'market resume',
    positionals: ['SYMBOL'],
    options: [],
    summary: 'resume trading in a market',
    run: (args, client) => setStatus(args, client, 'online'),
  }),
];

async function createAsset(args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<{ asset: Asset }>('POST', '/api/admin/assets', {
    body: {
      asset: args.positional('ASSET'),
      name: args.required('name'),
      decimals: args.number('decimals'),
    },
  });
  return { data, text: assetTable([data.asset]) };
}

async function listAssets(_args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<{ assets: Asset[] }>('GET', '/api/admin/assets');
  return { data, text: data.assets.length > 0 ? assetTable(data.assets) : 'There are no assets.' };
}

function assetTable(assets: readonly Asset[]): string {
  const rows = assets.map(({ asset, name, decimals }) => [asset, name, decimals]);
  return table(['ASSET', 'NAME', 'DECIMALS'], rows);
}

async function listMarkets(_args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<{ markets: ExactMarket[] }>('GET', '/api/admin/markets');
  const rows = data.markets.map((market) => [
    market.symbol,
    market.status,
    market.last,
    market.percentage,
    market.baseVolume,
    market.tickSize,
    market.stepSize,
    market.minNotional,
    market.makerFee,
    market.takerFee,
  ]);
  const headings = [
    'MARKET',
    'STATUS',
    'LAST',
    '24H %',
    '24H VOLUME',
    'TICK',
    'STEP',
    'MIN NOTIONAL',
    'MAKER',
    'TAKER',
  ];
  return { data, text: rows.length > 0 ? table(headings, rows) : 'There are no markets.' };
}

async function createMarket(args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<{ market: ExactMarket }>('POST', '/api/admin/markets', {
    body: { symbol: args.positional('SYMBOL'), ...readRules(args) },
  });
  const { market } = data;
  const text = fields([
    ['Market', market.symbol],
    ['Status', market.status],
    ...ruleLines(market),
    ['Reference price', market.last],
  ]);
  return { data, text };
}

async function setStatus(args: Arguments, client: RestClient, status: string): Promise<Result> {
  const data = await client.request<{ market: ExactMarket }>('PATCH', '/api/admin/markets', {
    body: { symbol: args.positional('SYMBOL'), status },
  });
  return { data, text: `${data.market.symbol} is ${data.market.status}.` };
}
