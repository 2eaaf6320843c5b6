import type { ApiKey } from '../../engine/ledger/accounts.ts';
import { AddressList } from '../http/request/client-address.ts';

/** The IP allowlists of API keys, each parsed when it is first used. */
export class AllowLists {
  /** By the addresses, which a change of a key replaces. */
  private readonly lists = new WeakMap<readonly string[], AddressList>();

  /** Returns whether a key may be used from an address: always, if its allowlist is empty. */
  allow({ addresses }: ApiKey, address: string): boolean {
    if (addresses.length === 0) return true;
    let list = this.lists.get(addresses);
    if (list === undefined) {
      list = new AddressList(addresses);
      this.lists.set(addresses, list);
    }
    return list.includes(address);
  }
}
