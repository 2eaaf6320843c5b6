import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Command } from '../../src/engine/command.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { makerGenesis } from '../../src/sandbox/makers/maker-genesis.ts';
import { MarketMakers } from '../../src/sandbox/makers/market-makers.ts';
import { sandboxGenesis } from '../../src/sandbox/sandbox.ts';
import { type TimedCommand, watch } from '../../src/testing/market-abuse.ts';

/** Plays the market makers of the sandbox. */
function* playMakers(
  seed: number,
  start: number,
  minutes: number,
  isCoarse: boolean,
): Generator<TimedCommand> {
  const genesis = [...sandboxGenesis(), ...makerGenesis([3, 4])];
  const exchange = new Exchange();
  for (const command of genesis) exchange.apply(command, start);
  yield* genesis.map((command) => ({ time: start, command }));
  const waiting: Command[] = [];
  const makers = new MarketMakers({
    state: exchange.state,
    submit: (command) => void waiting.push(command),
    seed,
    startsAt: start,
    isCoarse: () => isCoarse,
  });
  while (makers.nextAt <= start + minutes * 60_000) {
    const time = makers.nextAt;
    makers.run(time);
    for (const command of waiting.splice(0)) {
      exchange.apply(command, time);
      yield { time, command };
    }
  }
}

test('the market makers of the living sandbox raise no alert', () => {
  const start = Date.UTC(2026, 0, 1, 23, 50);
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 1), fc.boolean(), (seed, isCoarse) => {
      expect(watch(playMakers(seed, start, isCoarse ? 300 : 20, isCoarse))).toEqual([]);
    }),
    { numRuns: 6 },
  );
});
