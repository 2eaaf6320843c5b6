import { z } from 'zod';
import { type ApprovableCommand, CommandKind } from '../../../engine/command.ts';
import { parseUnits } from '../../../engine/numbers/units.ts';
import type { JsonNumber } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody, decimal } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, nullableReference, number, record } from '../../openapi/json-schema.ts';
import { discountText, RATE_DECIMALS, rateText } from '../fees.ts';
import { approvalReason } from '../user/body-fields.ts';
import { executeAsOperator } from './execute.ts';
import { units } from './market-rules.ts';
import { expectOutcome } from './outcome.ts';

/** 1 in parts per million. */
const ALL = 10 ** RATE_DECIMALS;

const PROGRAMS = record({
  discount: nullableReference(
    'FeeDiscount',
    'The discount of accounts that own an asset; null if there is none.',
    { asset: 'BTC', minBalance: 1, rate: 0.25 },
  ),
  referralShare: number('Share of its fees that the referrer of an account receives.', 0.2),
});

/** GET /api/admin/fee-programs: `{discount, referralShare}`. */
export function getFeePrograms(call: Call): string {
  call.query([]);
  return programsText(call);
}
getFeePrograms.description = describe({
  operationId: 'getFeePrograms',
  tag: 'Operator',
  summary: 'The fee discount and the referral share',
  data: PROGRAMS,
});

const newDiscount = z.strictObject({
  asset: z.string().meta({ description: 'The asset that an account must own.' }),
  minBalance: decimal.meta({
    description: 'Minimum that an account must own of it, available and held.',
  }),
  rate: decimal.meta({
    description: 'Part of the fee rates that is waived, from 0 to 1. 0 removes the discount.',
  }),
  reason: approvalReason,
});

/** POST /api/admin/fee-discount: sets or removes the discount. Returns both programs. */
export async function setFeeDiscount(call: Call): Promise<string> {
  const body = checkBody(newDiscount, call.body());
  const asset = call.exchange.state.assetsByName.get(body.asset);
  if (asset === undefined) {
    const message = `Unknown asset ${quoteSender(body.asset)}.`;
    throw new ApiError('NOT_FOUND', message, { field: 'asset' });
  }
  const minBalance = parseUnits(body.minBalance.text, asset.decimals);
  if (typeof minBalance === 'string' || minBalance <= 0) {
    const message = `minBalance must be above zero, with at most ${asset.decimals} decimals.`;
    throw invalid('minBalance', 'positive', message);
  }
  const rate = share(body.rate, 'rate');
  const terms = { asset: asset.index, minBalance, rate };
  return change(call, { kind: CommandKind.setFeeDiscount, ...call.actor, ...terms }, body.reason);
}
setFeeDiscount.description = describe({
  operationId: 'setFeeDiscount',
  tag: 'Operator',
  summary: 'Set or remove the fee discount of accounts that own an asset',
  notes:
    'There is one discount; a new one replaces it. It applies to fees, not to rebates, and not in markets of the asset ' +
    'itself. It is rejected if it would let a taker pay less than the maker receives as a rebate.',
  body: {
    schema: fromZod(newDiscount),
    examples: { quarter: { asset: 'SOL', minBalance: 1000, rate: 0.25 } },
  },
  data: PROGRAMS,
  errors: ['NOT_FOUND'],
  mayNeedApproval: true,
});

const newShare = z.strictObject({
  share: decimal.meta({ description: 'From 0 to 1. With 0 nothing is paid.' }),
  reason: approvalReason,
});

/** POST /api/admin/referral-share: sets the share of referrers. Returns both programs. */
export function setReferralShare(call: Call): Promise<string> {
  const body = checkBody(newShare, call.body());
  const terms = { share: share(body.share, 'share') };
  return change(call, { kind: CommandKind.setReferralShare, ...call.actor, ...terms }, body.reason);
}
setReferralShare.description = describe({
  operationId: 'setReferralShare',
  tag: 'Operator',
  summary: 'Set the share of fees that referrers receive',
  notes:
    'The referrer of an account receives it from every fee of the account, less the rebate that the fee pays for, in the asset of the ' +
    'fee and rounded down. `PATCH /api/admin/accounts/{id}` sets the referrer of an account.',
  body: { schema: fromZod(newShare), examples: { fifth: { share: 0.2 } } },
  data: PROGRAMS,
  mayNeedApproval: true,
});

async function change(
  call: Call,
  command: ApprovableCommand,
  reason: string | null | undefined,
): Promise<string> {
  const outcome = await executeAsOperator(call, command, reason);
  expectOutcome(outcome, 'done', call.exchange.state);
  return programsText(call);
}

/** Returns a number from 0 to 1 in parts per million. @throws ApiError INVALID_REQUEST */
function share(number: JsonNumber, field: string): number {
  const value = units(number, RATE_DECIMALS, field);
  if (value >= 0 && value <= ALL) return value;
  throw invalid(field, 'range', `${field} must be from 0 to 1.`);
}

function programsText({ exchange: { state } }: Call): string {
  const { discount, referralShare } = state.parts.feePrograms;
  const text = discount === undefined ? 'null' : `{${discountText(discount, state)}}`;
  return `{"discount":${text},"referralShare":${rateText(referralShare)}}`;
}
