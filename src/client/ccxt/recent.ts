/** What one kind of asker has not read yet: changed rows by their ids, in the order of their changes. */
interface Scope<Row> {
  readonly changed: Map<string, Row>;
  isRead: boolean;
}

/**
 * The last rows that a stream told, the one that changed last at the end, as CCXT keeps them: a list that
 * also knows what is new to whom. All who wait for the same update are told the same.
 */
export class Recent<Row> extends Array<Row> {
  /** What `filter` and `map` make of it are plain lists. */
  static override get [Symbol.species]() {
    return Array;
  }

  readonly #byId = new Map<string, Row>();
  readonly #scopes = new Map<string, Scope<Row>>();
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  /** @param scope Whoever asks for rows of this scope alone is told of it, beside those who ask for all. */
  append(id: string, row: Row, scope: string): void {
    const before = this.#byId.get(id);
    if (before !== undefined) this.splice(this.lastIndexOf(before), 1);
    this.push(row);
    this.#byId.set(id, row);
    for (const name of ['', scope]) {
      const { changed } = this.#scope(name);
      changed.delete(id);
      changed.set(id, row);
      if (changed.size > this.#limit) changed.delete(changed.keys().next().value!);
    }
    if (this.length > this.#limit) this.shift();
    if (this.#byId.size > 2 * this.#limit) this.#forget();
  }

  /** What changed in a scope since it was last asked for; the same again until there is more. */
  takeNew(scope = ''): Row[] {
    const state = this.#scopes.get(scope);
    if (state === undefined) return [];
    state.isRead = true;
    return [...state.changed.values()];
  }

  #scope(name: string): Scope<Row> {
    let state = this.#scopes.get(name);
    if (state === undefined || state.isRead) {
      state = { changed: new Map(), isRead: false };
      this.#scopes.set(name, state);
    }
    return state;
  }

  /** Ids of rows that are no longer here. */
  #forget(): void {
    const rows = new Set<Row>(this);
    for (const [id, row] of this.#byId) if (!rows.has(row)) this.#byId.delete(id);
  }
}
