/** Rows that wait for a commit, by account: as the tables take them and as questions ask for them. */
export class RowsByAccount<Item extends { readonly account: number }> {
  private readonly accounts = new Map<number, Item[]>();

  add(item: Item): void {
    const items = this.accounts.get(item.account);
    if (items === undefined) this.accounts.set(item.account, [item]);
    else items.push(item);
  }

  of(account: number): readonly Item[] {
    return this.accounts.get(account) ?? [];
  }

  *items(): Iterable<Item> {
    for (const items of this.accounts.values()) yield* items;
  }

  /** Account by account; within one as they came. */
  static *all<Item extends { readonly account: number }>(
    parts: readonly RowsByAccount<Item>[],
  ): Iterable<Item> {
    const accounts = new Set(parts.flatMap((part) => [...part.accounts.keys()]));
    for (const account of Uint32Array.from(accounts).sort()) {
      for (const part of parts) yield* part.of(account);
    }
  }
}
