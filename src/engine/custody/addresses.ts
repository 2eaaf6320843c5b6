import {
  MAX_ADDRESS_REQUESTS,
  MAX_DEPOSIT_ADDRESSES,
  MAX_WITHDRAWAL_ADDRESSES_PER_ACCOUNT,
} from '../limits.ts';
import { RejectionCode, rejected } from '../rejection.ts';
import type {
  AddWithdrawalAddress,
  AssignAddress,
  RemoveWithdrawalAddress,
  RequestAddress,
} from './custody-commands.ts';
import type { CustodyStore } from './custody-store.ts';
import { fitsMemo, isAddress } from './networks.ts';
import type { AddressOutcome } from './outcomes.ts';
import type { Withdrawals } from './withdrawals.ts';

/** Deposit addresses, which the custodian gives, and the address books of accounts. */
export class Addresses {
  constructor(
    private readonly store: CustodyStore,
    private readonly withdrawals: Withdrawals,
  ) {}

  /** Asks the custodian for an address, unless the account has one or was promised one. A closed account gets no new one. */
  request({ account, network }: RequestAddress): AddressOutcome {
    const { store } = this;
    const rules = store.networks.get(network);
    if (rules === undefined) return rejected(RejectionCode.unknownNetwork);
    const address = store.addressFor(account, network);
    if (address !== undefined) return { kind: 'depositAddress', address };
    if (!rules.deposits) return rejected(RejectionCode.networkUnavailable);
    if (store.requestFor(account, network) === undefined) {
      if (store.state.accounts[account]!.isClosed) return rejected(RejectionCode.accountClosed);
      const isFull =
        store.requests.size >= MAX_ADDRESS_REQUESTS ||
        store.addresses.size + store.requests.size >= MAX_DEPOSIT_ADDRESSES;
      if (isFull) return rejected(RejectionCode.limitReached, 'address requests');
      store.addRequest({ id: store.takeId(), account, network, createdAt: store.state.time });
    }
    return { kind: 'depositAddress', address: null };
  }

  /** Gives an account its address. It never changes, so that no deposit is lost. */
  assign({ owner, network, address, memo }: AssignAddress): AddressOutcome {
    const { store } = this;
    const rules = store.networks.get(network);
    if (rules === undefined) return rejected(RejectionCode.unknownNetwork);
    if (store.state.accounts[owner] === undefined) return rejected(RejectionCode.unknownAccount);
    const own = store.addressFor(owner, network);
    if (own !== undefined) {
      return own.address === address && own.memo === memo
        ? { kind: 'depositAddress', address: own }
        : rejected(RejectionCode.alreadyExists, 'the account has another address');
    }
    if (!isAddress(address) || !fitsMemo(rules, memo)) {
      return rejected(RejectionCode.invalidAddress);
    }
    if (store.findAddress(network, address, memo) !== undefined) {
      return rejected(RejectionCode.alreadyExists, 'the address belongs to another account');
    }
    const request = store.requestFor(owner, network);
    if (request !== undefined) store.removeRequest(request);
    else if (store.addresses.size >= MAX_DEPOSIT_ADDRESSES) {
      return rejected(RejectionCode.limitReached, 'deposit addresses');
    }
    const createdAt = store.state.time;
    const added = { id: store.takeId(), account: owner, network, address, memo, createdAt };
    store.addAddress(added);
    return { kind: 'depositAddress', address: added };
  }

  /** Adds an entry to the address book; a known one is returned as it is. */
  add({ account, network, address, memo }: AddWithdrawalAddress): AddressOutcome {
    const { store } = this;
    const rules = store.networks.get(network);
    if (rules === undefined) return rejected(RejectionCode.unknownNetwork);
    if (store.state.accounts[account]!.isFrozen) return rejected(RejectionCode.accountFrozen);
    if (!isAddress(address) || !fitsMemo(rules, memo)) {
      return rejected(RejectionCode.invalidAddress);
    }
    const entries = store.bookEntries(account);
    const known = entries.find(
      (each) => each.network === network && each.address === address && each.memo === memo,
    );
    if (known !== undefined) return { kind: 'withdrawalAddress', entry: known, created: false };
    if (entries.length >= MAX_WITHDRAWAL_ADDRESSES_PER_ACCOUNT) {
      return rejected(RejectionCode.limitReached, 'withdrawal addresses');
    }
    const { time } = store.state;
    const entry = {
      ...{ id: store.takeId(), account, network, address, memo, createdAt: time },
      usableAt: time + rules.addressCoolingMs,
    };
    store.addToBook(entry);
    return { kind: 'withdrawalAddress', entry, created: true };
  }

  /** Removes an entry of the address book, which cancels withdrawals to it that were not approved yet. */
  remove({ account, addressId }: RemoveWithdrawalAddress): AddressOutcome {
    const entry = this.store.book.get(addressId);
    if (entry?.account !== account) return rejected(RejectionCode.unknownAddress);
    this.store.removeFromBook(entry);
    this.withdrawals.cancelTo(entry);
    return { kind: 'withdrawalAddress', entry, created: false };
  }
}
