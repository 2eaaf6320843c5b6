import type { Account } from '../../engine/ledger/accounts.ts';
import { type FeeDiscount, ownsEnough } from '../../engine/ledger/fee-discount.ts';
import { VOLUME_DAYS } from '../../engine/limits.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import { MarketStatus, NONE } from '../../engine/terms.ts';
import type { Call } from '../http/request/call.ts';
import { describe } from '../openapi/description.ts';
import {
  boolean,
  integer,
  nullable,
  nullableReference,
  number,
  record,
  text,
} from '../openapi/json-schema.ts';
import { recordList } from '../openapi/record-schemas.ts';

/** Rates are in parts per million. */
export const RATE_DECIMALS = 6;
const PARAMETERS = ['symbol'] as const;

/**
 * GET /api/fees: `{fees, tier, isTierFixed, tiers, volume, volumeAsset, volumeDays, discount, hasDiscount}`: the
 * account's rates per market, its tier, the volumes of all tiers, and the discount.
 */
export function getFees(call: Call): string {
  const market = call.query(PARAMETERS).market(call.exchange);
  const { state } = call.exchange;
  const { feeTiers } = state;
  const time = Math.max(call.services.now(), state.time);
  const { account } = call;
  const fees = (market === undefined ? state.markets : [market]).map((each) => {
    const makerFee = feeTiers.makerFee(account, each, time);
    const takerFee = feeTiers.takerFee(account, each, time);
    return feeText(each.symbol, { makerFee, takerFee });
  });
  const { discount } = feeTiers;
  return (
    `{"fees":[${fees.join(',')}],"tier":${feeTiers.currentTier(account, time)},` +
    `"isTierFixed":${account.feeTier !== NONE},${scheduleText(state)},` +
    `"volume":${volumeText(account, state, time)},` +
    `"hasDiscount":${discount !== undefined && ownsEnough(discount, account)}}`
  );
}

/** The fields that `tiersText` returns. */
export const TIERS_SCHEMA = {
  tiers: recordList('FeeTier'),
  volumeAsset: nullable(
    text('The asset in which volume is counted; null if it is not counted.', 'USDT'),
    'USDT',
  ),
};

const SCHEDULE_SCHEMA = {
  ...TIERS_SCHEMA,
  volumeDays: integer('UTC days of the volume, including today.', VOLUME_DAYS),
  discount: nullableReference(
    'FeeDiscount',
    'The discount of accounts that own an asset; null if there is none.',
    { asset: 'BTC', minBalance: 1, rate: 0.25 },
  ),
};
getFees.description = describe({
  operationId: 'getFees',
  tag: 'Account',
  summary: "The account's fee rates, fee tier and discount",
  notes:
    'Volume counts the trades of the account in markets quoted in `volumeAsset`. The rates are those that the account pays, after its ' +
    'tier and discount.',
  query: PARAMETERS,
  data: record({
    fees: recordList('Fee'),
    tier: integer('The tier of the account. Tier 0 has the rates of the market.', 1),
    isTierFixed: boolean('Whether an operator has set the tier, whatever the volume.', false),
    ...SCHEDULE_SCHEMA,
    volume: nullable(number('Volume over `volumeDays`; null if it is not counted.', 125000)),
    hasDiscount: boolean(
      'Whether the account owns enough for it. Markets of the asset itself have no discount.',
      false,
    ),
  }),
  errors: ['INVALID_SYMBOL'],
});

/** GET /api/fees/schedule: `{fees, tiers, volumeAsset, volumeDays, discount}`: the fees of all accounts. */
export function getFeeSchedule(call: Call): string {
  call.query([]);
  const { state } = call.exchange;
  const fees = state.markets
    .filter(({ status }) => status !== MarketStatus.delisted)
    .map(({ symbol, rules }) => feeText(symbol, rules));
  return `{"fees":[${fees.join(',')}],${scheduleText(state)}}`;
}
getFeeSchedule.description = describe({
  operationId: 'getFeeSchedule',
  tag: 'Market data',
  summary: 'The fee schedule: rates of the markets, fee tiers and discount',
  notes:
    '`fees` are the rates of accounts without a tier. An account of a tier pays the lower of the rate of the market and ' +
    'that of its tier. Volume counts trades in markets quoted in `volumeAsset`.',
  data: record({ fees: recordList('Fee'), ...SCHEDULE_SCHEMA }),
});

/** Returns the fields of the fee schedule that are the same for every market and account. */
function scheduleText(state: State): string {
  const { discount } = state.feeTiers;
  return (
    `${tiersText(state)},"volumeDays":${VOLUME_DAYS},` +
    `"discount":${discount === undefined ? 'null' : `{${discountText(discount, state)}}`}`
  );
}

function feeText(
  symbol: string,
  { makerFee, takerFee }: { readonly makerFee: number; readonly takerFee: number },
): string {
  return `{"symbol":"${symbol}","makerFee":${rateText(makerFee)},"takerFee":${rateText(takerFee)}}`;
}

/** Returns the fields `tiers` and `volumeAsset` as JSON. */
export function tiersText({ feeTiers, assets }: State): string {
  const asset = assets[feeTiers.asset];
  if (asset === undefined) return '"tiers":[],"volumeAsset":null';
  const tiers = feeTiers.tiers.map(({ minVolume, makerFee, takerFee }, place) => {
    const from = formatUnits(minVolume, asset.decimals);
    const rates = `"makerFee":${rateText(makerFee)},"takerFee":${rateText(takerFee)}`;
    return `{"tier":${place + 1},"minVolume":${from},${rates}}`;
  });
  return `"tiers":[${tiers.join(',')}],"volumeAsset":"${asset.asset}"`;
}

/** Returns the volume of an account that decides its tier, as JSON; null if none is counted. */
export function volumeText(account: Account, { feeTiers, assets }: State, time: number): string {
  if (feeTiers.asset === NONE) return 'null';
  const volume = feeTiers.tradedVolume(account.index, time);
  return formatUnits(volume, assets[feeTiers.asset]!.decimals);
}

/** Returns the fields of a discount as JSON. */
export function discountText({ asset, minBalance, rate }: FeeDiscount, { assets }: State): string {
  const { asset: name, decimals } = assets[asset]!;
  return `"asset":"${name}","minBalance":${formatUnits(minBalance, decimals)},"rate":${rateText(rate)}`;
}

/** Returns parts per million as a number. */
export function rateText(rate: number): string {
  return formatUnits(rate, RATE_DECIMALS);
}
