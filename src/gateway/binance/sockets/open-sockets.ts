import type { Counter } from '../../../monitoring/metrics.ts';
import { MAX_STALL_MS, MAX_UNREAD_BYTES } from '../../stream/public-channels/readers.ts';
import { CloseCode } from '../../stream/sockets/close-codes.ts';
import { flush, sendSoon } from '../../stream/sockets/outgoing.ts';
import { READY_BYTES } from '../../stream/sockets/socket.ts';
import type { EventSocket } from './socket.ts';

const CHECK_EVERY_MS = 100;

interface OpenSocket {
  /** Returns the message with an event that concerns the whole connection. */
  readonly wrap: (event: string) => string;
  /** When more than READY_BYTES became unread, milliseconds. */
  stalledSinceMs: number | undefined;
  isDropped: boolean;
}

/** The open sockets of the dialect. Disconnects those that read too slowly, by the same limits as the exchange's own streams. */
export class OpenSockets {
  private readonly sockets = new Map<EventSocket, OpenSocket>();
  private timer: ReturnType<typeof setInterval> | undefined;

  /** @param dropped Counts the sockets that read too slowly. */
  constructor(
    private readonly now: () => number,
    private readonly dropped: Pick<Counter, 'add'>,
  ) {}

  get size(): number {
    return this.sockets.size;
  }

  /** @param wrap Returns the message with an event that concerns the whole connection. */
  add(socket: EventSocket, wrap: (event: string) => string): void {
    this.sockets.set(socket, { wrap, stalledSinceMs: undefined, isDropped: false });
    this.timer ??= setInterval(() => this.check(), CHECK_EVERY_MS);
  }

  remove(socket: EventSocket): void {
    this.sockets.delete(socket);
    if (this.sockets.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Announces that the server is about to shut down, and closes all sockets. */
  shutDown(code: number, reason: string): void {
    const event = `{"e":"serverShutdown","E":${this.now()}}`;
    for (const [socket, { wrap }] of this.sockets) sendSoon(socket, wrap(event));
    flush();
    this.closeAll(code, reason);
  }

  closeAll(code: number, reason: string): void {
    for (const socket of [...this.sockets.keys()]) socket.close(code, reason);
  }

  private check(): void {
    const now = this.now();
    for (const [socket, open] of this.sockets) {
      const unread = socket.getBufferedAmount();
      if (unread <= READY_BYTES) {
        open.stalledSinceMs = undefined;
        continue;
      }
      open.stalledSinceMs ??= now;
      if (unread <= MAX_UNREAD_BYTES && now - open.stalledSinceMs < MAX_STALL_MS) continue;
      socket.close(CloseCode.tooSlow, 'too slow: too many bytes unread');
      // Until it is closed it may be found again.
      if (!open.isDropped) this.dropped.add();
      open.isDropped = true;
    }
  }
}
