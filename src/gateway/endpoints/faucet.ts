import { z } from 'zod';
import { HOUR_MS } from '../../config/durations.ts';
import { FAUCET, FAUCET_ASSETS } from '../../config/sandbox-funds.ts';
import { CommandKind } from '../../engine/command.ts';
import { product } from '../../engine/numbers/exact.ts';
import { NONE } from '../../engine/terms.ts';
import { executeTransfer } from '../../replica/transfers.ts';
import type { Call } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import { checkBody } from '../openapi/body-schema.ts';
import { describe } from '../openapi/description.ts';
import { fromZod, record } from '../openapi/json-schema.ts';
import { many } from '../openapi/record-schemas.ts';
import { done } from './admin/outcome.ts';
import { balancesText } from './records.ts';

const request = z.strictObject({ asset: z.enum(FAUCET_ASSETS) });

/**
 * POST /api/account/faucet, in the sandbox alone: a fixed sum of an asset, once an hour by the clock.
 * `{balances}`, those of the account afterwards. The transfer's reference names the hour, so the log
 * itself gives nothing twice, over restarts too.
 */
export async function useFaucet(call: Call): Promise<string> {
  const body = checkBody(request, call.body());
  const { state } = call.exchange;
  const asset = state.assetsByName.get(body.asset)!;
  const now = call.services.now();
  const hour = Math.floor(now / HOUR_MS);
  const outcome = await executeTransfer(call.services, {
    kind: CommandKind.transfer,
    account: NONE,
    key: NONE,
    owner: call.account.index,
    asset: asset.index,
    amount: product(FAUCET[body.asset], 1, 10 ** asset.decimals),
    reference: `faucet-${call.account.index}-${asset.asset}-${hour}`,
    reason: 'faucet',
  });
  if (!done(outcome, 'transfer', state).created) {
    const again = (hour + 1) * HOUR_MS;
    throw new ApiError(
      'INVALID_REQUEST',
      `The faucet gives each asset once an hour: there is more ${asset.asset} in ${Math.ceil((again - now) / 60_000)} minutes.`,
      { field: 'asset', rule: 'onceAnHour', retryAfter: Math.ceil((again - now) / 1000) },
    );
  }
  return balancesText(call.account, state);
}
useFaucet.description = describe({
  operationId: 'useFaucet',
  tag: 'Account',
  summary: 'Take play money from the faucet of the sandbox',
  notes:
    `${FAUCET_ASSETS.map((asset) => `${FAUCET[asset]} ${asset}`).join(', ')}: each once an hour by the ` +
    'clock. Only the sandbox has this path: elsewhere there is nothing at it.',
  body: { schema: fromZod(request), examples: { usdt: { asset: 'USDT' } } },
  data: record({ balances: many('Balance') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});
