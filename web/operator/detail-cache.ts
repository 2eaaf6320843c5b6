/** Age from which details are read again. */
const MAX_AGE_MS = 60_000;
/** Items whose details are read at the same time. */
const MAX_CONCURRENT = 3;

interface Entry<Detail> {
  readonly detail: Detail;
  readonly readAt: number;
}

/** Details of the items of a list that is refreshed: read a few at a time, and again once they are old. */
export class DetailCache<Item extends { readonly id: string }, Detail> {
  private readonly entries = new Map<string, Entry<Detail>>();
  private isReading = false;

  /**
   * @param prepare Called once for each refresh that reads details; returns the function that reads those of an item
   * @param onChange Called with all details, by the ids of the items, whenever there are other ones
   */
  constructor(
    private readonly prepare: () => Promise<(item: Item) => Promise<Detail>>,
    private readonly onChange: (details: ReadonlyMap<string, Detail>) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Drops details of items that have left the list, and reads those that are missing or old. Failed ones stay as they
   * are until the next refresh; a refresh while another one reads only drops.
   */
  async refresh(items: readonly Item[]): Promise<void> {
    const ids = new Set(items.map(({ id }) => id));
    for (const id of this.entries.keys()) if (!ids.has(id)) this.entries.delete(id);
    const due = items.filter(({ id }) => this.isDue(id));
    if (this.isReading || due.length === 0) return;
    this.isReading = true;
    try {
      const read = await this.prepare();
      // The workers share one iterator, so that each item is read once.
      const left = due.values();
      const work = async () => {
        for (const item of left) await this.readOne(item, read);
      };
      await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
    } catch {
      // The next refresh tries again.
    } finally {
      this.isReading = false;
    }
  }

  private isDue(id: string): boolean {
    const entry = this.entries.get(id);
    return entry === undefined || this.now() - entry.readAt >= MAX_AGE_MS;
  }

  private async readOne(item: Item, read: (item: Item) => Promise<Detail>): Promise<void> {
    const readAt = this.now();
    try {
      this.entries.set(item.id, { detail: await read(item), readAt });
    } catch {
      return;
    }
    this.onChange(new Map([...this.entries].map(([id, { detail }]) => [id, detail])));
  }
}
