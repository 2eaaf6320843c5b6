import { select } from '../database/checksum.ts';
import type { Queries, Row, Table, Value } from '../database/database.ts';
import { HistoryDamagedError } from '../errors.ts';

/**
 * Maximum index rows that a selective search examines, which takes some milliseconds. The next page continues the search,
 * so no query blocks the thread for long.
 */
const SEARCH_LIMIT = 50_000;

/** A table whose rows have ids that grow with time, and may belong to an owner. */
export interface IdRows {
  readonly table: Table<never>;
  /** The condition of a partial index that limits the search to a part of the table. */
  readonly condition?: string;
  /** Undefined to search the rows of all owners, through an index that starts with the id. */
  readonly owner?: string;
  readonly id: string;
  /** Further columns of the index after owner and id; a search by them reads no rows. */
  readonly indexed?: readonly string[];
}

/** The ids that a page may contain, from `from` to below `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The common terms of list queries. Absent or undefined ones do not filter. */
export interface PageTerms {
  /** Milliseconds since 1970, both ends included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only ids below or above these, to continue from another page. */
  readonly beforeId?: number | undefined;
  readonly afterId?: number | undefined;
  /** Whether the highest id comes first. */
  readonly descending: boolean;
  /** Maximum number of items, from 1. */
  readonly limit: number;
}

export interface Page<Item> {
  /** In the requested order. */
  readonly items: Item[];
  /**
   * Set if the search stopped before the page was full, because it skipped too many rows: the page has all matches up to
   * this id, and the next page starts there.
   */
  readonly searchedTo: number | undefined;
}

/** Reads pages of one table, in the order of ids. */
export class IdSearch {
  private readonly and: string;

  constructor(
    private readonly database: Queries,
    private readonly rows: IdRows,
    private readonly searchLimit = SEARCH_LIMIT,
  ) {
    this.and = rows.condition === undefined ? '' : ` AND ${rows.condition}`;
  }

  /** Reads rows directly, for conditions that an index serves or that almost all rows meet. */
  read(
    owner: number | undefined,
    { from, to }: Span,
    where: Conditions,
    { descending, limit }: PageTerms,
  ): Promise<Row[]> {
    const { table, id } = this.rows;
    const { text, values } = this.ownedBy(owner, 3);
    const first = 3 + values.length;
    return select(
      this.database,
      table,
      `SELECT * FROM ${table.name} WHERE ${id} >= $1 AND ${id} < $2${text}${this.and}${where.and(first)}
        ORDER BY ${id} ${descending ? 'DESC' : 'ASC'} LIMIT $${first + where.values.length}`,
      ...[from, to, ...values, ...where.values, limit],
    );
  }

  /** Returns the condition that a row belongs to the owner, if rows have one. @param place Number of its parameter */
  private ownedBy(owner: number | undefined, place: number, table = '') {
    const { owner: column } = this.rows;
    if (column === undefined) return { text: '', values: [] };
    return { text: ` AND ${table}${column} = $${place}`, values: [owner!] };
  }

  /** Searches the index up to the limit and reads only the matching rows. */
  async search(
    owner: number | undefined,
    span: Span,
    where: Conditions,
    terms: PageTerms,
  ): Promise<Page<Row>> {
    if (where.values.length === 0) {
      return { items: await this.read(owner, span, where, terms), searchedTo: undefined };
    }
    const { table, id, indexed = [] } = this.rows;
    const { name } = table;
    const own = this.ownedBy(owner, 3);
    // The values before the limit.
    const bounds = [span.from, span.to, ...own.values];
    const first = 1 + bounds.length;
    const { descending, limit } = terms;
    const direction = descending ? 'DESC' : 'ASC';
    const order = `ORDER BY ${id} ${direction}`;
    const all = `FROM ${name} WHERE ${id} >= $1 AND ${id} < $2${own.text}${this.and} ${order}`;
    // Several rows may have one id, as both fills of an account that traded with itself, of which maybe one matches.
    const items = await select(
      this.database,
      table,
      `SELECT ${name}.* FROM (
          SELECT DISTINCT ${id} AS found_id FROM (SELECT ${[id, ...indexed].join(', ')} ${all} LIMIT $${first}) AS searched
            WHERE TRUE${where.and(first + 1)} ${order} LIMIT $${first + 1 + where.values.length}
        ) AS found
        JOIN ${name} ON ${name}.${id} = found.found_id${this.ownedBy(owner, 3, `${name}.`).text}
        WHERE TRUE${where.and(first + 1)}
        ORDER BY found.found_id ${direction} LIMIT $${first + 1 + where.values.length}`,
      ...[...bounds, this.searchLimit, ...where.values, limit],
    );
    if (items.length === limit) return { items, searchedTo: undefined };
    const [last] = await this.database.query(
      `SELECT ${id} AS id ${all} LIMIT 1 OFFSET $${first}`,
      ...[...bounds, this.searchLimit - 1],
    );
    if (last === undefined) return { items, searchedTo: undefined };
    // The search may have ended between rows of one id.
    const searchedTo = Number(last.id);
    const edge = await select(
      this.database,
      table,
      `SELECT * FROM ${name} WHERE ${id} = $1${this.ownedBy(owner, 2).text}${this.and}${where.and(2 + own.values.length)}`,
      ...[searchedTo, ...own.values, ...where.values],
    );
    return {
      items: [...items.filter((row) => Number(row[id]) !== searchedTo), ...edge],
      searchedTo,
    };
  }

  /** Returns the ids that the terms allow. @param time The column to which `since` and `until` apply. */
  async findSpan(owner: number | undefined, time: string, terms: PageTerms): Promise<Span> {
    const { since, until, beforeId, afterId } = terms;
    let from = afterId === undefined ? 0 : afterId + 1;
    let to = beforeId ?? Number.MAX_SAFE_INTEGER;
    if (since !== undefined) from = Math.max(from, await this.firstFrom(owner, time, since));
    if (until !== undefined) to = Math.min(to, await this.firstFrom(owner, time, until + 1));
    return { from, to };
  }

  /**
   * Returns an id that splits the owner's rows: `column` is less than `value` exactly for the rows below it. The column
   * grows with the id, so a binary search finds it without an index on the column.
   */
  async firstFrom(owner: number | undefined, column: string, value: number): Promise<number> {
    const { table, id } = this.rows;
    const { text, values } = this.ownedBy(owner, 2);
    const [newest] = await select(
      this.database,
      table,
      `SELECT * FROM ${table.name} WHERE ${id} >= $1${text}${this.and} ORDER BY ${id} DESC LIMIT 1`,
      ...[0, ...values],
    );
    let before = 0;
    let from = newest === undefined ? 1 : Number(newest[id]) + 1;
    while (from - before > 1) {
      const middle = before + Math.floor((from - before) / 2);
      const [row] = await select(
        this.database,
        table,
        `SELECT * FROM ${table.name}
          WHERE ${id} >= $1${text}${this.and} ORDER BY ${id} LIMIT 1`,
        ...[middle, ...values],
      );
      const found = Number(row?.[id]);
      // Without this check a damaged index could make the search endless.
      if (row === undefined || found < middle) {
        throw new HistoryDamagedError(`an index of the table ${table.name} is not in order`);
      }
      if (Number(row[column]) < value) before = found;
      else from = middle;
    }
    return from;
  }
}

/** Conditions other than owner and id, and their values. */
export class Conditions {
  readonly values: Value[] = [];
  private readonly texts: string[] = [];

  /** @param text An SQL condition with `?` for each value. */
  add(text: string, ...values: Value[]): void {
    this.texts.push(text);
    this.values.push(...values);
  }

  /** Adds the condition that `column` is one of the values. */
  addIn(column: string, values: readonly Value[]): void {
    this.add(`${column} IN (${values.map(() => '?').join(', ')})`, ...values);
  }

  /** Returns ` AND …` for each condition, with parameters numbered from `first`. */
  and(first: number): string {
    let next = first;
    const text = this.texts.map((condition) => ` AND ${condition}`).join('');
    return text.replaceAll('?', () => `$${next++}`);
  }
}

/** Returns whether the terms allow an item of this id and time. */
export function allows(terms: PageTerms, id: number, time: number): boolean {
  const { since, until, beforeId, afterId } = terms;
  return (
    (since === undefined || time >= since) &&
    (until === undefined || time <= until) &&
    (beforeId === undefined || id < beforeId) &&
    (afterId === undefined || id > afterId)
  );
}

/** Merges other items into a page. @param others Items that are not in the page. */
export function mergePage<Item>(
  { items, searchedTo }: Page<Item>,
  others: readonly Item[],
  readId: (item: Item) => number,
  { descending, limit }: Pick<PageTerms, 'descending' | 'limit'>,
): Page<Item> {
  if (others.length === 0 && searchedTo === undefined && items.length <= limit) {
    return { items, searchedTo };
  }
  const direction = descending ? -1 : 1;
  const isBeyond = (item: Item) =>
    searchedTo !== undefined && direction * (readId(item) - searchedTo) > 0;
  const all = [...items, ...others]
    .filter((item) => !isBeyond(item))
    .sort((a, b) => direction * (readId(a) - readId(b)))
    .slice(0, limit);
  return { items: all, searchedTo: all.length === limit ? undefined : searchedTo };
}
