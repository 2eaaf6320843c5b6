import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { MINUTE_MS } from '../../config/durations.ts';
import * as logger from '../../monitoring/logger.ts';
import type { Services } from '../services.ts';
import { type DepositTimes, lastDepositTimes } from './deposit-times.ts';

let warned: ReturnType<typeof spyOn<typeof logger, 'warn'>>;
beforeEach(() => {
  warned = spyOn(logger, 'warn').mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());

/** An archivist that responds to the oldest open query when the test lets it. */
class Venue {
  readonly queries: PromiseWithResolvers<DepositTimes>[] = [];
  time = 10 * MINUTE_MS;
  private readonly archivist = {
    query: () => {
      const query = Promise.withResolvers<DepositTimes>();
      this.queries.push(query);
      return query.promise;
    },
  };
  private readonly services = {
    archivist: this.archivist as unknown as Services['archivist'],
    now: () => this.time,
  };

  read(): [number, number][] {
    return [...lastDepositTimes(this.services)];
  }

  async respond(times: DepositTimes): Promise<void> {
    this.queries.at(-1)!.resolve(times);
    await Bun.sleep(0);
  }

  async fail(): Promise<void> {
    this.queries.at(-1)!.reject(new Error('its thread has ended'));
    await Bun.sleep(0);
  }
}

test('an archivist that does not respond delays no one, and has one query', async () => {
  const venue = new Venue();
  expect(venue.read()).toEqual([]);
  venue.time += MINUTE_MS;
  expect(venue.read()).toEqual([]);
  expect(venue.queries.length).toBe(1);
  await venue.respond(new Map([[0, 5_000]]));
  expect(venue.read()).toEqual([[0, 5_000]]);
  expect(venue.queries.length).toBe(2);
});

test('times are computed once a minute, and the last ones are returned until then', async () => {
  const venue = new Venue();
  venue.read();
  await venue.respond(new Map([[0, 5_000]]));
  venue.time += MINUTE_MS - 1;
  expect(venue.read()).toEqual([[0, 5_000]]);
  expect(venue.queries.length).toBe(1);
  venue.time += 1;
  expect(venue.read()).toEqual([[0, 5_000]]);
  expect(venue.queries.length).toBe(2);
  await venue.respond(new Map([[0, 6_000]]));
  expect(venue.read()).toEqual([[0, 6_000]]);
});

test('a failure is logged, keeps the last times and is repeated after a minute', async () => {
  const venue = new Venue();
  venue.read();
  await venue.respond(new Map([[0, 5_000]]));
  venue.time += MINUTE_MS;
  venue.read();
  await venue.fail();
  expect(warned.mock.calls).toEqual([
    ['The times of deposits were not refreshed: its thread has ended'],
  ]);
  expect(venue.read()).toEqual([[0, 5_000]]);
  expect(venue.queries.length).toBe(2);
  venue.time += MINUTE_MS;
  venue.read();
  expect(venue.queries.length).toBe(3);
});
