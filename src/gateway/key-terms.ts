import { AddressList } from './address.ts';
import { invalid } from './query.ts';

/** The terms of a new key, whoever makes it. @throws ApiError INVALID_REQUEST */
export function checkAddresses(addresses: readonly string[]): readonly string[] {
  try {
    new AddressList(addresses);
  } catch (error) {
    throw invalid('addresses', 'address', (error as Error).message);
  }
  return addresses;
}

/** @param expiresAt 0 for never. @throws ApiError INVALID_REQUEST */
export function checkExpiry(expiresAt: number, nowMs: number): number {
  if (expiresAt === 0 || expiresAt > nowMs) return expiresAt;
  throw invalid('expiresAt', 'future', 'expiresAt must be in the future.');
}
