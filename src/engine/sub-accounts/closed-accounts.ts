import { type RecordLayout, Records } from '../custody/records.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant } from '../rejection.ts';
import type { PartState } from '../state-part.ts';

/** A closed sub-account; the id is its account index. */
interface ClosedAccount {
  readonly id: number;
}

/** The state part of closed sub-accounts, in the order in which they were closed. */
export class ClosedAccounts {
  readonly id = 93;
  readonly nextTime = Number.POSITIVE_INFINITY;
  private readonly closed: Records<ClosedAccount>;

  constructor(private readonly state: PartState) {
    this.closed = new Records(state, CLOSED_ACCOUNT);
  }

  get isEmpty(): boolean {
    return this.closed.size === 0;
  }

  /** Closes or reopens a sub-account. */
  set(account: number, isClosed: boolean): void {
    if (isClosed) this.closed.set({ id: account });
    else this.closed.delete(account);
    this.state.accounts[account]!.isClosed = isClosed;
  }

  runDue(): void {}

  countDigest(): number {
    return this.closed.countDigest();
  }

  /** @throws InvariantError if accounts and the part disagree, or a closed account has keys in force or open orders. */
  audit(): void {
    let closed = 0;
    for (const { index, isClosed, main, openOrders, keys } of this.state.accounts) {
      if (!isClosed) continue;
      closed++;
      invariant(
        this.closed.get(index) !== undefined,
        `account ${index} is closed without a record`,
      );
      invariant(main !== undefined, `the closed account ${index} is not a sub-account`);
      invariant(openOrders === 0, `the closed account ${index} has open orders`);
      const isRevoked = keys.every(({ revokedAt }) => revokedAt !== 0);
      invariant(isRevoked, `the closed account ${index} has a key that is not revoked`);
    }
    invariant(closed === this.closed.size, 'a closed account is open');
  }

  write(writer: ByteWriter): void {
    this.closed.write(writer);
  }

  read(reader: ByteReader): void {
    this.closed.read(reader, ({ id }) => this.set(id, true));
  }
}

// 90 to 92 are the tags of sub-accounts and transfers.
const CLOSED_ACCOUNT: RecordLayout<ClosedAccount> = {
  tag: 93,
  write: (writer, { id }) => writer.uint32(id),
  read: (reader) => ({ id: reader.uint32() }),
};
