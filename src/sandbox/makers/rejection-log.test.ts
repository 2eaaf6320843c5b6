import { expect, test } from 'bun:test';
import { ApiRequestError } from '../../client/index.ts';
import { RejectionLog } from './rejection-log.ts';

const rejection = (status: number, code: string) =>
  new ApiRequestError(status, code, `${code}.`, {}, undefined, undefined);

test('rejections of single orders are reported once per code and tolerated', async () => {
  const warnings: string[] = [];
  const log = new RejectionLog((message) => warnings.push(message));
  const errors = [
    rejection(400, 'MIN_NOTIONAL'),
    rejection(400, 'MIN_NOTIONAL'),
    rejection(400, 'INSUFFICIENT_BALANCE'),
    rejection(404, 'ORDER_NOT_FOUND'),
    rejection(429, 'RATE_LIMIT_EXCEEDED'),
    rejection(400, 'MARKET_UNAVAILABLE'),
    rejection(503, 'OVERLOADED'),
  ];
  for (const error of errors) await log.tolerate(Promise.reject(error));
  const codes = warnings.map((message) => /\((\w+):/.exec(message)?.[1]);
  expect(codes).toEqual(['MIN_NOTIONAL', 'INSUFFICIENT_BALANCE', 'ORDER_NOT_FOUND']);
});

test.each([
  ['an unknown key', rejection(401, 'UNAUTHORIZED')],
  ['a frozen account', rejection(403, 'ACCOUNT_FROZEN')],
  ['an internal error of the exchange', rejection(500, 'INTERNAL_ERROR')],
  ['a programming error', new TypeError('test')],
])('%s stops the traders', async (_, error) => {
  await expect(new RejectionLog(() => {}).tolerate(Promise.reject(error))).rejects.toBe(error);
});
