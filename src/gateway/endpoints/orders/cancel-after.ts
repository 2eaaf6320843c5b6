import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import type { Deadline } from '../../../engine/event.ts';
import { NONE } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, integer } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { expectOutcome } from '../admin/outcome.ts';
import { timeText } from '../records.ts';

/** One day. */
const MAX_TIMEOUT_SECONDS = 86_400;

const request = z.strictObject({
  timeout: integer(0, MAX_TIMEOUT_SECONDS),
  symbol: z.string().nullish(),
});

/**
 * POST /api/orders/cancel-after: cancels this key's open orders after `timeout` seconds, unless it is sent
 * again before (dead man's switch); 0 disarms. `{armed}` lists the key's switches and when each is due.
 */
export async function cancelAfter(call: Call): Promise<string> {
  const { timeout, symbol } = checkBody(request, call.body());
  const { state } = call.exchange;
  const market = symbol == null ? undefined : state.marketsBySymbol.get(symbol);
  if (symbol != null && market === undefined) {
    throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
  }
  const outcome = await call.services.replica.execute({
    kind: CommandKind.cancelAfter,
    ...call.actor,
    market: market?.index ?? NONE,
    timeoutMs: timeout * 1000,
  });
  const { deadlines } = expectOutcome(outcome, 'deadlines', state);
  const deadlineText = ({ market, dueAt }: Deadline) => {
    const symbol = market === NONE ? 'null' : `"${state.markets[market]!.symbol}"`;
    return `{"symbol":${symbol},"cancelAt":${timeText(dueAt)}}`;
  };
  return `{"armed":[${deadlines.map(deadlineText).join(',')}]}`;
}
cancelAfter.description = describe({
  operationId: 'cancelAfter',
  tag: 'Trading',
  summary: "Cancel this key's open orders if it stops sending heartbeats (dead man's switch)",
  notes:
    'Cancels after `timeout` seconds, unless sent again before; 0 disarms. With `symbol` it applies to that ' +
    'market only, independently of the switch for all markets. Switches survive restarts. `armed` lists all ' +
    'switches of the key.',
  body: {
    schema: fromZod(request),
    examples: { arm: { timeout: 60 }, disarm: { timeout: 0 } },
  },
  data: record({ armed: recordList('Deadline') }),
  errors: ['INVALID_SYMBOL'],
});
