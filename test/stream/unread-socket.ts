import type { Socket } from '../../src/gateway/stream/socket.ts';
import type { Streams } from '../../src/gateway/stream/streams.ts';

const HERE = { address: '127.0.0.1', origin: null, host: null };

/** The server's end of a connection in this process; the other end reads when a test says so. */
export class UnreadSocket {
  readonly data;
  private readonly heard = new Set<string>();
  private unread: string[] = [];
  private isReading = true;
  private isClosed = false;

  /** @param take What the other end does with a message, once it has read it. */
  constructor(
    private readonly streams: Streams,
    private readonly take: (message: string) => void,
  ) {
    this.data = streams.connection(HERE);
  }

  /** A message from the other end. */
  receive(message: unknown): void {
    this.streams.message(this.socket, JSON.stringify(message));
  }

  /** What stays unread after this is lost when the connection ends. */
  pause(): void {
    this.isReading = false;
  }

  read(): void {
    this.isReading = true;
    const messages = this.unread;
    this.unread = [];
    for (const message of messages) this.take(message);
    if (messages.length > 0) this.streams.drained(this.socket);
  }

  send(message: string): number {
    if (this.isClosed) return 0;
    if (this.isReading) this.take(message);
    else this.unread.push(message);
    return message.length;
  }

  /** What the server publishes. */
  publish(topic: string, message: string): void {
    if (this.heard.has(topic)) this.send(message);
  }

  getBufferedAmount(): number {
    return this.unread.reduce((sum, { length }) => sum + length, 0);
  }

  subscribe(topic: string): void {
    this.heard.add(topic);
  }

  unsubscribe(topic: string): void {
    this.heard.delete(topic);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.unread = [];
    this.streams.close(this.socket);
  }

  private get socket(): Socket {
    return this as unknown as Socket;
  }
}
