/** The subset of the WebSocket interface that is used, common to browsers, Node, Bun and the package `ws`. */
export interface StreamSocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(): void;
}
export type StreamSocketClass = new (url: string) => StreamSocket;

export interface ConnectionEvents {
  readonly open: () => void;
  readonly message: (text: string) => void;
  /** A ping was not answered in time; another one is sent. */
  readonly silent: () => void;
  /** Called once, however the connection ended. */
  readonly close: (code: number, reason: string) => void;
}

/** Minimum interval between messages: 40 per second, of 50 that the exchange accepts. */
const SEND_INTERVAL_MS = 25;
/** WebSocket close code of a connection that ended without a close frame. */
const ABNORMAL_CLOSURE = 1006;

/** One connection, which paces messages to the exchange's limit and detects a dead peer by heartbeats. */
export class Connection {
  private readonly socket: StreamSocket;
  private readonly heartbeat: ReturnType<typeof setInterval>;
  private outbox: string[] = [];
  private sendTimer: ReturnType<typeof setTimeout> | undefined;
  /** Pings sent since the last message received. */
  private unanswered = 0;
  private isOpen = false;

  /** @param pingMs Ping interval. The connection is closed after two unanswered pings. */
  constructor(
    Socket: StreamSocketClass,
    url: string,
    pingMs: number,
    private readonly events: ConnectionEvents,
  ) {
    this.socket = new Socket(url);
    this.socket.onopen = () => {
      this.isOpen = true;
      this.unanswered = 0;
      events.open();
      this.drain();
    };
    this.socket.onmessage = ({ data }: { data: string }) => {
      this.unanswered = 0;
      events.message(data);
    };
    this.socket.onclose = ({ code, reason }: { code: number; reason: string }) =>
      this.end(code, reason);
    // An error is always followed by a close event.
    this.socket.onerror = () => {};
    this.heartbeat = setInterval(() => this.sendPing(), pingMs);
  }

  /** Whether messages wait for the limit of messages per second. */
  get hasUnsent(): boolean {
    return this.outbox.length > 0;
  }

  send(message: object): void {
    this.outbox.push(JSON.stringify(message));
    this.drain();
  }

  /** Sends an operation, which does not count against the limit of messages. Call it only after `open`. */
  sendOperation(text: string): void {
    this.socket.send(text);
  }

  /** Closes at once, without waiting for the peer, which may be gone. */
  close(): void {
    this.end(ABNORMAL_CLOSURE, 'heartbeat timeout');
  }

  private sendPing(): void {
    if (this.unanswered === 2) {
      this.close();
      return;
    }
    if (this.unanswered === 1) this.events.silent();
    this.unanswered++;
    this.send({ op: 'ping' });
  }

  private drain(): void {
    if (!this.isOpen || this.sendTimer !== undefined) return;
    const next = this.outbox.shift();
    if (next === undefined) return;
    this.socket.send(next);
    this.sendTimer = setTimeout(() => {
      this.sendTimer = undefined;
      this.drain();
    }, SEND_INTERVAL_MS);
  }

  private end(code: number, reason: string): void {
    if (this.socket.onclose === null) return;
    const { socket } = this;
    socket.onopen = socket.onmessage = socket.onclose = null;
    clearInterval(this.heartbeat);
    clearTimeout(this.sendTimer);
    this.isOpen = false;
    socket.close();
    this.events.close(code, reason);
  }
}
