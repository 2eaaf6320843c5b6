import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { OpenSockets } from '../../src/gateway/binance/sockets/open-sockets.ts';
import type { EventSocket } from '../../src/gateway/binance/sockets/socket.ts';

/** Sockets of the dialect whose clients read slowly. */

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const KIB = 1024;

function open() {
  const state = { now: 0, unread: 0, dropped: 0, closed: undefined as number | undefined };
  const sockets = new OpenSockets(() => state.now, { add: () => state.dropped++ });
  const socket = {
    getBufferedAmount: () => state.unread,
    close: (code: number) => {
      state.closed = code;
      setTimeout(() => sockets.remove(socket), 250);
    },
  } as unknown as EventSocket;
  sockets.add(socket, (event) => event);
  const wait = (ms: number) => {
    state.now += ms;
    jest.advanceTimersByTime(ms);
  };
  return { state, wait };
}

test('a client that leaves too much unread is disconnected', () => {
  const { state, wait } = open();
  state.unread = 4 * KIB * KIB;
  wait(1000);
  expect(state.closed).toBeUndefined();
  state.unread++;
  wait(100);
  expect([state.closed, state.dropped]).toEqual([4002, 1]);
  // It is closed later, and counted once.
  wait(100);
  expect(state.dropped).toBe(1);
});

test('a client that does not keep up for 10 seconds is disconnected, one that catches up is not', () => {
  const { state, wait } = open();
  state.unread = 64 * KIB + 1;
  wait(100);
  wait(9900);
  expect(state.closed).toBeUndefined();
  state.unread = 64 * KIB;
  wait(100);
  state.unread = 64 * KIB + 1;
  wait(100);
  wait(9900);
  expect(state.closed).toBeUndefined();
  wait(100);
  expect(state.closed).toBe(4002);
});
