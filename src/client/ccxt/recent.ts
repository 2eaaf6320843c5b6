/** Unread rows of one scope by id, in the order of their changes. */
interface Scope<Row> {
  readonly changed: Map<string, Row>;
  isRead: boolean;
}

/**
 * The last rows of a stream, most recently changed last, as CCXT keeps them. It tracks which rows are new per scope;
 * all calls that wait for the same update get the same rows.
 */
export class Recent<Row> extends Array<Row> {
  /** `filter` and `map` return plain arrays. */
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

  /** @param scope Scope of the row, in addition to the scope of all rows */
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

  /** Returns the rows of a scope that changed since the last call, or the same rows again if none did. */
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

  /** Ids of rows that have been dropped. */
  #forget(): void {
    const rows = new Set<Row>(this);
    for (const [id, row] of this.#byId) if (!rows.has(row)) this.#byId.delete(id);
  }
}
