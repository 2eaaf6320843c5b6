import { MINUTE_MS } from '../../config/durations.ts';
import type { WithdrawalAddress, WithdrawalRecord } from '../../engine/custody/custody-records.ts';
import * as logger from '../../monitoring/logger.ts';
import type { User, Users } from '../../users/users.ts';
import { withdrawalAddressText, withdrawalText } from '../endpoints/custody/custody-records.ts';
import type { WithdrawalNotices } from './control.ts';
import type { NotificationServices } from './notification-services.ts';

/** The events of notices and mails that users cannot turn off, because a thief would cause them. */
export const ADDRESS_ADDED = 'address.added';
export const WITHDRAWAL_REQUESTED = 'withdrawal.requested';
/** The clock of the node and the time of the log may differ by so much: notices are never added twice. */
const MARGIN_MS = MINUTE_MS;

type Mails = Users['mails'];

interface NewNotice {
  /** Index of the account. */
  readonly account: number;
  readonly id: string;
  readonly event: string;
  readonly createdAt: number;
  /** The record, as JSON. */
  readonly data: string;
  /** Sends the mail to a user. */
  readonly mail: (mails: Mails, to: User) => void;
}

/**
 * Notifies the users of an account of each new address in its address book and of each requested withdrawal. A notice is
 * added once, and its mail sent once at most. Those that a stopped node did not add are added after the next start.
 */
export class CustodyNotices implements WithdrawalNotices {
  private storing: Promise<void> = Promise.resolve();

  constructor(private readonly services: NotificationServices) {}

  addressAdded(entry: WithdrawalAddress): void {
    const { id, account, createdAt } = entry;
    // Without the name, which a notice would keep after the user has deleted it.
    const data = withdrawalAddressText(entry, this.state, '');
    const mail = (mails: Mails, to: User) => mails.withdrawalAddressAdded(to, JSON.parse(data));
    const event = ADDRESS_ADDED;
    this.store({ account, id: `address-${id}`, event, createdAt, data, mail });
  }

  withdrawalRequested(withdrawal: WithdrawalRecord): void {
    const { id, account, createdAt } = withdrawal;
    const data = withdrawalText(withdrawal, this.state);
    const mail = (mails: Mails, to: User) => mails.withdrawalRequested(to, readExactly(data));
    const event = WITHDRAWAL_REQUESTED;
    this.store({ account, id: `requested-${id}`, event, createdAt, data, mail });
  }

  /** Adds the notices since a time that no node may have added. @param watchedUntil Milliseconds since 1970 */
  reload(watchedUntil: number): void {
    const { book, withdrawals } = this.state.parts.custody.store;
    const isNew = ({ createdAt }: { readonly createdAt: number }) =>
      createdAt >= watchedUntil - MARGIN_MS;
    for (const entry of book.values()) if (isNew(entry)) this.addressAdded(entry);
    for (const each of withdrawals.values()) if (isNew(each)) this.withdrawalRequested(each);
  }

  /** Resolves once all notices so far are stored. */
  async settle(): Promise<void> {
    await this.storing;
  }

  private get state() {
    return this.services.replica.exchange.state;
  }

  /** Stores one after another, in the background: a request waits for neither the database nor the mail. */
  private store(notice: NewNotice): void {
    this.storing = this.storing
      .then(() => this.add(notice))
      .catch((error) => logger.warn(`A notice (${notice.event}) is late: ${error.message}`));
  }

  private async add({ account: index, id, mail, ...notice }: NewNotice): Promise<void> {
    const { users } = this.services;
    const account = this.state.accounts[index]!;
    if (!(await users.notices.add(account.id, id, notice))) return;
    for (const user of await users.store.listByAccount(account.owner.id)) mail(users.mails, user);
  }
}

/** Returns a record with its numbers as they are written. */
function readExactly(data: string) {
  return JSON.parse(data, (_, value, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  );
}
