import { type RecordLayout, Records } from '../custody/records.ts';
import { INTERNAL_TRANSFER_MEMORY_MS } from '../limits.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant } from '../rejection.ts';
import type { PartState } from '../state-part.ts';
import type { InternalTransferRecord, SubAccount } from './sub-account-records.ts';

type StoredSubAccount = SubAccount & { readonly id: number };

/** The state part of sub-accounts and of the internal transfers of the last 25 hours. */
export class SubAccounts {
  readonly id = 90;
  /** By account index. */
  private readonly subAccounts: Records<StoredSubAccount>;
  /** The newest transfers, the oldest first. */
  private readonly transfers: Records<InternalTransferRecord>;
  private readonly counters: Records<Counter>;
  /** Ids of the remembered transfers from or to each account, the oldest first. */
  private readonly byAccount = new Map<number, Set<number>>();
  /** Remembered transfers by sender and client id, and their number by the main account of the sender. */
  private readonly byClientId = new Map<string, InternalTransferRecord>();
  private readonly counts = new Map<number, number>();

  constructor(private readonly state: PartState) {
    this.subAccounts = new Records(state, SUB_ACCOUNT);
    this.transfers = new Records(state, TRANSFER);
    this.counters = new Records(state, COUNTER);
  }

  get isEmpty(): boolean {
    return this.subAccounts.size === 0 && this.counters.size === 0;
  }

  /** When the oldest transfer is forgotten. */
  get nextTime(): number {
    for (const { time } of this.transfers.values()) return time + INTERNAL_TRANSFER_MEMORY_MS;
    return Number.POSITIVE_INFINITY;
  }

  /** Number of remembered transfers of all accounts. */
  get transferCount(): number {
    return this.transfers.size;
  }

  /** Returns the name of a sub-account; undefined for a main account. */
  findName(account: number): string | undefined {
    return this.subAccounts.get(account)?.name;
  }

  /** Adds a sub-account, or renames it. */
  set(subAccount: SubAccount): void {
    const { account: index, main: mainIndex } = subAccount;
    const { accounts, orders } = this.state;
    const account = accounts[index]!;
    const main = accounts[mainIndex]!;
    this.subAccounts.set({ id: index, ...subAccount });
    if (account.main !== undefined) return;
    account.main = main;
    main.subAccounts ??= [];
    main.subAccounts.push(account);
    orders.setMain(index, mainIndex);
  }

  /** Returns the remembered transfer of a sender under a client id. */
  findTransfer(from: number, clientId: string): InternalTransferRecord | undefined {
    return this.byClientId.get(`${from} ${clientId}`);
  }

  /** Returns the remembered transfer with this id. */
  getTransfer(id: number): InternalTransferRecord | undefined {
    return this.transfers.get(id);
  }

  /** Returns the number of remembered transfers that the accounts of an owner have sent. */
  countTransfers(owner: number): number {
    return this.counts.get(owner) ?? 0;
  }

  /** Returns the remembered transfers from or to any of some accounts, the newest first. */
  listTransfers(accounts: readonly number[]): InternalTransferRecord[] {
    const ids = new Set(accounts.flatMap((account) => [...(this.byAccount.get(account) ?? [])]));
    return [...ids].sort((a, b) => b - a).map((id) => this.transfers.get(id)!);
  }

  takeTransferId(): number {
    const nextId = this.counters.get(0)?.nextId ?? 1;
    this.counters.set({ id: 0, nextId: nextId + 1 });
    return nextId;
  }

  addTransfer(transfer: InternalTransferRecord): void {
    this.transfers.set(transfer);
    const { from, clientId } = transfer;
    if (clientId !== null) this.byClientId.set(`${from} ${clientId}`, transfer);
    for (const account of [from, transfer.to]) {
      const ids = this.byAccount.get(account);
      if (ids === undefined) this.byAccount.set(account, new Set([transfer.id]));
      else ids.add(transfer.id);
    }
    const owner = this.state.accounts[from]!.owner.index;
    this.counts.set(owner, this.countTransfers(owner) + 1);
  }

  /** Forgets the oldest transfer. */
  runDue(): void {
    const [oldest] = this.transfers.values();
    const { id, from, to, clientId } = oldest!;
    this.transfers.delete(id);
    for (const account of [from, to]) {
      const ids = this.byAccount.get(account);
      ids?.delete(id);
      if (ids?.size === 0) this.byAccount.delete(account);
    }
    if (clientId !== null) this.byClientId.delete(`${from} ${clientId}`);
    const owner = this.state.accounts[from]!.owner.index;
    const count = this.countTransfers(owner) - 1;
    if (count === 0) this.counts.delete(owner);
    else this.counts.set(owner, count);
  }

  countDigest(): number {
    const all = [this.subAccounts, this.transfers, this.counters];
    return all.reduce((sum, records) => (sum + records.countDigest()) | 0, 0);
  }

  /** @throws InvariantError if groups, lists and counts contradict each other. */
  audit(): void {
    const { accounts } = this.state;
    let listed = 0;
    for (const account of accounts) {
      for (const each of account.subAccounts ?? []) {
        invariant(each.main === account, `sub-account ${each.index} has another main account`);
        listed++;
      }
    }
    for (const { account, main } of this.subAccounts.values()) {
      const hasMain = accounts[account]?.main?.index === main;
      invariant(hasMain, `sub-account ${account} is not in its group`);
      invariant(accounts[main]!.main === undefined, `sub-account ${main} has sub-accounts`);
    }
    invariant(listed === this.subAccounts.size, 'a group has an account that is no sub-account');
    let counted = 0;
    for (const count of this.counts.values()) counted += count;
    invariant(counted === this.transfers.size, 'the internal transfers are miscounted');
  }

  write(writer: ByteWriter): void {
    this.subAccounts.write(writer);
    this.transfers.write(writer);
    this.counters.write(writer);
  }

  read(reader: ByteReader): void {
    this.subAccounts.read(reader, (each) => this.set(each));
    this.transfers.read(reader, (each) => this.addTransfer(each));
    this.counters.read(reader);
  }
}

/** The id of the next transfer. */
interface Counter {
  readonly id: number;
  readonly nextId: number;
}

// The tags of custody are below 10.
const SUB_ACCOUNT: RecordLayout<StoredSubAccount> = {
  tag: 90,
  write(writer, { account, main, name }) {
    writer.uint32(account);
    writer.uint32(main);
    writer.text(name);
  },
  read(reader) {
    const account = reader.uint32();
    return { id: account, account, main: reader.uint32(), name: reader.text() };
  },
};

const HAS_CLIENT_ID = 1;
const TRANSFER: RecordLayout<InternalTransferRecord> = {
  tag: 91,
  write(writer, { id, from, to, asset, amount, clientId, time }) {
    writer.number(id);
    writer.uint32(from);
    writer.uint32(to);
    writer.uint32(asset);
    writer.exact(amount);
    writer.byte(clientId === null ? 0 : HAS_CLIENT_ID);
    if (clientId !== null) writer.text(clientId);
    writer.number(time);
  },
  read: (reader) => ({
    id: reader.number(),
    from: reader.uint32(),
    to: reader.uint32(),
    asset: reader.uint32(),
    amount: reader.exact(),
    clientId: reader.byte() === 0 ? null : reader.text(),
    time: reader.number(),
  }),
};

const COUNTER: RecordLayout<Counter> = {
  tag: 92,
  write: (writer, { nextId }) => writer.number(nextId),
  read: (reader) => ({ id: 0, nextId: reader.number() }),
};
