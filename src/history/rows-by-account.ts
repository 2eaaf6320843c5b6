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

  clear(): void {
    this.accounts.clear();
  }

  /** Account by account; within one as they came. */
  *[Symbol.iterator](): Iterator<Item> {
    for (const account of Uint32Array.from(this.accounts.keys()).sort()) {
      yield* this.accounts.get(account)!;
    }
  }
}
