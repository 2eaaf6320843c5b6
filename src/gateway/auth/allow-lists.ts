import type { ApiKey } from '../../engine/ledger/accounts.ts';
import { AddressList } from '../http/client-address.ts';

/** Where the holders of keys have said that they call from. */
export class AllowLists {
  private readonly lists = new WeakMap<ApiKey, AddressList>();

  /** Whether a key may be used from an address: from any, where its holder named none. */
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
