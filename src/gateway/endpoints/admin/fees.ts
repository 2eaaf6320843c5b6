import { z } from 'zod';
import { CommandKind, type SetFeeTiers } from '../../../engine/command.ts';
import { parseUnits } from '../../../engine/numbers/units.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody, decimal } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { TIERS_SCHEMA, tiersText } from '../fees.ts';
import { approvalReason } from '../user/body-fields.ts';
import { executeAsOperator } from './execute.ts';
import { units } from './market-rules.ts';
import { expectOutcome } from './outcome.ts';

const table = z.strictObject({
  asset: z.string(),
  tiers: z.array(z.strictObject({ minVolume: decimal, makerFee: decimal, takerFee: decimal })),
  reason: approvalReason,
});

/** GET /api/admin/fee-tiers: `{tiers, volumeAsset}`. */
export function getFeeTiers(call: Call): string {
  call.query([]);
  return `{${tiersText(call.exchange.state)}}`;
}

getFeeTiers.description = describe({
  operationId: 'getFeeTiers',
  tag: 'Operator',
  summary: 'The fee tiers',
  data: record(TIERS_SCHEMA),
});

/** POST /api/admin/fee-tiers: replaces all fee tiers. Returns the new ones. */
export async function setFeeTiers(call: Call): Promise<string> {
  const body = checkBody(table, call.body());
  const { state } = call.exchange;
  const asset = state.assetsByName.get(body.asset);
  if (asset === undefined) {
    const message = `Unknown asset ${quoteSender(body.asset)}.`;
    throw new ApiError('NOT_FOUND', message, { field: 'asset' });
  }
  const tiers = body.tiers.map(({ minVolume, makerFee, takerFee }) => {
    const volume = parseUnits(minVolume.text, asset.decimals);
    if (typeof volume === 'string') {
      const message = `minVolume must have at most ${asset.decimals} decimals.`;
      throw invalid('minVolume', 'decimals', message);
    }
    return {
      minVolume: volume,
      makerFee: units(makerFee, 6, 'makerFee'),
      takerFee: units(takerFee, 6, 'takerFee'),
    };
  });
  const command: SetFeeTiers = {
    kind: CommandKind.setFeeTiers,
    ...call.actor,
    asset: asset.index,
    tiers,
  };
  const outcome = await executeAsOperator(call, command, body.reason);
  expectOutcome(outcome, 'done', state);
  return `{${tiersText(state)}}`;
}
setFeeTiers.description = describe({
  operationId: 'setFeeTiers',
  tag: 'Operator',
  summary: 'Replace the fee tiers',
  notes:
    'In order of increasing `minVolume`, in units of `asset`: the 30-day volume counts trades in markets quoted in ' +
    'it. A change of the asset restarts all volumes at zero. The lower of market and tier rate applies.',
  body: {
    schema: fromZod(table),
    examples: {
      twoTiers: {
        asset: 'USDT',
        tiers: [
          { minVolume: 100000, makerFee: 0.0006, takerFee: 0.0009 },
          { minVolume: 1000000, makerFee: 0.0004, takerFee: 0.0007 },
        ],
      },
    },
  },
  data: record(TIERS_SCHEMA),
  errors: ['NOT_FOUND'],
  mayNeedApproval: true,
});
