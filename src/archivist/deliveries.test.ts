import { expect, test } from 'bun:test';
import { Deliveries } from './deliveries.ts';
import type { Delivered } from './messages.ts';

const message = (sequence: number): Delivered => ({
  message: { sequence, storedAt: 0, bytes: new Uint8Array(0) },
  digestBefore: 0,
});

test('batches that the archive reads from the log itself are dropped, later ones are kept', () => {
  const deliveries = new Deliveries(false);
  deliveries.add([message(3), message(4)]);
  deliveries.add([message(5)]);
  expect(deliveries.waiting).toEqual([]);
  expect(deliveries.keep()).toBe(5);
  deliveries.add([message(6), message(7)]);
  expect(deliveries.waiting).toEqual([message(6), message(7)]);
});
