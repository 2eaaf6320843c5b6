import { afterEach, expect, test } from 'bun:test';
import { orderReasons } from '../../src/engine/terms.ts';
import { setCatalog } from '../i18n/catalog.ts';
import { accentuate } from '../i18n/pseudo.ts';
import { describeReason, describeStatus } from './order-reasons.ts';
import type { ExactOrder } from './records.ts';

const order = { status: 'canceled', reason: null, timeInForce: 'GTC' } as const;
type Reason = ExactOrder['reason'];

afterEach(() => setCatalog({ language: 'en', messages: {} }));

test('each reason is in plain words and translated', () => {
  const words = (reason: Reason) => [
    describeStatus({ ...order, reason }),
    describeReason({ ...order, reason }) ?? '',
  ];
  for (const reason of orderReasons) {
    if (reason !== null) expect(words(reason).join()).not.toMatch(/_|undefined|requested|linked/);
  }
  setCatalog({ language: 'en-XA', messages: {}, accentuate });
  for (const reason of orderReasons) {
    if (reason === null || reason === 'expired' || reason === 'time_in_force') continue;
    expect(words(reason).join()).toMatch(/^\[.*\] \(\[.*\]\),\[.*\]$/);
  }
});

test('a status has its reason, or the time in force that ended the order', () => {
  expect(describeStatus({ ...order, reason: 'requested' })).toBe('Canceled (by you)');
  const expired = { ...order, status: 'expired' } as const;
  expect(describeStatus({ ...expired, reason: 'expired', timeInForce: 'GTD' })).toBe(
    'Expired (GTD)',
  );
  expect(describeStatus({ ...expired, reason: 'time_in_force', timeInForce: 'FOK' })).toBe(
    'Expired (FOK)',
  );
  expect(describeStatus({ ...order, status: 'filled' })).toBe('Filled');
});

test('a reason of a newer exchange is shown as it is', () => {
  const unknown = { ...order, reason: 'margin_call' as NonNullable<Reason> };
  expect(describeStatus(unknown)).toBe('Canceled (margin call)');
  expect(describeReason(unknown)).toBe('margin call');
});
