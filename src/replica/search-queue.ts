/** Client order ids of one account that may wait for history. */
const MAX_PER_ACCOUNT = 128;
/** Ids of 128 accounts at their limit, some 10 MB. Beyond it each account may have one id waiting. */
const MAX_TOTAL = 128 * MAX_PER_ACCOUNT;

/** Items that wait, in one queue per account. Accounts take turns, so none delays or displaces another's. */
export class SearchQueue<Account, Item> {
  /** Accounts with items, in the order of their turns. */
  private readonly queues = new Map<Account, Item[]>();
  private total = 0;

  get isEmpty(): boolean {
    return this.total === 0;
  }

  /** Adds an item. @returns False if too many items of its account are waiting. */
  add(account: Account, item: Item): boolean {
    const queue = this.queues.get(account);
    if (queue === undefined) this.queues.set(account, [item]);
    else if (queue.length >= MAX_PER_ACCOUNT || this.total >= MAX_TOTAL) return false;
    else queue.push(item);
    this.total++;
    return true;
  }

  /** Removes at most `count` items: one of each account in turn, each account's oldest first. */
  take(count: number): Item[] {
    const items: Item[] = [];
    // An account that is put at the end is visited again.
    for (const [account, queue] of this.queues) {
      if (items.length === count) break;
      items.push(queue.shift()!);
      this.queues.delete(account);
      if (queue.length > 0) this.queues.set(account, queue);
    }
    this.total -= items.length;
    return items;
  }
}
