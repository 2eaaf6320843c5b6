import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TradeEvent } from '../engine/event.ts';
import { Exchange } from '../engine/exchange.ts';
import { findOwner } from '../engine/ledger/accounts.ts';
import { ABUSER, PARTNER, playScenario, watch } from '../testing/market-abuse.ts';
import { Activities } from './activities.ts';
import {
  type Alert,
  createDetectors,
  type DetectorName,
  detectorNames,
  Surveillance,
} from './surveillance.ts';

const seeds = fc.nat(2 ** 32 - 1);

for (const name of detectorNames) {
  test(`${name}: found with the users and the commands concerned`, () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const commands = playScenario(name, seed, true);
        const [alert, ...others] = watch(commands);
        expect(others).toEqual([]);
        expect(alert).toMatchObject({ detector: name, market: 0 });
        expect(alert!.owners).toEqual(name === 'wash_trading' ? [ABUSER, PARTNER] : [ABUSER]);
        const { from, to } = alert!;
        expect(from.sequence).toBeLessThan(to.sequence);
        for (const { sequence, time } of [from, to]) {
          const { command, time: appliedAt } = commands[sequence - 1]!;
          expect(time).toBe(appliedAt);
          expect(alert!.owners).toContain((command as { account: number }).account);
        }
      }),
      { numRuns: 20 },
    );
  });

  test(`${name}: not found in honest conduct that resembles it`, () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(watch(playScenario(name, seed, false))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
}

test('a detector finds the same alone, and again', () => {
  fc.assert(
    fc.property(seeds, fc.constantFrom(...detectorNames), (seed, name) => {
      const commands = playScenario(name, seed, true);
      const alerts = watch(commands);
      expect(watch(commands)).toEqual(alerts);
      expect(watch(commands, [name])).toEqual(alerts);
    }),
    { numRuns: 10 },
  );
});

test('a detector that fails is reported once and dropped; the others find what they would', () => {
  fc.assert(
    fc.property(seeds, fc.nat(100), fc.boolean(), (seed, after, failsAtEnd) => {
      const commands = playScenario('spoofing', seed, true);
      const exchange = new Exchange();
      const find = (account: number) => findOwner(exchange.state.accounts, account);
      let reads = 0;
      const fail = (): never => {
        throw new Error('a defect');
      };
      const failing = {
        name: 'pump' as DetectorName,
        windowMs: 1000,
        readTrades: (_: readonly TradeEvent[]) => {
          if (!failsAtEnd && reads++ >= after) fail();
        },
        endWindow: () => (failsAtEnd && exchange.state.time > 0 ? fail() : []),
        save: () => null,
        restore: () => {},
      };
      const alerts: Alert[] = [];
      const failures: [DetectorName, string, number][] = [];
      const detectors = [failing, ...createDetectors(find, ['spoofing'])];
      const surveillance = new Surveillance(detectors, {
        onAlert: (alert) => alerts.push(alert),
        onFailure: (name, { message }, place) => failures.push([name, message, place.sequence]),
      });
      commands.forEach(({ time, command }, index) => {
        exchange.apply(command, time);
        const place = { sequence: index + 1, index: 0, time: exchange.state.time };
        surveillance.read(place, exchange.events);
      });
      surveillance.end();
      expect(failures).toEqual([['pump', 'a defect', expect.any(Number)]]);
      expect(failures[0]![2]).toBeGreaterThan(0);
      expect(alerts).toEqual(watch(commands));
    }),
    { numRuns: 10 },
  );
});

test('detectors that are saved and restored at any command find the same', () => {
  const names = [...detectorNames];
  fc.assert(
    fc.property(
      seeds,
      fc.constantFrom(...names),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (seed, name, part) => {
        const commands = playScenario(name, seed, true);
        const restart = Math.floor(part * commands.length);
        const exchange = new Exchange();
        const alerts: Alert[] = [];
        const create = () =>
          new Surveillance(
            createDetectors((account) => findOwner(exchange.state.accounts, account)),
            { onAlert: (alert) => alerts.push(alert), onFailure: () => expect.unreachable() },
          );
        let surveillance = create();
        commands.forEach(({ time, command }, index) => {
          if (index === restart) {
            const records = surveillance.save(index);
            expect(records.map(({ readTo }) => readTo)).toEqual(names.map(() => index));
            surveillance = create();
            surveillance.restore(records);
            expect(surveillance.save(index)).toEqual(records);
          }
          exchange.apply(command, time);
          const place = { sequence: index + 1, index: 0, time: exchange.state.time };
          surveillance.read(place, exchange.events);
        });
        surveillance.end();
        expect(alerts).toEqual(watch(commands));
        expect(alerts).toHaveLength(1);
      },
    ),
    { numRuns: 40 },
  );
});

test('rows hold what was counted for their market and owner, in every window', () => {
  const change = fc.record({
    market: fc.nat(5),
    owner: fc.oneof(fc.nat(3), fc.nat(100_000)),
    value: fc.integer({ min: 1, max: 1000 }),
  });
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 600 }), { maxLength: 4 }), (windows) => {
      const rows = new Activities(2);
      for (const changes of windows) {
        const expected = new Map<string, number[]>();
        changes.forEach(({ market, owner, value }, index) => {
          const at = rows.find(market, owner);
          rows.values[at + 1]! += value;
          const place = { sequence: index + 1, index: value, time: index };
          rows.cite(at, place);
          const known = expected.get(`${market} ${owner}`) ?? [0, index + 1, 0];
          expected.set(`${market} ${owner}`, [known[0]! + value, known[1]!, index + 1]);
        });
        const found: (readonly [string, number[]])[] = [];
        rows.forEach((at, market, owner) => {
          const { from, to } = rows.cited(at);
          found.push([`${market} ${owner}`, [rows.values[at + 1]!, from.sequence, to.sequence]]);
          expect(rows.values[at]).toBe(0);
        });
        expect(found).toEqual([...expected]);
        rows.clear();
        rows.forEach(() => {
          expect.unreachable();
        });
      }
    }),
    { numRuns: 50 },
  );
});
