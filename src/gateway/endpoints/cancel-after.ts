import { z } from 'zod';
import { CommandKind } from '../../engine/command.ts';
import type { Deadline } from '../../engine/orders/deadlines.ts';
import { NONE } from '../../engine/terms.ts';
import type { Call } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import { checkBody, whole } from '../openapi/body-schema.ts';
import { describe } from '../openapi/description.ts';
import { fromZod, record } from '../openapi/json-schema.ts';
import { many } from '../openapi/record-schemas.ts';
import { done } from './admin/outcome.ts';
import { timeText } from './records.ts';

/** A day: who is silent for longer is not waited for. */
const MAX_TIMEOUT_SECONDS = 86_400;

const request = z.strictObject({
  timeout: whole(0, MAX_TIMEOUT_SECONDS),
  symbol: z.string().nullish(),
});

/**
 * POST /api/orders/cancel-after: what this key has placed is canceled `timeout` seconds from now,
 * unless it is said anew before; 0 disarms. `{armed}`: all that this key has armed, until when.
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
  const { deadlines } = done(outcome, 'deadlines', state);
  const textOf = ({ market, dueAt }: Deadline) => {
    const of = market === NONE ? 'null' : `"${state.markets[market]!.symbol}"`;
    return `{"symbol":${of},"cancelAt":${timeText(dueAt)}}`;
  };
  return `{"armed":[${deadlines.map(textOf).join(',')}]}`;
}
cancelAfter.description = describe({
  operationId: 'cancelAfter',
  tag: 'Trading',
  summary: 'Cancel what this key has placed should it fall silent',
  notes:
    'In `timeout` seconds, unless sent again before; 0 disarms. With `symbol` for that market alone, ' +
    'beside the one for all. It survives restarts. `armed` is all that the key has armed.',
  body: {
    schema: fromZod(request),
    examples: { arm: { timeout: 60 }, disarm: { timeout: 0 } },
  },
  data: record({ armed: many('Deadline') }),
  errors: ['INVALID_SYMBOL'],
});
