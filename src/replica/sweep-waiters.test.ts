import { expect, test } from 'bun:test';
import type { OrderRecord, Outcome } from '../engine/event.ts';
import { OutcomeUnknownError } from './errors.ts';
import { SweepWaiters } from './sweep-waiters.ts';

const order = (id: number) => ({ kind: 'order', id }) as OrderRecord;
const settle = (waiters: SweepWaiters, outcome: Outcome) =>
  new Promise<Outcome>((resolve, reject) => waiters.settle(outcome, resolve, reject));
const unfinished = { kind: 'orders', orders: [order(1)], sweep: 7 } as const;

test('a caller gets the orders of all portions, and of no other sweep', async () => {
  const waiters = new SweepWaiters();
  const outcome = settle(waiters, unfinished);
  waiters.note([{ sweep: 7, orders: [order(2)], isDone: false }]);
  waiters.note([
    { sweep: 8, orders: [order(9)], isDone: true },
    { sweep: 7, orders: [order(3)], isDone: true },
  ]);
  expect(await outcome).toEqual({ kind: 'orders', orders: [1, 2, 3].map(order) });
  expect(waiters.size).toBe(0);
});

test('a complete outcome and a delisting are answered at once', async () => {
  const waiters = new SweepWaiters();
  const outcomes: Outcome[] = [
    { kind: 'done' },
    { kind: 'orders', orders: [] },
    { ...unfinished, left: 5 },
  ];
  for (const outcome of outcomes) expect(await settle(waiters, outcome)).toBe(outcome);
  expect(waiters.size).toBe(0);
});

test('if the log is unreachable callers are rejected with an unknown outcome', async () => {
  const waiters = new SweepWaiters();
  const outcome = settle(waiters, unfinished);
  waiters.fail(new OutcomeUnknownError());
  await expect(outcome).rejects.toThrow(OutcomeUnknownError);
});
