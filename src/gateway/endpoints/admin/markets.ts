import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import { MAX_ASSET_DECIMALS } from '../../../engine/limits.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, integer, optional, time } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { listedRuleFields } from '../../openapi/market-rules.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { assetText, marketText } from '../records.ts';
import { executeAsOperator } from './execute.ts';
import { readListing } from './market-rules.ts';
import { expectOutcome } from './outcome.ts';

const newAsset = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{1,12}$/, 'must be 1 to 12 of A-Z and 0-9'),
  name: z.string().min(1, 'must not be empty').max(64, 'must be at most 64 characters'),
  decimals: integer(0, MAX_ASSET_DECIMALS),
});

/** POST /api/admin/assets: adds an asset, or returns the existing one. */
export async function createAsset(call: Call): Promise<string> {
  const body = checkBody(newAsset, call.body());
  const outcome = await executeAsOperator(call, {
    kind: CommandKind.createAsset,
    ...call.actor,
    ...body,
  });
  return `{"asset":${assetText(expectOutcome(outcome, 'asset', call.exchange.state).asset)}}`;
}
createAsset.description = describe({
  operationId: 'createAsset',
  tag: 'Operator',
  summary: 'Add an asset',
  notes: 'Returns the existing asset if it was added before.',
  body: {
    schema: fromZod(newAsset),
    examples: { coin: { asset: 'XRP', name: 'XRP', decimals: 6 } },
  },
  data: record({ asset: recordRef('Asset') }),
});

/** GET /api/admin/assets: `{assets}`. */
export function listAssets(call: Call): string {
  call.query([]);
  return `{"assets":[${call.exchange.state.assets.map(assetText).join(',')}]}`;
}
listAssets.description = describe({
  operationId: 'listKnownAssets',
  tag: 'Operator',
  summary: 'All assets',
  data: record({ assets: recordList('Asset') }),
});

const newMarket = z.strictObject({
  symbol: z.string(),
  status: z
    .enum(['online', 'auction'])
    .nullish()
    .describe('`auction` opens the market by an auction; `online`, the default, at once.'),
  opensAt: optional(
    time.meta({ minimum: 0 }),
    'When the opening auction fills orders; without it an operator ends the auction. Only with the status `auction`.',
  ),
  ...listedRuleFields,
});

/** POST /api/admin/markets: lists a market. */
export async function listMarket(call: Call): Promise<string> {
  const body = checkBody(newMarket, call.body());
  const { state } = call.exchange;
  const names = body.symbol.split('/');
  const [base, quoteAsset] = names.map((name) => state.assetsByName.get(name));
  if (names.length !== 2 || base === undefined || quoteAsset === undefined) {
    throw new ApiError(
      'INVALID_SYMBOL',
      'symbol must be BASE/QUOTE, both of them existing assets.',
      {
        field: 'symbol',
        rule: 'assets',
      },
    );
  }
  const outcome = await executeAsOperator(call, {
    kind: CommandKind.listMarket,
    ...call.actor,
    symbol: body.symbol,
    base: base.asset,
    quote: quoteAsset.asset,
    ...readListing(body, quoteAsset),
    ...readOpening(body),
  });
  const { market } = expectOutcome(outcome, 'market', state);
  return `{"market":${formatMarket(call, market.index)}}`;
}
/** Returns the opening auction of a listing. @throws ApiError INVALID_REQUEST */
function readOpening({ status, opensAt }: z.infer<typeof newMarket>): { opensAt?: number } {
  if (status === 'auction') return { opensAt: opensAt ?? 0 };
  if (opensAt == null) return {};
  throw invalid('opensAt', 'status', 'opensAt needs the status auction.');
}

listMarket.description = describe({
  operationId: 'listMarket',
  tag: 'Operator',
  summary: 'List a market',
  notes:
    'Add its assets first. With the status `auction` orders rest, without trading, until the opening auction fills them ' +
    'at one price.',
  body: {
    schema: fromZod(newMarket),
    examples: {
      market: {
        symbol: 'SOL/BTC',
        tickSize: 0.00001,
        stepSize: 0.00000001,
        maxAmount: 100000,
        maxPrice: 10,
        minNotional: 0.00001,
        makerFee: 0.0008,
        takerFee: 0.001,
        referencePrice: 0.0022,
      },
      opening: {
        symbol: 'SOL/ETH',
        status: 'auction',
        opensAt: '2030-01-01T12:00:00.000Z',
        tickSize: 0.00001,
        stepSize: 0.001,
        maxAmount: 100000,
        maxPrice: 10,
        minNotional: 0.00001,
        makerFee: 0.0008,
        takerFee: 0.001,
        referencePrice: 0.0022,
        staticBand: 0.1,
        dynamicBand: 0.05,
        auctionMs: 120000,
      },
    },
  },
  data: record({ market: recordRef('Market') }),
  errors: ['INVALID_SYMBOL'],
});

/** GET /api/admin/markets: `{markets}`, as in GET /api/markets, with the reference price. */
export function getAdminMarkets(call: Call): string {
  call.query([]);
  const texts = call.exchange.state.markets.map(({ index, rules }) => {
    const reference = formatUnits(rules.referencePrice, rules.priceDecimals);
    return `${formatMarket(call, index).slice(0, -1)},"referencePrice":${reference}}`;
  });
  return `{"markets":[${texts.join(',')}]}`;
}
getAdminMarkets.description = describe({
  operationId: 'listAdminMarkets',
  tag: 'Operator',
  summary: 'All markets',
  data: record({ markets: recordList('OperatorMarket') }),
});

/** Returns a market as in GET /api/markets. */
export function formatMarket(call: Call, index: number): string {
  const { statistics, now } = call.services;
  const { state } = call.exchange;
  return marketText(state.markets[index]!, statistics.get(index).at(now()), state);
}
