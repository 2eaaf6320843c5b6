import { expect, test } from 'bun:test';
import { CHECK_TIMEOUT_MS, runs } from '../check.ts';
import { Coverage, fuzz } from './rest.ts';

/**
 * Tests that no request made from the OpenAPI document, however malformed, gives a 5xx, an undocumented
 * answer, or a change by a rejected request. `npm run test:fuzz` sends a million.
 */

const REQUESTS = 20_000;
/** A seed whose requests reach every operation and code. */
const seed = Number(process.env.SEED ?? 2);

/** Error codes that requests alone can cause in a healthy sandbox. */
const CODES = [
  'INVALID_REQUEST',
  'INVALID_SYMBOL',
  'INVALID_SIDE',
  'INVALID_TYPE',
  'INVALID_AMOUNT',
  'INVALID_PRICE',
  'MIN_NOTIONAL',
  'INSUFFICIENT_BALANCE',
  'POST_ONLY_WOULD_TAKE',
  'NO_LIQUIDITY',
  'ORDER_NOT_OPEN',
  'UNSUPPORTED_VERSION',
  'UNAUTHORIZED',
  'NOT_FOUND',
  'INSUFFICIENT_PERMISSIONS',
  'ACCOUNT_FROZEN',
  'BROWSER_NOT_ALLOWED',
  'ORDER_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_EXCEEDED',
  'DUPLICATE_REFERENCE',
];

test(
  'every operation of the document, by everyone',
  async () => {
    const coverage = new Coverage();
    await fuzz(seed, runs(REQUESTS), coverage);
    expect({ seed, missing: coverage.missing }).toEqual({ seed, missing: [] });
    const unseen = CODES.filter((code) => coverage.total(code) === 0);
    expect({ seed, unseen }).toEqual({ seed, unseen: [] });
    expect(coverage.total('')).toBeGreaterThan(coverage.requests / 5);
  },
  CHECK_TIMEOUT_MS * 5,
);
