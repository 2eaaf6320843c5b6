import type { Event } from '../../../engine/event.ts';

/** The number of changes to each account's orders, fills or balances since the process started. */
export class AccountChanges {
  private counts = new Float64Array(64);

  note(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'trade') {
        this.count(event.makerAccount);
        this.count(event.takerAccount);
      } else this.count(event.account);
    }
  }

  get(account: number): number {
    return this.counts[account] ?? 0;
  }

  private count(account: number): void {
    if (account >= this.counts.length) {
      const counts = new Float64Array(account * 2);
      counts.set(this.counts);
      this.counts = counts;
    }
    this.counts[account]!++;
  }
}
