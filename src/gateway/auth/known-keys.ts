import { type ApiKey, signsRequests } from '../../engine/ledger/accounts.ts';
import type { State } from '../../engine/state.ts';
import { hashSecret, verifyHash } from '../../users/credentials/api-keys.ts';

/**
 * API keys, looked up by the hash of their secret, so that an unknown key and a wrong secret take the same work. A
 * lookup by key name would take 0.1 µs longer for a known key, which would reveal that the key exists.
 */
export class KnownKeys {
  private readonly bySecretHash = new Map<string, ApiKey>();
  private count = 0;

  constructor(private readonly state: Pick<State, 'keys' | 'keysByApiKey'>) {}

  /** Returns the key with this name and secret, also if it is expired or revoked. */
  find(apiKey: string, apiSecret: string): ApiKey | undefined {
    if (this.count < this.state.keys.length) this.addNew();
    const hash = hashSecret(apiSecret);
    const key = this.bySecretHash.get(hash.toHex());
    return verifyHash(hash, key?.secretHash) && key?.apiKey === apiKey ? key : undefined;
  }

  /** Adds new keys. Drops the keys that the engine has dropped once they are half of all. */
  private addNew(): void {
    const { bySecretHash } = this;
    const { keys, keysByApiKey } = this.state;
    for (; this.count < keys.length; this.count++) {
      const key = keys[this.count];
      if (key === undefined || signsRequests(key)) continue;
      bySecretHash.set(key.secretHash.toHex(), key);
    }
    if (bySecretHash.size <= 2 * keysByApiKey.size) return;
    for (const [hash, key] of bySecretHash) {
      if (keysByApiKey.get(key.apiKey) !== key) bySecretHash.delete(hash);
    }
  }
}
