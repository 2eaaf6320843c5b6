import { CheckedMessages } from './described.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages have many forms
type Message = any;

/** A client of the streams, over a real socket. Queues messages until they are read, and checks that they are described. */
export class StreamClient {
  readonly messages: Message[] = [];
  private readonly taken: Message[] = [];
  private book_: LocalBook | undefined;
  private wake = () => {};
  private readonly checked = new CheckedMessages();
  /** Why a message is not as the AsyncAPI document describes it. */
  private fault: unknown;
  readonly closed: Promise<number>;
  /** The reason that the exchange gave when it closed the socket. */
  closeReason = '';

  private constructor(private readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => {
        this.closeReason = reason;
        resolve(code);
      };
    });
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string);
      this.check(message);
      this.taken.push(message);
      if (this.book_ !== undefined && message.channel === 'orderbook') this.book_.take(message);
      else this.messages.push(message);
      this.wake();
    };
  }

  /** @param account The account that the socket selects; by default none. */
  static async open(
    port: number,
    headers: Record<string, string> = {},
    account?: string,
  ): Promise<StreamClient> {
    const query = account === undefined ? '' : `?account=${encodeURIComponent(account)}`;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws${query}`, { headers });
    const client = new StreamClient(socket);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    return client;
  }

  private check(message: Message): void {
    try {
      this.checked.noteReceived(message);
    } catch (error) {
      this.fault ??= error;
    }
  }

  send(message: unknown): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.checked.noteSent(text);
    this.socket.send(text);
  }

  async next(): Promise<Message> {
    await this.until(() => this.messages.length > 0);
    return this.messages.shift();
  }

  /** @throws Error if a message is not as described */
  async until(condition: () => boolean): Promise<void> {
    for (;;) {
      if (this.fault !== undefined) throw this.fault;
      if (condition()) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Returns the data of the last message of a channel. */
  latest(channel: string): Message {
    return this.taken.findLast((message) => message.channel === channel)?.data;
  }

  /** Returns how many messages of a channel have arrived. */
  count(channel: string): number {
    return this.taken.filter((message) => message.channel === channel).length;
  }

  /** Subscribes to a book and keeps it up to date. */
  async book(request: unknown): Promise<LocalBook> {
    const book = new LocalBook();
    this.book_ = book;
    this.send(request);
    await this.until(() => book.sequence >= 0);
    return book;
  }

  /** @throws Error if a message was not as described */
  close(): void {
    this.socket.close();
    if (this.fault !== undefined) throw this.fault;
  }
}

type Level = readonly [price: number, amount: number];

/** A book built from a snapshot and the updates after it. */
export class LocalBook {
  sequence = -1;
  /** Whether all parts of its snapshot have arrived. */
  isComplete = false;
  private readonly bids = new Map<number, number>();
  private readonly asks = new Map<number, number>();

  take({ op, sequence, prevSequence, data }: Message): void {
    if (op === 'update' && prevSequence !== this.sequence) {
      throw new Error(`update after ${prevSequence} received at ${this.sequence}`);
    }
    if (op === 'snapshot') {
      this.bids.clear();
      this.asks.clear();
    }
    this.sequence = sequence;
    if (data.complete !== undefined) this.isComplete = data.complete;
    put(this.bids, data.bids);
    put(this.asks, data.asks);
  }

  /** Returns the first difference from a book, undefined if equal. Faster than comparing `levels()`. */
  difference({
    bids,
    asks,
    sequence,
  }: {
    bids: Level[];
    asks: Level[];
    sequence: number;
  }): unknown {
    if (sequence !== this.sequence) return { sequence, own: this.sequence };
    const sizes = [bids.length, asks.length, this.bids.size, this.asks.size];
    if (sizes[0] !== sizes[2] || sizes[1] !== sizes[3]) return { sizes };
    const differs = (side: Map<number, number>) => {
      return ([price, amount]: Level) => side.get(price) !== amount;
    };
    return bids.find(differs(this.bids)) ?? asks.find(differs(this.asks));
  }

  sizes() {
    return { bids: this.bids.size, asks: this.asks.size };
  }

  levels() {
    const sorted = (side: Map<number, number>, sign: number) =>
      [...side].sort(([a], [b]) => sign * (a - b));
    return { bids: sorted(this.bids, -1), asks: sorted(this.asks, 1), sequence: this.sequence };
  }
}

function put(side: Map<number, number>, levels: readonly Level[]): void {
  for (const [price, amount] of levels) {
    if (amount === 0) side.delete(price);
    else side.set(price, amount);
  }
}
