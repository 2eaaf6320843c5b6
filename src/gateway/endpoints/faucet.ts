import { z } from 'zod';
import { HOUR_MS } from '../../config/durations.ts';
import { FAUCET, FAUCET_ASSETS } from '../../config/sandbox-funds.ts';
import { CommandKind } from '../../engine/command.ts';
import { product } from '../../engine/numbers/exact.ts';
import { RejectionCode, rejected } from '../../engine/rejection.ts';
import { NONE } from '../../engine/terms.ts';
import { executeTransfer } from '../../replica/transfers.ts';
import type { Call } from '../http/request/call.ts';
import { ApiError } from '../http/response/errors.ts';
import { checkBody } from '../openapi/body-schema.ts';
import { describe } from '../openapi/description.ts';
import { fromZod, record } from '../openapi/json-schema.ts';
import { recordList } from '../openapi/record-schemas.ts';
import { rejectionError } from '../orders/rejections.ts';
import { expectOutcome } from './admin/outcome.ts';
import { balancesText } from './records.ts';

const request = z.strictObject({ asset: z.enum(FAUCET_ASSETS) });

/**
 * POST /api/account/faucet: credits a fixed amount of an asset, once per clock hour. Sandbox only.
 * `{balances}` are the account's balances afterwards. The transfer's reference contains the hour, so that
 * the log applies it only once, even across restarts.
 */
export async function useFaucet(call: Call): Promise<string> {
  const body = checkBody(request, call.body());
  const { state } = call.exchange;
  // The engine credits closed accounts, so that operators can adjust their balances.
  if (call.account.isClosed) throw rejectionError(rejected(RejectionCode.accountClosed), state);
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
  if (!expectOutcome(outcome, 'transfer', state).created) {
    const nextHour = (hour + 1) * HOUR_MS;
    throw new ApiError(
      'INVALID_REQUEST',
      `The faucet credits each asset once an hour. Try ${asset.asset} again in ${Math.ceil((nextHour - now) / 60_000)} minutes.`,
      { field: 'asset', rule: 'onceAnHour', retryAfter: Math.ceil((nextHour - now) / 1000) },
    );
  }
  return balancesText(call.account, state);
}
useFaucet.description = describe({
  operationId: 'useFaucet',
  tag: 'Account',
  summary: 'Get demo funds from the sandbox faucet',
  notes:
    `Credits ${FAUCET_ASSETS.map((asset) => `${FAUCET[asset]} ${asset}`).join(', ')}: each once per clock ` +
    'hour. Exists only in the sandbox.',
  body: { schema: fromZod(request), examples: { usdt: { asset: 'USDT' } } },
  data: record({ balances: recordList('Balance') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});
