import type { ApiKey } from '../../engine/ledger/accounts.ts';
import type { State } from '../../engine/state.ts';
import { equalHashes, hashSecret } from './credentials.ts';

/**
 * API keys, found by the hash of their secret and not by their name: of an unknown key and of a wrong secret
 * nothing is found, on the same way and after the same work. Found by its name, a known key takes a tenth of a
 * microsecond longer, for its name is compared and its hash fetched from memory.
 */
export class KnownKeys {
  private readonly bySecretHash = new Map<string, ApiKey>();
  private count = 0;

  constructor(private readonly state: Pick<State, 'keys' | 'keysByApiKey'>) {}

  /** The key of that name and secret, ended ones too. */
  find(apiKey: string, apiSecret: string): ApiKey | undefined {
    if (this.count < this.state.keys.length) this.learn();
    const hash = hashSecret(apiSecret);
    const key = this.bySecretHash.get(hash.toHex());
    return equalHashes(hash, key?.secretHash) && key?.apiKey === apiKey ? key : undefined;
  }

  /** Adds the keys that are new; drops the others once those that the engine has dropped are half of them. */
  private learn(): void {
    const { bySecretHash } = this;
    const { keys, keysByApiKey } = this.state;
    for (; this.count < keys.length; this.count++) {
      const key = keys[this.count];
      if (key !== undefined) bySecretHash.set(key.secretHash.toHex(), key);
    }
    if (bySecretHash.size <= 2 * keysByApiKey.size) return;
    for (const [hash, key] of bySecretHash) {
      if (keysByApiKey.get(key.apiKey) !== key) bySecretHash.delete(hash);
    }
  }
}
