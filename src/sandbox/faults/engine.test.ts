import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../test/check.ts';
import { seededRandom } from '../../storage/seeded-random.ts';
import { FaultEngine } from './engine.ts';
import { FAULT_KIND_NAMES, FAULT_KINDS, type Subject } from './kinds.ts';
import { matchesPattern } from './patterns.ts';
import type { Fault, FaultScript, Hit, Occasion } from './script.ts';

const NAMES = ['POST /api/orders', 'GET /api/orders', 'ws order.place', 'channel trades'];
const KEYS = ['k1', 'k2'];
const SUBJECTS: readonly Subject[] = ['request', 'time', 'read', 'order', 'message', 'fill'];

const milliseconds = fc.integer({ min: 0, max: 100 });
const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom(...FAULT_KIND_NAMES),
  probability: fc.constantFrom(0, 0.3, 0.5, 1),
  count: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  schedule: fc.record({
    from: milliseconds,
    until: fc.oneof(milliseconds, fc.constant(Number.POSITIVE_INFINITY)),
    everyMs: fc.option(fc.integer({ min: 5, max: 30 }), { nil: undefined }),
    forMs: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  }),
  endpoints: fc.option(fc.subarray([...NAMES, '* /api/*', 'ws *'], { minLength: 1 }), {
    nil: undefined,
  }),
  ms: milliseconds,
  jitterMs: fc.constantFrom(0, 10),
  before: fc.boolean(),
  status: fc.constant(undefined),
  symbol: fc.constant(undefined),
});
const script: fc.Arbitrary<FaultScript> = fc.record({
  apiKey: fc.option(fc.constantFrom(...KEYS), { nil: undefined }),
  account: fc.constantFrom(undefined, 'alice'),
  keyAccount: fc.constant('alice'),
  seed: fc.nat(),
  faults: fc.array(fault, { minLength: 1, maxLength: 4 }),
});
const occasion = fc.record({
  name: fc.constantFrom(...NAMES),
  apiKey: fc.constantFrom(undefined, ...KEYS),
  account: fc.constantFrom(undefined, 'alice', 'bob'),
});
const step = fc.record({
  occasion,
  subjects: fc.subarray([...SUBJECTS], { minLength: 1 }),
  waitMs: fc.integer({ min: 0, max: 7 }),
  isCarriedOut: fc.boolean(),
  /** Number of later steps until it is known whether the hits happen, as if requests were in progress at once. */
  openSteps: fc.integer({ min: 0, max: 4 }),
});
type Step = ReturnType<typeof toStep>;
const toStep = (value: typeof step extends fc.Arbitrary<infer Value> ? Value : never) => value;

/** Returns the numbers of the faults that hit at each step, by rules that look at the whole past each time. */
function modelHits({ faults, seed, apiKey, account }: FaultScript, steps: readonly Step[]) {
  const generators = faults.map((_, index) =>
    seededRandom((Math.imul(seed, 0x85ebca6b) + index * 0x9e3779b1) >>> 0),
  );
  const past: { index: number; at: number; isGoneFrom: number }[] = [];
  let now = 0;
  return steps.map(({ occasion: on, subjects, waitMs, isCarriedOut, openSteps }, number) => {
    now += waitMs;
    const isMeant =
      apiKey === undefined ? account === undefined || account === on.account : apiKey === on.apiKey;
    if (!isMeant) return [];
    return faults.flatMap((each, index) => {
      const { from, until, everyMs, forMs } = each.schedule;
      const hits = past.filter((hit) => hit.index === index);
      if (!subjects.includes(FAULT_KINDS[each.kind].subject)) return [];
      // Whatever may still happen counts, so that the count is a maximum.
      const counted = hits.filter(({ isGoneFrom }) => number < isGoneFrom);
      if (counted.length >= (each.count ?? Number.MAX_VALUE)) return [];
      if (
        each.endpoints !== undefined &&
        !each.endpoints.some((p) => toExpression(p).test(on.name))
      ) {
        return [];
      }
      if (now < from || now >= until) return [];
      const period = (time: number) => Math.floor((time - from) / (everyMs ?? Number.MAX_VALUE));
      const sinceStart = everyMs === undefined ? now - from : (now - from) % everyMs;
      if (forMs !== undefined && sinceStart >= forMs) return [];
      const isOnce = everyMs !== undefined && forMs === undefined;
      if (isOnce && hits.some(({ at }) => period(at) === period(now))) return [];
      if (generators[index]!() >= each.probability) return [];
      if (each.jitterMs > 0) generators[index]!();
      const isGoneFrom = isCarriedOut ? Number.MAX_VALUE : number + 1 + openSteps;
      past.push({ index, at: now, isGoneFrom });
      return [index];
    });
  });
}

function toExpression(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[.\\^$+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

function engineHits(scripts: readonly FaultScript[], steps: readonly Step[]) {
  const engine = new FaultEngine();
  for (const each of scripts) engine.install(each);
  const open: { hit: Hit; isCarriedOut: boolean; until: number }[] = [];
  let now = 0;
  return steps.map(({ occasion: on, subjects, waitMs, isCarriedOut, openSteps }, number) => {
    now += waitMs;
    const due = open.filter(({ until }) => until === number);
    for (const each of due) each.isCarriedOut ? engine.count(each.hit) : engine.release(each.hit);
    const hits = engine.draw(on, subjects, now);
    for (const hit of hits) open.push({ hit, isCarriedOut, until: number + 1 + openSteps });
    return hits;
  });
}

describe('the decisions', () => {
  test('are those of a model that looks at the whole past', () => {
    check(
      fc.property(script, fc.array(step, { minLength: 20, maxLength: 60 }), (installed, steps) => {
        const hits = engineHits([installed], steps).map((each) => each.map(({ index }) => index));
        expect(hits).toEqual(modelHits(installed, steps));
      }),
      2000,
    );
  });

  test('are the same again, and those of a script do not depend on the others', () => {
    check(
      fc.property(script, script, fc.array(step, { maxLength: 40 }), (one, other, steps) => {
        const both = engineHits([one, other], steps);
        expect(engineHits([one, other], steps)).toEqual(both);
        const own = both.map((hits) => hits.filter(({ scriptId }) => scriptId === 'fault-1'));
        expect(own).toEqual(engineHits([one], steps));
      }),
      100,
    );
  });

  test('have a jitter within bounds', () => {
    const schedule = { from: 0, until: 100, everyMs: undefined, forMs: undefined };
    const delay = { kind: 'delay', probability: 1, count: undefined, schedule, ms: 50 } as const;
    const rest = { endpoints: undefined, before: false, status: undefined, symbol: undefined };
    const owner = { apiKey: undefined, account: undefined, keyAccount: undefined };
    const engine = new FaultEngine();
    engine.install({ ...owner, seed: 3, faults: [{ ...delay, ...rest, jitterMs: 10 }] });
    const on: Occasion = { name: 'x', apiKey: undefined, account: undefined };
    const delays = Array.from({ length: 500 }, () => engine.draw(on, ['request'], 1)[0]!.delayMs);
    expect([Math.min(...delays), Math.max(...delays)]).toEqual([50, 60]);
  });
});

test('patterns fit as the regular expression does in which * is .*', () => {
  const part = fc.constantFrom('a', 'b', 'ab', '*', ' ', '/', '.');
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  check(
    fc.property(text, text, (pattern, name) => {
      expect(matchesPattern(pattern, name)).toBe(toExpression(pattern).test(name));
    }),
    2000,
  );
});
