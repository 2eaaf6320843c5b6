import type { Socket } from '../../src/gateway/stream/sockets/socket.ts';
import type { Streams } from '../../src/gateway/stream/streams.ts';

const LOCAL = { address: '127.0.0.1', origin: null, host: null };

/** The server's end of an in-process connection whose client reads only when the test lets it. */
export class UnreadSocket {
  readonly data;
  private readonly subscribed = new Set<string>();
  private unread: string[] = [];
  private isReading = true;
  private isClosed = false;

  /** @param take Called with each message that the client reads. */
  constructor(
    private readonly streams: Streams,
    private readonly take: (message: string) => void,
  ) {
    this.data = streams.connection(LOCAL);
  }

  /** Handles a message from the client. */
  receive(message: unknown): void {
    this.streams.message(this.socket, JSON.stringify(message));
  }

  /** Stops reading. Messages unread when the connection closes are lost. */
  pause(): void {
    this.isReading = false;
  }

  read(): void {
    this.isReading = true;
    const messages = this.unread;
    this.unread = [];
    for (const message of messages) this.take(message);
    if (messages.length > 0) this.streams.drain(this.socket);
  }

  send(message: string): number {
    if (this.isClosed) return 0;
    if (this.isReading) this.take(message);
    else this.unread.push(message);
    return message.length;
  }

  /** Delivers a message that the server publishes. */
  publish(topic: string, message: string): void {
    if (this.subscribed.has(topic)) this.send(message);
  }

  cork(callback: (this: Socket, socket: Socket) => void): void {
    callback.call(this.socket, this.socket);
  }

  getBufferedAmount(): number {
    return this.unread.reduce((sum, { length }) => sum + length, 0);
  }

  subscribe(topic: string): void {
    this.subscribed.add(topic);
  }

  unsubscribe(topic: string): void {
    this.subscribed.delete(topic);
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
