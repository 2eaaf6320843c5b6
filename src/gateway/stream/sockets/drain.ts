import { READY_BYTES, type Socket } from './socket.ts';

/** Waits until at most READY_BYTES are unread, or the socket is closed. */
export function waitForDrain(socket: Socket): Promise<void> {
  if (socket.getBufferedAmount() <= READY_BYTES) return Promise.resolve();
  return new Promise((resolve) => {
    socket.data.drainWaiters.push(resolve);
  });
}

export function notifyDrained(socket: Socket): void {
  for (const resolve of socket.data.drainWaiters.splice(0)) resolve();
}
