import { expect, test } from 'bun:test';
import { listLinked } from './linked-orders.ts';

const leg = {
  price: '50000',
  triggerPrice: null,
  trailingAmount: null,
  trailingPercent: null,
  activationPrice: null,
};
const bracket = {
  takeProfit: { ...leg, orderId: '18' },
  stopLoss: { ...leg, orderId: '19' },
  order: null,
  side: null,
  amount: null,
};
const order = {
  status: 'open',
  parentOrderId: null,
  ocoOrderId: null,
  attached: null,
} as const;

test('an order is linked to its parent and the other order of its OCO order', () => {
  expect(listLinked(order)).toEqual([]);
  expect(listLinked({ ...order, parentOrderId: '17', ocoOrderId: '19' })).toEqual([
    { label: 'Parent order', orderId: '17' },
    { label: 'Other OCO order', orderId: '19' },
  ]);
});

test('attached orders are linked once the order has ended, before which they do not exist', () => {
  const ids = (of: Parameters<typeof listLinked>[0]) => listLinked(of).map((each) => each.orderId);
  expect(ids({ ...order, attached: bracket })).toEqual([]);
  expect(ids({ ...order, status: 'filled', attached: bracket })).toEqual(['18', '19']);
  expect(ids({ ...order, status: 'canceled', attached: bracket })).toEqual(['18', '19']);
});
