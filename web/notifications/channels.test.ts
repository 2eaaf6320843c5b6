import { expect, test } from 'bun:test';
import { toggleEvent } from './channels.ts';

const OFFERED = ['order.filled', 'order.canceled', 'deposit.*'];

test('an event is turned on and off, and patterns become the events that they mean', () => {
  expect(toggleEvent(OFFERED, [], 'order.filled', true)).toEqual(['order.filled']);
  expect(toggleEvent(OFFERED, ['order.*'], 'order.filled', false)).toEqual(['order.canceled']);
  expect(toggleEvent(OFFERED, ['*'], 'deposit.*', false)).toEqual([
    'order.filled',
    'order.canceled',
  ]);
});
