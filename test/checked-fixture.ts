import { expect } from 'bun:test';
import { auditState } from '../src/engine/audit/audit.ts';
import type { Command, MarketRules } from '../src/engine/command.ts';
import type { Outcome } from '../src/engine/event.ts';
import type { Exchange } from '../src/engine/exchange.ts';
import { readSnapshot, writeSnapshot } from '../src/engine/snapshot/snapshot.ts';
import { Fixture } from './fixture.ts';
import { expectSame, plainEvents, readNaiveState, readState } from './reference/compare.ts';
import { NaiveExchange } from './reference/naive-exchange.ts';

/** An exchange whose commands are also applied by the reference and by a copy restored from a snapshot. */
export class CheckedFixture extends Fixture {
  /** Created by the first command, which the constructor of the fixture applies. */
  declare private naive: NaiveExchange | undefined;
  private copy: Exchange | undefined;

  constructor(rules: Partial<MarketRules> = {}) {
    super({ collar: 0, minNotional: 1, ...rules });
  }

  override apply(command: Command): Outcome {
    const naive = this.naive ?? new NaiveExchange();
    this.naive = naive;
    naive.apply(command, this.time);
    const outcome = super.apply(command);
    const { state } = this.exchange;
    expectSame(plainEvents(this.exchange), naive.events);
    expectSame(readState(this.exchange), readNaiveState(naive));
    auditState(state);
    this.copy?.apply(command, this.time);
    if (this.copy !== undefined) expect(this.copy.state.digest).toBe(state.digest);
    return outcome;
  }

  /** Restores the copy from a snapshot of the present state. */
  restore(): void {
    const bytes = writeSnapshot(this.exchange);
    this.copy = readSnapshot(bytes);
    expect(this.copy.state.digest).toBe(this.exchange.state.digest);
    expect(Bun.deepEquals(writeSnapshot(this.copy), bytes)).toBe(true);
  }

  get generations(): number {
    const { rising, falling } = this.exchange.state.markets[0]!.triggers;
    return Math.max(rising.generations.length, falling.generations.length);
  }
}
