import type { ExactClient } from '../../client/exact-client.ts';
import type { Asset, ChangeMarketParameters, ListMarketParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { fields, table } from '../text.ts';
import { createOptions, readRules, ruleLines } from './market-rules.ts';

type Status = ChangeMarketParameters['status'];

export const marketCommands: readonly Command[] = [
  online({
    name: 'asset create',
    positionals: ['ASSET'],
    options: [
      {
        name: 'name',
        value: 'N',
        help: 'full name, such as Bitcoin',
        isRequired: true,
        form: FORMS.assetName,
      },
      {
        name: 'decimals',
        value: 'D',
        help: 'number of decimals, 0 to 22',
        isRequired: true,
        form: FORMS.assetDecimals,
      },
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
    options: [
      ...createOptions,
      {
        name: 'opens-at',
        value: 'T',
        help: 'open by an auction that ends at this ISO 8601 time',
        form: FORMS.time,
      },
    ],
    summary: 'list a market of two assets, such as BTC/USDT',
    run: createMarket,
  }),
  online({
    name: 'market status',
    positionals: ['SYMBOL', 'STATUS'],
    options: [],
    summary: 'set the status of a market, such as online or halted',
    run: (args, client) => setStatus(args, client, args.positional('STATUS') as Status),
  }),
  online({
    name: 'market halt',
    positionals: ['SYMBOL'],
    options: [],
    summary: 'halt a market',
    run: (args, client) => setStatus(args, client, 'halted'),
  }),
  online({
    name: 'market auction',
    positionals: ['SYMBOL'],
    options: [],
    summary: 'call an auction, which ends after the length in the rules of the market',
    run: (args, client) => setStatus(args, client, 'auction'),
  }),
  online({
    name: 'market resume',
    positionals: ['SYMBOL'],
    options: [],
    summary: 'resume trading in a market; ends an auction',
    run: (args, client) => setStatus(args, client, 'online'),
  }),
];

async function createAsset(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.createAsset({
    asset: args.positional('ASSET'),
    name: args.required('name'),
    decimals: Number(args.required('decimals')),
  });
  return { data, text: assetTable([data.asset]) };
}

async function listAssets(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listKnownAssets();
  return { data, text: data.assets.length > 0 ? assetTable(data.assets) : 'There are no assets.' };
}

function assetTable(assets: readonly Asset[]): string {
  const rows = assets.map(({ asset, name, decimals }) => [asset, name, decimals]);
  return table(['ASSET', 'NAME', 'DECIMALS'], rows);
}

async function listMarkets(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listAdminMarkets();
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

async function createMarket(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listMarket({
    symbol: args.positional('SYMBOL'),
    ...readRules(args),
    ...(args.has('opens-at') && { status: 'auction', opensAt: args.required('opens-at') }),
  } as ListMarketParameters);
  const { market } = data;
  const text = fields([
    ['Market', market.symbol],
    ['Status', market.status],
    ...ruleLines(market),
    ['Reference price', market.last],
  ]);
  return { data, text };
}

async function setStatus(args: Arguments, client: ExactClient, status: Status): Promise<Result> {
  const data = await client.changeMarket({
    symbol: args.positional('SYMBOL'),
    status,
  });
  return { data, text: `${data.market.symbol} is ${data.market.status}.` };
}
