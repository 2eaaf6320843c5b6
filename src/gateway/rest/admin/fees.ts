import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import { parseUnits } from '../../../engine/units.ts';
import { checkBody, decimal } from '../../body-schema.ts';
import type { Call } from '../../call.ts';
import { ApiError, quoteSender } from '../../errors.ts';
import { invalid } from '../../query.ts';
import { tiersText } from '../fees.ts';
import { units } from './markets.ts';
import { done } from './outcome.ts';

const table = z.strictObject({
  asset: z.string(),
  tiers: z.array(z.strictObject({ minVolume: decimal, makerFee: decimal, takerFee: decimal })),
});

/** GET /api/admin/fee-tiers: `{tiers, volumeAsset}`. */
export function getFeeTiers(call: Call): string {
  call.query([]);
  return `{${tiersText(call.exchange.state)}}`;
}

/** POST /api/admin/fee-tiers: puts another table in force, an empty one too; answers it. */
export async function setFeeTiers(call: Call): Promise<string> {
  const body = checkBody(table, call.body());
  const { state } = call.exchange;
  const asset = state.assetsByName.get(body.asset);
  if (asset === undefined) {
    const message = `There is no asset ${quoteSender(body.asset)}.`;
    throw new ApiError('NOT_FOUND', message, { field: 'asset' });
  }
  const tiers = body.tiers.map(({ minVolume, makerFee, takerFee }) => {
    const volume = parseUnits(minVolume.text, asset.decimals);
    if (typeof volume === 'string') {
      const message = `minVolume may have at most ${asset.decimals} decimals.`;
      throw invalid('minVolume', 'decimals', message);
    }
    return {
      minVolume: volume,
      makerFee: units(makerFee, 6, 'makerFee'),
      takerFee: units(takerFee, 6, 'takerFee'),
    };
  });
  const outcome = await call.services.replica.execute({
    kind: CommandKind.setFeeTiers,
    ...call.actor,
    asset: asset.index,
    tiers,
  });
  done(outcome, 'done', state);
  return `{${tiersText(state)}}`;
}
