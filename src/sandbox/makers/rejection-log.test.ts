import { expect, test } from 'bun:test';
import { ApiRequestError } from '../../client/index.ts';
import { Refusals } from './rejection-log.ts';

const refusal = (status: number, code: string) =>
  new ApiRequestError(status, code, `${code} it is.`, {}, undefined, undefined);

test('refusals of one order are told once a code, and the rest of them ends nothing', async () => {
  const warnings: string[] = [];
  const refusals = new Refusals((message) => warnings.push(message));
  const refused = [
    refusal(400, 'MIN_NOTIONAL'),
    refusal(400, 'MIN_NOTIONAL'),
    refusal(400, 'INSUFFICIENT_BALANCE'),
    refusal(404, 'ORDER_NOT_FOUND'),
    refusal(429, 'RATE_LIMIT_EXCEEDED'),
    refusal(400, 'MARKET_UNAVAILABLE'),
    refusal(503, 'OVERLOADED'),
  ];
  for (const error of refused) await refusals.outlive(Promise.reject(error));
  const codes = warnings.map((message) => /\((\w+):/.exec(message)?.[1]);
  expect(codes).toEqual(['MIN_NOTIONAL', 'INSUFFICIENT_BALANCE', 'ORDER_NOT_FOUND']);
});

test.each([
  ['a key that is none', refusal(401, 'UNAUTHORIZED')],
  ['a frozen account', refusal(403, 'ACCOUNT_FROZEN')],
  ['a fault of the exchange', refusal(500, 'INTERNAL_ERROR')],
  ['a mistake', new TypeError('a mistake')],
])('%s ends the traders', async (_, error) => {
  await expect(new Refusals(() => {}).outlive(Promise.reject(error))).rejects.toBe(error);
});
