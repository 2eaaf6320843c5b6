import type { ApiKey } from '../../engine/ledger/accounts.ts';
import { AddressList } from '../http/request/client-address.ts';

/** The IP allowlists of API keys, each parsed when its key is first used. */
export class AllowLists {
  private readonly lists = new WeakMap<ApiKey, AddressList>();

  /** Returns whether a key may be used from an address: always, if its allowlist is empty. */
  allow(key: ApiKey, address: string): boolean {
    if (key.addresses.length === 0) return true;
    let list = this.lists.get(key);
    if (list === undefined) {
      list = new AddressList(key.addresses);
      this.lists.set(key, list);
    }
    return list.includes(address);
  }
}
