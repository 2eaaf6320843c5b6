import { READY_BYTES } from './readers.ts';
import type { Socket } from './streams.ts';

/** Waits until most of what was sent is read, or the socket is closed. */
export function waitForDrain(socket: Socket): Promise<void> {
  if (socket.getBufferedAmount() <= READY_BYTES) return Promise.resolve();
  return new Promise((resolve) => {
    socket.data.waitingForRoom.push(resolve);
  });
}

/** Ends that wait for all who do. */
export function notifyDrained(socket: Socket): void {
  for (const resolve of socket.data.waitingForRoom.splice(0)) resolve();
}
