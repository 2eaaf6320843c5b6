/** Of the WebSocket classes of browsers, Node, Bun and packages: what is used of them. */
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
  /** A sign of life that was asked for has not come: it is asked for once more. */
  readonly silent: () => void;
  /** Once, however it ended. */
  readonly close: (code: number, reason: string) => void;
}

/** The exchange takes fifty messages a second. */
const SPACING_MS = 25;
/** Where a connection ends without a word. */
const ABNORMAL = 1006;

/** One connection: sends no faster than the exchange takes it, and notices when it is dead. */
export class Connection {
  private readonly socket: StreamSocket;
  private readonly pulse: ReturnType<typeof setInterval>;
  private outbox: string[] = [];
  private spacing: ReturnType<typeof setTimeout> | undefined;
  /** Signs of life that were asked for since one came. */
  private unanswered = 0;
  private isOpen = false;

  /** @param pingMs How often to ask for a sign of life: given up once two in a row have not come. */
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
    // It closes then, which says as much.
    this.socket.onerror = () => {};
    this.pulse = setInterval(() => this.beat(), pingMs);
  }

  send(message: object): void {
    this.outbox.push(JSON.stringify(message));
    this.drain();
  }

  /** Does not wait for the other end, which may be gone. */
  close(): void {
    this.end(ABNORMAL, 'no sign of life');
  }

  private beat(): void {
    if (this.unanswered === 2) {
      this.close();
      return;
    }
    if (this.unanswered === 1) this.events.silent();
    this.unanswered++;
    this.send({ op: 'ping' });
  }

  private drain(): void {
    if (!this.isOpen || this.spacing !== undefined) return;
    const next = this.outbox.shift();
    if (next === undefined) return;
    this.socket.send(next);
    this.spacing = setTimeout(() => {
      this.spacing = undefined;
      this.drain();
    }, SPACING_MS);
  }

  private end(code: number, reason: string): void {
    if (this.socket.onclose === null) return;
    const { socket } = this;
    socket.onopen = socket.onmessage = socket.onclose = null;
    clearInterval(this.pulse);
    clearTimeout(this.spacing);
    this.isOpen = false;
    socket.close();
    this.events.close(code, reason);
  }
}
