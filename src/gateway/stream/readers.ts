import type { Counter } from '../../monitoring/metrics.ts';
import { LeftError } from './backfill.ts';
import { BookReader } from './book-reader.ts';
import { notifyDrained } from './drain.ts';
import { errorMessage } from './error-message.ts';
import { ReplayBuffer } from './replay-buffer.ts';
import type { Socket } from './streams.ts';
import type { Topic, Turn } from './topic.ts';

/** With more unread than this a reader is behind: it hears no updates but what it needs to catch up. */
export const BEHIND_BYTES = 256 * 1024;
/** With no more unread than this it gets its next message. */
export const READY_BYTES = 64 * 1024;
/** With more unread than this a reader is disconnected. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** So is one that has not read as far as READY_BYTES for so long. */
const MAX_STALL_MS = 10_000;
const LOOK_EVERY_MS = 100;
/** How long the exchange is kept from other work to let readers catch up, */
const TURN_MS = 2;
/** and how many times as long it then does other work. */
const REST_TURNS = 3;
export const TOO_SLOW = 4002;

/** How far behind a socket is. */
export interface Subscription {
  isBehind: boolean;
  /** Since when there is more unread than READY_BYTES. */
  stalledSinceMs: number | undefined;
  /** The books that it has not as everyone else has them. */
  readonly books: Map<Topic, BookReader>;
}

/**
 * What readers have not read. A fast reader hears each topic by the server's own publishing, at no
 * cost here but for a look at its buffer. One who falls behind hears no topic; once it has read, it
 * gets in one message what it missed, as far as that still matters, and hears with the others again.
 */
export class Readers {
  private readonly sockets = new Set<Socket>();
  /** Those with something to get, in turn. */
  private readonly waiting = new Set<Socket>();
  private isTurnDue = false;
  private restUntilMs = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param flush Sends all that is to be sent to everyone.
   * @param unsubscribe Ends a socket's subscription.
   * @param turnOf Waits until a socket's subscription may ask history; throws LeftError once it was left.
   * @param dropped Counts those that were disconnected because they did not read.
   */
  constructor(
    private readonly flush: () => void,
    private readonly unsubscribe: (socket: Socket, topic: Topic) => void,
    private readonly turnOf: (socket: Socket, topic: Topic) => Turn,
    private readonly now: () => number,
    private readonly dropped: Counter,
  ) {}

  open(socket: Socket): void {
    this.sockets.add(socket);
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS);
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

  /** Sends a first message of any topic but a book; from then on the socket hears it. */
  start(socket: Socket, topic: Topic): void {
    this.sendAndJoin(socket, topic, topic.snapshot(this.turnOf(socket, topic)));
  }

  /** Sends what there is of a topic now; from then on the socket hears it. A failure ends the subscription. */
  private sendAndJoin(socket: Socket, topic: Topic, message: string | Promise<string>): void {
    if (typeof message === 'string') {
      socket.send(message);
      this.join(socket, topic);
      return;
    }
    // What is said meanwhile is older: answers come in the order of the questions.
    const gathered = new ReplayBuffer();
    topic.gathering.set(socket, gathered);
    const isThere = () => topic.gathering.get(socket) === gathered;
    message.then(
      (text) => {
        if (!isThere()) return;
        topic.outbox.flush();
        topic.gathering.delete(socket);
        topic.returning.delete(socket);
        socket.send(text);
        this.join(socket, topic);
      },
      (error) => {
        if (error instanceof LeftError) return;
        const text = errorMessage(error, topic.head);
        if (!isThere()) return;
        this.unsubscribe(socket, topic);
        socket.send(text);
      },
    );
  }

  /** From now on the socket hears the topic, once it is not behind any more. */
  join(socket: Socket, topic: Topic): void {
    if (!socket.data.reading.isBehind) socket.subscribe(topic.name);
  }

  leave(socket: Socket, topic: Topic): void {
    const { books } = socket.data.reading;
    books.get(topic)?.end();
    books.delete(topic);
    socket.unsubscribe(topic.name);
  }

  /** Sends a book from its beginning; then the socket hears its updates. */
  begin(socket: Socket, topic: Topic): void {
    socket.data.reading.books.set(topic, new BookReader(topic.book, false));
    if (this.waiting.has(socket) || socket.data.reading.isBehind) return;
    this.waiting.add(socket);
    this.scheduleTurn();
  }

  /** Sends a book from its beginning to all who hear it. */
  renew(topic: Topic): void {
    for (const socket of topic.sockets) {
      this.leave(socket, topic);
      socket.data.reading.books.set(topic, new BookReader(topic.book, false));
      this.waiting.add(socket);
    }
    this.scheduleTurn();
  }

  /** The socket has sent some of what was unread. */
  drained(socket: Socket): void {
    const { reading } = socket.data;
    if (socket.getBufferedAmount() > READY_BYTES) return;
    reading.stalledSinceMs = undefined;
    if (reading.isBehind) this.comeBack(socket);
    if (reading.books.size === 0) return;
    this.waiting.add(socket);
    this.scheduleTurn();
  }

  private look(): void {
    const now = this.now();
    for (const socket of this.sockets) {
      const unread = socket.getBufferedAmount();
      const { reading } = socket.data;
      if (unread <= READY_BYTES) {
        notifyDrained(socket);
        if (reading.stalledSinceMs !== undefined) this.drained(socket);
        continue;
      }
      reading.stalledSinceMs ??= now;
      if (unread > MAX_UNREAD_BYTES || now - reading.stalledSinceMs >= MAX_STALL_MS) {
        const told = Math.floor((unread - 1) / 1024) * 1024;
        this.dropped.add();
        socket.close(TOO_SLOW, `too slow: more than ${told} bytes unread`);
      } else if (unread > BEHIND_BYTES && !reading.isBehind) this.fallBehind(socket);
    }
  }

  private fallBehind(socket: Socket): void {
    this.flush();
    const { reading, topics } = socket.data;
    reading.isBehind = true;
    for (const topic of topics) {
      socket.unsubscribe(topic.name);
      if (topic.channel === 'orderbook' && !reading.books.has(topic)) {
        reading.books.set(topic, new BookReader(topic.book, true));
      }
    }
  }

  private comeBack(socket: Socket): void {
    this.flush();
    const { reading, topics } = socket.data;
    reading.isBehind = false;
    for (const topic of topics) {
      if (reading.books.has(topic) || topic.gathering.has(socket)) continue;
      const latest = topic.latest(this.turnOf(socket, topic));
      if (latest === undefined) socket.subscribe(topic.name);
      else this.sendAndJoin(socket, topic, latest);
    }
  }

  private scheduleTurn(): void {
    if (this.isTurnDue || this.waiting.size === 0) return;
    this.isTurnDue = true;
    const restMs = this.restUntilMs - performance.now();
    if (restMs > TURN_MS) setTimeout(() => this.turn(), restMs);
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
    this.restUntilMs = Math.max(this.restUntilMs, start) + (end - start) * (1 + REST_TURNS);
    this.scheduleTurn();
  }

  /** Sends one message of one book, and puts the socket at the end of the row if there is more. */
  private serve(socket: Socket): void {
    this.waiting.delete(socket);
    const { books, isBehind } = socket.data.reading;
    // It is served once it has come back.
    if (isBehind) return;
    for (const [topic, reader] of books) {
      // It is served again once it has drained.
      if (socket.getBufferedAmount() > READY_BYTES) return;
      const message = reader.next();
      if (message !== undefined) socket.send(topic.message(message.kind, message.body));
      if (reader.isPresent) {
        reader.end();
        books.delete(topic);
        socket.subscribe(topic.name);
      }
      break;
    }
    if (books.size > 0) this.waiting.add(socket);
  }
}
