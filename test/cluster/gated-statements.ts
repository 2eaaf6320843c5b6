import { spyOn } from 'bun:test';
import type { Statements } from '../../src/history/database/database.ts';
import { PostgresDatabase } from '../../src/history/database/postgres-database.ts';
import { below, type Random } from '../../src/storage/seeded-random.ts';

/** Maximum wait for a statement that waits for another one's lock. */
const BLOCKED_MS = 20;

/** Holds every statement to PostgreSQL until the test releases it, one at a time, in the test's order. */
export class GatedStatements {
  private readonly gates: (() => Promise<void>)[] = [];
  private isOpen = true;
  private readonly spy: { mockRestore(): void };

  constructor() {
    const gate = this.gate.bind(this);
    const { on } = PostgresDatabase.prototype;
    this.spy = spyOn(PostgresDatabase.prototype, 'on').mockImplementation(function (
      this: PostgresDatabase,
      sql,
    ): Statements {
      const { query, run, insert } = on.call(this, sql);
      return {
        hasUncheckedRows: true,
        query: (...question) => gate(() => query(...question)),
        run: (...change) => gate(() => run(...change)),
        insert: (table, items) => gate(() => insert(table, items)),
      };
    });
  }

  close(): void {
    this.isOpen = false;
  }

  /** Releases all statements until it is closed again. */
  open(): void {
    this.isOpen = true;
    for (const pass of this.gates.splice(0)) void pass();
  }

  /** Waits until a statement is held. */
  async held(): Promise<void> {
    while (this.gates.length === 0) await Bun.sleep(1);
  }

  /** Releases one statement and waits for its result. */
  async pass(random: Random): Promise<void> {
    if (this.gates.length === 0) return Bun.sleep(1);
    const [pass] = this.gates.splice(below(this.gates.length, random), 1);
    await Promise.race([pass!(), Bun.sleep(BLOCKED_MS)]);
    // The next statement may end its transaction.
    await Bun.sleep(1);
  }

  restore(): void {
    this.open();
    this.spy.mockRestore();
  }

  private gate<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isOpen) return work();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.gates.push(() => work().then(resolve, reject));
    return promise;
  }
}
