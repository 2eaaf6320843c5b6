import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { confirm, YES_OPTION } from '../confirm.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { table } from '../text.ts';
import { REASON_OPTION } from './approval-reason.ts';

type Tiers = Awaited<ReturnType<ExactClient['getFeeTiers']>>;

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
