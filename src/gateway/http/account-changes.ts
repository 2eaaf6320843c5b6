import type { Event } from '../../engine/event.ts';

/** How often each account has changed since this process began: its orders, fills or balances. */
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

  of(account: number): number {
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
