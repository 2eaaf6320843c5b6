/** Uncommitted rows, grouped by account as tables store them and queries read them. */
export class RowsByAccount<Item extends { readonly account: number }> {
  private readonly accounts = new Map<number, Item[]>();

  add(item: Item): void {
    const items = this.accounts.get(item.account);
    if (items === undefined) this.accounts.set(item.account, [item]);
    else items.push(item);
  }

  get(account: number): readonly Item[] {
    return this.accounts.get(account) ?? [];
  }

  *items(): Iterable<Item> {
    for (const items of this.accounts.values()) yield* items;
  }

  /** Returns the rows sorted by account, and within an account in the order of recording. */
  static *all<Item extends { readonly account: number }>(
    parts: readonly RowsByAccount<Item>[],
  ): Iterable<Item> {
    const byAccount = new Map<number, (readonly Item[])[]>();
    for (const part of parts) {
      for (const [account, items] of part.accounts) {
        const lists = byAccount.get(account);
        if (lists === undefined) byAccount.set(account, [items]);
        else lists.push(items);
      }
    }
    for (const account of Uint32Array.from(byAccount.keys()).sort()) {
      for (const items of byAccount.get(account)!) yield* items;
    }
  }
}
