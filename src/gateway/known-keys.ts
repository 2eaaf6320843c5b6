import type { ApiKey } from '../engine/accounts.ts';
import { equalHashes, hashSecret } from './credentials.ts';

/**
 * API keys, found by the hash of their secret and not by their name: of an unknown key and of a wrong secret
 * nothing is found, on the same way and after the same work. Found by its name, a known key takes a tenth of a
 * microsecond longer, for its name is compared and its hash fetched from memory.
 */
export class KnownKeys {
  private readonly bySecretHash = new Map<string, ApiKey>();
  private count = 0;

  /** @param keys Of the engine, which only adds to them. */
  constructor(private readonly keys: readonly ApiKey[]) {}

  /** The key of that name and secret, ended ones too. */
  find(apiKey: string, apiSecret: string): ApiKey | undefined {
    for (; this.count < this.keys.length; this.count++) {
      const key = this.keys[this.count]!;
      this.bySecretHash.set(key.secretHash.toHex(), key);
    }
    const hash = hashSecret(apiSecret);
    const key = this.bySecretHash.get(hash.toHex());
    return equalHashes(hash, key?.secretHash) && key?.apiKey === apiKey ? key : undefined;
  }
}
