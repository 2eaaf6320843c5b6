import type { ApiKey } from '../../engine/ledger/accounts.ts';

/** The time of each API key's last use, in memory; written to the database from time to time. */
export class KeyUseTimes {
  /** Milliseconds since 1970 by the key's index, 0 for never. */
  private times = new Float64Array(1024);
  private savedAt = 0;

  note(key: ApiKey, nowMs: number): void {
    const { index } = key;
    if (index >= this.times.length) {
      const grown = new Float64Array(Math.max(index + 1, 2 * this.times.length));
      grown.set(this.times);
      this.times = grown;
    }
    this.times[index] = nowMs;
  }

  /** Returns milliseconds since 1970, 0 for never. */
  get({ index }: ApiKey): number {
    return this.times[index] ?? 0;
  }

  /** Returns the keys used since the last call, with their times. */
  takeNew(keys: Iterable<ApiKey>, nowMs: number): Map<string, number> {
    const uses = new Map<string, number>();
    for (const key of keys) {
      const time = this.get(key);
      if (time !== 0 && time >= this.savedAt) uses.set(key.apiKey, time);
    }
    this.savedAt = nowMs;
    return uses;
  }
}
