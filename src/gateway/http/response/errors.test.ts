import { describe, expect, test } from 'bun:test';
import { JsonNumber } from '../json.ts';
import { ApiError, ERRORS, type ErrorCode, errorBody } from './errors.ts';

test('codes and statuses do not change', () => {
  const codes = Object.entries(ERRORS).map(([code, { status }]) => `${status} ${code}`);
  expect(codes).toEqual([
    '400 INVALID_REQUEST',
    '400 INVALID_SYMBOL',
    '400 INVALID_SIDE',
    '400 INVALID_TYPE',
    '400 INVALID_AMOUNT',
    '400 INVALID_PRICE',
    '400 MIN_NOTIONAL',
    '400 INSUFFICIENT_BALANCE',
    '400 POST_ONLY_WOULD_TAKE',
    '400 MARKET_UNAVAILABLE',
    '400 NO_LIQUIDITY',
    '400 TOO_MANY_OPEN_ORDERS',
    '400 ACCOUNT_LIMIT',
    '400 ORDER_NOT_OPEN',
    '400 NETWORK_UNAVAILABLE',
    '400 INVALID_ADDRESS',
    '400 ADDRESS_COOLING',
    '400 WITHDRAWAL_LIMIT',
    '400 WITHDRAWAL_NOT_PENDING',
    '400 DEPOSIT_NOT_IN_REVIEW',
    '400 UNSUPPORTED_VERSION',
    '401 UNAUTHORIZED',
    '403 INSUFFICIENT_PERMISSIONS',
    '403 IP_NOT_ALLOWED',
    '403 ACCOUNT_FROZEN',
    '403 WITHDRAWALS_BLOCKED',
    '403 APPROVAL_NOT_ALLOWED',
    '403 BROWSER_NOT_ALLOWED',
    '404 ORDER_NOT_FOUND',
    '404 NOT_FOUND',
    '405 METHOD_NOT_ALLOWED',
    '413 PAYLOAD_TOO_LARGE',
    '409 DUPLICATE_CLIENT_ORDER_ID',
    '409 DUPLICATE_REFERENCE',
    '409 DUPLICATE_WITHDRAWAL',
    '409 DEPOSIT_CONFLICT',
    '429 RATE_LIMIT_EXCEEDED',
    '500 INTERNAL_ERROR',
    '500 OUTCOME_UNKNOWN',
    '503 CLOCK_OFF',
    '503 OVERLOADED',
    '503 STALE',
  ]);
});

describe('errorBody', () => {
  test('writes empty details if there are none', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      expect(JSON.parse(errorBody(new ApiError(code)))).toEqual({
        success: false,
        error: { code, message: ERRORS[code].message, details: {} },
      });
    }
  });

  test('writes numbers exactly, quotes texts and omits undefined values', () => {
    const error = new ApiError('INSUFFICIENT_BALANCE', 'Add "funds".', {
      required: new JsonNumber('123456789012.12345678'),
      available: new JsonNumber('0'),
      asset: 'USDT',
      field: undefined,
      levels: 8,
      allowed: ['buy', 'sell'],
    });
    expect(errorBody(error)).toBe(
      '{"success":false,"error":{"code":"INSUFFICIENT_BALANCE","message":"Add \\"funds\\".","details":{"required":123456789012.12345678,"available":0,"asset":"USDT","levels":8,"allowed":["buy","sell"]}}}',
    );
  });

  test('truncates text from the request between characters', () => {
    const body = errorBody(
      new ApiError('INVALID_REQUEST', undefined, { field: `a${'😀'.repeat(99)}` }),
    );
    expect(JSON.parse(body).error.details.field).toBe(`a${'😀'.repeat(49)}\ufffd`);
  });
});

test('an ApiError has the status and message of its code', () => {
  const error = new ApiError('OVERLOADED');
  expect(error).toBeInstanceOf(Error);
  expect(error.status).toBe(503);
  expect(error.message).toBe(ERRORS.OVERLOADED.message);
});
