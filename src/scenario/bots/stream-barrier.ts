import type { StreamSocket, StreamSocketClass } from '../../client/index.ts';

/** Limits how long a hanging exchange stops a run; real time. */
const MAX_WAIT_MS = 10_000;
/** A subscription that the exchange answers with an error, after it has sent everything that is due. */
const FLUSH = '{"op":"subscribe","channel":"prices","symbol":"NO/MARKET"}';
const PING = '{"op":"ping"}';

type SocketChange = 'open' | 'message' | 'subscribed' | 'closed';

interface Message {
  readonly op?: string;
  readonly channel?: string;
  readonly symbol?: string;
  readonly interval?: string;
}

/**
 * The sockets of a bot's streams, and `drain`, which waits until they have received everything that the exchange has
 * sent, so that a bot knows the same at each step of every run. Times of the network do not matter then.
 */
export class StreamBarrier {
  /** Pass it to `Streams` as the option `WebSocket`. */
  readonly Socket: StreamSocketClass;
  private readonly sockets = new Set<WatchedSocket>();
  /** Sockets that closed without having opened: the exchange is away. */
  private failed = 0;
  /** Subscriptions sent so far. */
  private subscribed = 0;
  private wake: () => void = () => {};

  constructor() {
    const barrier = this;
    this.Socket = class extends WatchedSocket {
      constructor(url: string) {
        super(url, (socket, change) => barrier.note(socket, change));
        barrier.sockets.add(this);
      }
    };
  }

  /**
   * Resolves once everything sent so far has been delivered, or the exchange has refused a connection.
   * @param isLive Whether all subscriptions of the bot are live, or will never be.
   * @throws Error if the exchange does not answer
   */
  async drain(isLive: () => boolean): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
    const isSettled = () => isLive() && this.all((socket) => socket.isSettled);
    for (let subscribed = -1; subscribed !== this.subscribed; ) {
      const { failed } = this;
      await this.until(() => isSettled() || this.failed > failed, deadline);
      subscribed = this.subscribed;
      for (const socket of this.sockets) socket.flush();
      await this.until(() => this.all((socket) => socket.isFlushed), deadline);
      // The exchange sends private messages at the end of a turn, so the answer to a second message follows them.
      for (const socket of this.sockets) socket.ping();
      await this.until(() => this.all((socket) => socket.isFlushed), deadline);
      // The last messages may have revealed a gap.
      if (!isSettled() && this.failed === failed) subscribed = -1;
    }
  }

  private note(socket: WatchedSocket, change: SocketChange): void {
    if (change === 'subscribed') this.subscribed++;
    if (change === 'closed') {
      this.sockets.delete(socket);
      if (!socket.wasOpen) this.failed++;
    }
    this.wake();
  }

  private all(holds: (socket: WatchedSocket) => boolean): boolean {
    return [...this.sockets].every(holds);
  }

  private async until(holds: () => boolean, deadline: number): Promise<void> {
    while (!holds()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) {
        throw new Error(`The streams of the bot did not settle within ${MAX_WAIT_MS / 1000} s.`);
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, leftMs);
      });
      clearTimeout(timer);
    }
  }
}

/** A WebSocket that knows which subscriptions have been answered. */
class WatchedSocket implements StreamSocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  wasOpen = false;
  private readonly socket: WebSocket;
  /** Subscriptions by topic: whether their first message has arrived. */
  private readonly topics = new Map<string, boolean>();
  /** Unsubscriptions without an answer, by topic. Messages before it belong to the old subscription. */
  private readonly leaving = new Map<string, number>();
  private unansweredAuth = 0;
  private unansweredFlushes = 0;
  private unansweredPings = 0;

  constructor(
    url: string,
    private readonly note: (socket: WatchedSocket, change: SocketChange) => void,
  ) {
    this.socket = new WebSocket(url);
    this.socket.onopen = (event) => {
      this.wasOpen = true;
      this.onopen?.(event as never);
      note(this, 'open');
    };
    this.socket.onmessage = (event) => {
      if (!this.readAnswer(`${event.data}`)) this.onmessage?.(event as never);
      note(this, 'message');
    };
    this.socket.onclose = (event) => {
      this.onclose?.(event as never);
      note(this, 'closed');
    };
    this.socket.onerror = (event) => this.onerror?.(event as never);
  }

  /** Whether it is open and every subscription has been answered. */
  get isSettled(): boolean {
    return (
      this.wasOpen &&
      this.unansweredAuth === 0 &&
      this.leaving.size === 0 &&
      [...this.topics.values()].every((isLive) => isLive)
    );
  }

  get isFlushed(): boolean {
    return this.unansweredFlushes === 0 && this.unansweredPings === 0;
  }

  send(text: string): void {
    const message: Message = JSON.parse(text);
    if (message.op === 'auth') this.unansweredAuth++;
    if (message.op === 'ping') this.unansweredPings++;
    if (message.op === 'subscribe') {
      this.topics.set(toKey(message), false);
      this.note(this, 'subscribed');
    }
    if (message.op === 'unsubscribe') {
      const key = toKey(message);
      this.topics.delete(key);
      this.leaving.set(key, (this.leaving.get(key) ?? 0) + 1);
    }
    this.socket.send(text);
  }

  close(): void {
    this.topics.clear();
    this.socket.close();
  }

  flush(): void {
    this.unansweredFlushes++;
    this.socket.send(FLUSH);
  }

  ping(): void {
    this.send(PING);
  }

  /** Notes what a message answers. @returns Whether it is the answer to `flush`, which no one else sees */
  private readAnswer(text: string): boolean {
    const message: Message = JSON.parse(text);
    const key = toKey(message);
    if (message.op === 'authenticated') this.unansweredAuth = 0;
    if (message.op === 'pong') this.unansweredPings--;
    if (message.op === 'unsubscribed') {
      const left = (this.leaving.get(key) ?? 1) - 1;
      if (left > 0) this.leaving.set(key, left);
      else this.leaving.delete(key);
    }
    if (message.op === 'snapshot' || message.op === 'update') {
      if (this.topics.has(key) && !this.leaving.has(key)) this.topics.set(key, true);
    }
    if (message.op !== 'error') return false;
    if (message.channel !== undefined) this.topics.delete(key);
    else if (this.unansweredFlushes > 0) {
      this.unansweredFlushes--;
      return true;
    } else {
      // The subscription that was asked for, one at a time.
      this.unansweredAuth = 0;
      for (const [topic, isLive] of this.topics) if (!isLive) this.topics.delete(topic);
    }
    return false;
  }
}

function toKey({ channel, symbol, interval }: Message): string {
  return `${channel} ${symbol ?? ''} ${interval ?? ''}`;
}
