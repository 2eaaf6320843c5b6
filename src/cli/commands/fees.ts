import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { confirm, YES_OPTION } from '../confirm.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { table } from '../text.ts';
import { REASON_OPTION } from './approval-reason.ts';

type Tiers = Awaited<ReturnType<ExactClient['getFeeTiers']>>;
type Programs = Awaited<ReturnType<ExactClient['getFeePrograms']>>;

const MAX_TIERS = 50;

export const feeCommands: readonly Command[] = [
  online({
    name: 'fee list',
    positionals: [],
    options: [],
    summary: 'list the fee tiers',
    run: list,
  }),
  online({
    name: 'fee set',
    positionals: ['ASSET'],
    options: [
      {
        name: 'tier',
        value: 'VOLUME:MAKER:TAKER',
        help: 'minimum 30-day volume in ASSET, maker and taker rate, such as 100000:0.0006:0.0009;\nrepeat for more tiers in ascending order; without it all tiers are deleted',
        isRepeatable: true,
        form: FORMS.tier,
      },
      REASON_OPTION,
      YES_OPTION,
    ],
    summary: 'replace the fee tiers, by 30-day volume in markets quoted in ASSET',
    run: set,
  }),
  online({
    name: 'account fee-tier',
    positionals: ['ID', 'TIER'],
    options: [REASON_OPTION],
    summary: 'set the fee tier of an account, or that of its volume again',
    run: setAccountTier,
  }),
  online({
    name: 'fee programs',
    positionals: [],
    options: [],
    summary: 'show the fee discount and the referral share',
    run: listPrograms,
  }),
  online({
    name: 'fee discount',
    positionals: ['ASSET', 'BALANCE', 'SHARE'],
    options: [REASON_OPTION],
    summary:
      'waive SHARE of the fees of accounts that own BALANCE of ASSET; 0 removes the discount',
    run: setDiscount,
  }),
  online({
    name: 'fee referral-share',
    positionals: ['SHARE'],
    options: [REASON_OPTION],
    summary: 'pay referrers SHARE of the fees of the accounts that they referred',
    run: setShare,
  }),
  online({
    name: 'account referrer',
    positionals: ['ID', 'REFERRER'],
    options: [REASON_OPTION],
    summary: 'set which account referred ID, once and permanently',
    run: setReferrer,
  }),
];

async function list(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getFeeTiers();
  return { data, text: tierTable(data) };
}

async function set(args: Arguments, client: ExactClient): Promise<Result> {
  const tiers = args.all('tier').map((text) => {
    const [minVolume, makerFee, takerFee] = text.split(':');
    return { minVolume: minVolume!, makerFee: makerFee!, takerFee: takerFee! };
  });
  if (tiers.length > MAX_TIERS) throw usageError(`Give at most ${MAX_TIERS} --tier.`);
  if (tiers.length === 0) {
    await confirm(
      args,
      'Without --tier all fee tiers are deleted, and everyone pays the rates of the markets.',
    );
  }
  const data = await client.setFeeTiers({
    asset: args.positional('ASSET'),
    tiers,
    reason: args.option('reason'),
  });
  return { data, text: tierTable(data) };
}

function tierTable({ tiers, volumeAsset }: Tiers): string {
  if (tiers.length === 0) return 'There are no fee tiers. The rates of each market apply.';
  const rows = tiers.map(({ tier, minVolume, makerFee, takerFee }) => {
    return [tier, minVolume, makerFee, takerFee];
  });
  return table(['TIER', `30-DAY VOLUME, ${volumeAsset}`, 'MAKER', 'TAKER'], rows);
}

async function setAccountTier(args: Arguments, client: ExactClient): Promise<Result> {
  const tier = args.positional('TIER');
  const data = await client.changeAccount({
    id: args.positional('ID'),
    feeTier: tier === 'volume' ? tier : Number(tier),
    reason: args.option('reason'),
  });
  const { accountId } = data.account;
  const text =
    tier === 'volume'
      ? `The fee tier of ${accountId} is derived from its volume.`
      : `The fee tier of ${accountId} is ${tier}.`;
  return { data, text };
}

async function listPrograms(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getFeePrograms();
  return { data, text: programsText(data) };
}

async function setDiscount(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.setFeeDiscount({
    asset: args.positional('ASSET'),
    minBalance: args.positional('BALANCE'),
    rate: args.positional('SHARE'),
    reason: args.option('reason'),
  });
  return { data, text: programsText(data) };
}

async function setShare(args: Arguments, client: ExactClient): Promise<Result> {
  const share = args.positional('SHARE');
  const data = await client.setReferralShare({ share, reason: args.option('reason') });
  return { data, text: programsText(data) };
}

function programsText({ discount, referralShare }: Programs): string {
  const terms =
    discount === null
      ? 'There is no fee discount.'
      : `Accounts that own at least ${numberText(discount.minBalance)} ${discount.asset} pay fees less ${numberText(discount.rate)} of them.`;
  return `${terms}\nReferrers receive ${numberText(referralShare)} of the fees.`;
}

async function setReferrer(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.changeAccount({
    id: args.positional('ID'),
    referrer: args.positional('REFERRER'),
    reason: args.option('reason'),
  });
  const { accountId, referrer } = data.account;
  return { data, text: `${accountId} was referred by ${referrer}.` };
}
