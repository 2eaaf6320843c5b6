import { connect, type Socket } from 'node:net';

const ANSWER_TIMEOUT_MS = 10_000;

/** A response, parsed by hand. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A TCP connection that sends arbitrary bytes and reads the answers one by one. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private isOver = false;
  private wake: () => void = () => {};

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]);
      this.wake();
    });
    // A reset counts as an end.
    socket.on('error', () => {});
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.isOver = true;
        this.wake();
      });
    }
  }

  static open(baseUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new RawConnection(socket)));
    });
  }

  send(...parts: (string | Uint8Array)[]): void {
    for (const part of parts) this.socket.write(part);
  }

  /** Half-closes the connection: sends nothing more, but still reads. */
  endSending(): void {
    this.socket.end();
  }

  /** Aborts the connection. */
  destroy(): void {
    this.socket.destroy();
  }

  /** Returns the next response; undefined if the connection ends first. */
  async receive(method = 'GET'): Promise<RawResponse | undefined> {
    for (;;) {
      const response = this.take(method);
      if (response !== undefined) return response;
      if (this.isOver) return undefined;
      await this.more();
    }
  }

  /** Returns the statuses of all answers until the server closes the connection. */
  async statuses(): Promise<number[]> {
    const found: number[] = [];
    for (let next = await this.receive(); next !== undefined; next = await this.receive()) {
      if (next.status !== 100) found.push(next.status);
    }
    this.destroy();
    return found;
  }

  private take(method: string): RawResponse | undefined {
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.received.toString('latin1', 0, end).split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
    const status = Number(first.split(' ')[1]);
    const hasBody = method !== 'HEAD' && status !== 100;
    const length = hasBody ? Number(headers.get('Content-Length') ?? 0) : 0;
    const start = end + 4;
    if (this.received.length < start + length) return undefined;
    const text = this.received.toString('utf8', start, start + length);
    this.received = this.received.subarray(start + length);
    return { status, headers, text };
  }

  private more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.destroy();
        reject(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`));
      }, ANSWER_TIMEOUT_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
