import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, check } from '../../test/check.ts';
import { SMALL_PORTION, withPortion } from '../../test/portions.ts';
import {
  expectSame,
  plainEvents,
  plainOutcome,
  readNaiveState,
  readState,
  sweptBy,
} from '../../test/reference/compare.ts';
import { NaiveExchange } from '../../test/reference/naive-exchange.ts';
import { custodyMove, type Move, move, play, scenario } from '../../test/reference/scenario.ts';
import { withLittleMemory } from '../../test/reference/with-little-memory.ts';
import { auditState } from './audit/audit.ts';
import { CommandKind } from './command.ts';
import { Exchange } from './exchange.ts';
import { PORTION } from './limits.ts';
import { writeSnapshot } from './snapshot/snapshot.ts';

withLittleMemory();

test.each([
  ['', PORTION, 200, move],
  [' in small portions', SMALL_PORTION, 130, move],
  [' with many deposits and withdrawals', SMALL_PORTION, 100, custodyMove],
] as const)(
  'the engine behaves like the reference model%s',
  (_, portion, runs, moves) => {
    const property = fc.property(scenario(120, moves as fc.Arbitrary<Move>), (run) => {
      const naive = new NaiveExchange();
      const exchange = new Exchange();
      for (const { command, time, expected } of play(run, naive)) {
        // Must not change the state, whatever the command.
        exchange.prefetch([command]);
        const outcome = exchange.apply(command, time);
        expectSame(plainOutcome(outcome), expected);
        expectSame(plainEvents(exchange), naive.events);
        expectSame(sweptBy(exchange), naive.state.swept);
        expectSame(readState(exchange), readNaiveState(naive));
        auditState(exchange.state);
      }
    });
    withPortion({ ...portion }, () => check(property, runs));
  },
  CHECK_TIMEOUT_MS,
);

test(
  'a rejected command leaves every bit of the state unchanged, and the digest shows any change',
  () => {
    const property = fc.property(scenario(60), (run) => {
      const exchange = new Exchange();
      for (const { command, time } of play(run)) {
        if (time > exchange.state.time) exchange.apply({ kind: CommandKind.tick }, time);
        const { digest } = exchange.state;
        const bytes = writeSnapshot(exchange);
        const { kind } = exchange.apply(command, time);
        const isRefused = kind === 'rejected' || kind === 'repeated';
        if (isRefused) expectSame([...exchange.events], []);
        const isSame = Bun.deepEquals(writeSnapshot(exchange), bytes);
        if (isRefused) expect(isSame).toBe(true);
        expect(exchange.state.digest === digest).toBe(isSame);
      }
    });
    check(property, 150);
  },
  CHECK_TIMEOUT_MS,
);
