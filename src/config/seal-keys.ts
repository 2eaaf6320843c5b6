import { z } from 'zod';

/** A key that encrypts the secrets of HMAC keys, and the key that signs instructions to the custodian. */
export interface SealingKey {
  /** 1 to 32 of A-Z a-z 0-9 _ -. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

export const sealKeysSchema = z
  .string()
  .transform((given, context): SealingKey[] => {
    const parts = given.split(/[\s,]+/).filter((part) => part !== '');
    const matches = parts.map((part) => /^([A-Za-z0-9_-]{1,32}):([0-9A-Fa-f]{64})$/.exec(part));
    const ids = new Set(matches.map((match) => match?.[1]));
    if (matches.length > 0 && !matches.includes(null) && ids.size === matches.length) {
      return matches.map((match) => ({ id: match![1]!, key: Uint8Array.fromHex(match![2]!) }));
    }
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  })
  .describe(
    'a list of ID:HEX, each with another id of A-Z a-z 0-9 _ - and 64 hex digits (openssl rand -hex 32)',
  );
