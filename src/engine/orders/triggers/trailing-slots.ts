/**
 * The open trailing stops by account, for the streams, because no event reports that a trigger moved. Derived from the
 * state and no part of it.
 */
export class TrailingSlots {
  /** Number of prices that moved triggers; streams compare it to find out when to look. */
  moves = 0;
  /** By account; accounts without a trailing stop are absent. */
  readonly byAccount = new Map<number, Set<number>>();

  add(account: number, slot: number): void {
    const slots = this.byAccount.get(account);
    if (slots === undefined) this.byAccount.set(account, new Set([slot]));
    else slots.add(slot);
  }

  remove(account: number, slot: number): void {
    const slots = this.byAccount.get(account)!;
    slots.delete(slot);
    if (slots.size === 0) this.byAccount.delete(account);
  }
}
