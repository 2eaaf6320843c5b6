import type { Counter } from '../../../monitoring/metrics.ts';
import { errorMessage } from '../error-message.ts';
import { UnsubscribedError } from '../replay/backfill.ts';
import { ReplayBuffer } from '../replay/replay-buffer.ts';
import { CloseCode } from '../sockets/close-codes.ts';
import { notifyDrained } from '../sockets/drain.ts';
import { READY_BYTES, type Socket, type SocketTopic } from '../sockets/socket.ts';
import type { WaitForTurn } from './topic.ts';

/** A reader with more unread bytes is behind, and gets no updates except those that it needs to catch up. */
export const LAGGING_BYTES = 256 * 1024;
/** A reader with more unread bytes is disconnected. */
export const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** A reader with more than READY_BYTES unread for this long is disconnected. */
export const MAX_STALL_MS = 10_000;
const CHECK_EVERY_MS = 100;
/** Maximum time per turn of the event loop to serve books to readers. */
const TURN_MS = 2;
/** Pause for other work after a turn, as a multiple of the turn's duration. */
const PAUSE_TURNS = 3;

/**
 * Paces every socket by what it has read. Fast readers get each topic by the server's own publishing and
 * cost only a periodic check of their buffers. A reader that falls behind is unsubscribed from its topics;
 * once it has read its buffer, it gets the missed changes, merged into one update per topic if possible,
 * and is subscribed again.
 */
export class Readers {
  private readonly sockets = new Set<Socket>();
  /** Sockets with a book message to send, in turn. */
  private readonly waiting = new Set<Socket>();
  private isTurnDue = false;
  private pausedUntilMs = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param flush Sends everything that is due to all subscribers.
   * @param unsubscribe Ends a socket's subscription.
   * @param createWaitForTurn Returns a function that waits until the subscription may query history.
   * @param dropped Counts the readers disconnected as too slow.
   */
  constructor(
    private readonly flush: () => void,
    private readonly unsubscribe: (socket: Socket, topic: SocketTopic) => void,
    private readonly createWaitForTurn: (socket: Socket, topic: SocketTopic) => WaitForTurn,
    private readonly now: () => number,
    private readonly dropped: Counter,
  ) {}

  open(socket: Socket): void {
    this.sockets.add(socket);
    this.timer ??= setInterval(() => this.check(), CHECK_EVERY_MS);
  }

  close(socket: Socket): void {
    this.sockets.delete(socket);
    this.waiting.delete(socket);
    if (this.sockets.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  closeAll(code: number, reason: string): void {
    for (const socket of [...this.sockets]) socket.close(code, reason);
  }

  /** Sends the snapshot of any topic except a book, and then subscribes the socket. */
  start(socket: Socket, topic: SocketTopic): void {
    this.sendThenJoin(socket, topic, topic.snapshot(this.createWaitForTurn(socket, topic)));
  }

  /** Sends a message, perhaps when it is ready, and then joins the topic. An error ends the subscription. */
  private sendThenJoin(
    socket: Socket,
    topic: SocketTopic,
    message: string | Promise<string>,
  ): void {
    if (typeof message === 'string') {
      socket.send(message);
      this.join(socket, topic);
      return;
    }
    // The archivist replies in order, so updates published until then are older than the message.
    const buffer = new ReplayBuffer();
    topic.replayBuffers.set(socket, buffer);
    const isSubscribed = () => topic.replayBuffers.get(socket) === buffer;
    message.then(
      (text) => {
        if (!isSubscribed()) return;
        topic.outbox.flush();
        topic.replayBuffers.delete(socket);
        topic.resuming.delete(socket);
        socket.send(text);
        this.join(socket, topic);
      },
      (error) => {
        if (error instanceof UnsubscribedError) return;
        const text = errorMessage(error, topic.head);
        if (!isSubscribed()) return;
        this.unsubscribe(socket, topic);
        socket.send(text);
      },
    );
  }

  /** Subscribes the socket to the topic's updates, unless it lags: then `catchUp` subscribes it. */
  join(socket: Socket, topic: SocketTopic): void {
    if (!socket.data.readState.isLagging) socket.subscribe(topic.name);
  }

  leave(socket: Socket, topic: SocketTopic): void {
    const { books } = socket.data.readState;
    books.get(topic)?.close();
    books.delete(topic);
    socket.unsubscribe(topic.name);
  }

  /** Sends a book from its snapshot on, and then subscribes the socket. */
  startBook(socket: Socket, topic: SocketTopic): void {
    socket.data.readState.books.set(topic, topic.newReader(false));
    if (this.waiting.has(socket) || socket.data.readState.isLagging) return;
    this.waiting.add(socket);
    this.scheduleTurn();
  }

  /** Sends a book from its snapshot on to all its subscribers. */
  resendBook(topic: SocketTopic): void {
    for (const socket of topic.sockets) {
      this.leave(socket, topic);
      socket.data.readState.books.set(topic, topic.newReader(false));
      this.waiting.add(socket);
    }
    this.scheduleTurn();
  }

  /** Call this when a socket has sent some of its unread bytes. */
  drained(socket: Socket): void {
    const { readState } = socket.data;
    if (socket.getBufferedAmount() > READY_BYTES) return;
    readState.stalledSinceMs = undefined;
    if (readState.isLagging) this.catchUp(socket);
    if (readState.books.size === 0) return;
    this.waiting.add(socket);
    this.scheduleTurn();
  }

  private check(): void {
    const now = this.now();
    for (const socket of this.sockets) {
      const unread = socket.getBufferedAmount();
      const { readState } = socket.data;
      if (unread <= READY_BYTES) {
        notifyDrained(socket);
        if (readState.stalledSinceMs !== undefined) this.drained(socket);
        continue;
      }
      readState.stalledSinceMs ??= now;
      if (unread > MAX_UNREAD_BYTES || now - readState.stalledSinceMs >= MAX_STALL_MS) {
        const shownBytes = Math.floor((unread - 1) / 1024) * 1024;
        this.dropped.add();
        socket.close(CloseCode.tooSlow, `too slow: more than ${shownBytes} bytes unread`);
      } else if (unread > LAGGING_BYTES && !readState.isLagging) this.fallBehind(socket);
    }
  }

  private fallBehind(socket: Socket): void {
    this.flush();
    const { readState, topics } = socket.data;
    readState.isLagging = true;
    for (const topic of topics) {
      socket.unsubscribe(topic.name);
      if (topic.isBook && !readState.books.has(topic)) {
        readState.books.set(topic, topic.newReader(true));
      }
    }
  }

  private catchUp(socket: Socket): void {
    this.flush();
    const { readState, topics } = socket.data;
    readState.isLagging = false;
    for (const topic of topics) {
      if (readState.books.has(topic) || topic.replayBuffers.has(socket)) continue;
      const latest = topic.latest(this.createWaitForTurn(socket, topic));
      if (latest === undefined) socket.subscribe(topic.name);
      else this.sendThenJoin(socket, topic, latest);
    }
  }

  private scheduleTurn(): void {
    if (this.isTurnDue || this.waiting.size === 0) return;
    this.isTurnDue = true;
    const pauseMs = this.pausedUntilMs - performance.now();
    if (pauseMs > TURN_MS) setTimeout(() => this.turn(), pauseMs);
    else setImmediate(() => this.turn());
  }

  private turn(): void {
    this.isTurnDue = false;
    this.flush();
    const start = performance.now();
    for (const socket of this.waiting) {
      this.serve(socket);
      if (performance.now() > start + TURN_MS) break;
    }
    const end = performance.now();
    this.pausedUntilMs = Math.max(this.pausedUntilMs, start) + (end - start) * (1 + PAUSE_TURNS);
    this.scheduleTurn();
  }

  /** Sends one message of one book, and moves the socket to the end of the queue if there is more. */
  private serve(socket: Socket): void {
    this.waiting.delete(socket);
    const { books, isLagging } = socket.data.readState;
    // `drained` adds it again once it has caught up.
    if (isLagging) return;
    for (const [topic, reader] of books) {
      // `drained` adds it again.
      if (socket.getBufferedAmount() > READY_BYTES) return;
      const message = reader.next();
      if (message !== undefined) socket.send(topic.message(message.kind, message.body));
      if (reader.isCaughtUp) {
        reader.close();
        books.delete(topic);
        socket.subscribe(topic.name);
      }
      break;
    }
    if (books.size > 0) this.waiting.add(socket);
  }
}
