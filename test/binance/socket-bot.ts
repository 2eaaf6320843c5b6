import type { Json, Values } from './venue.ts';

const TIMEOUT_MS = 5000;

/** A client of the dialect's sockets, which keeps every message that it gets. */
export class SocketBot {
  readonly messages: Json[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private wake = () => {};
  private nextId = 1;

  private constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => resolve({ code, reason });
    });
    socket.onmessage = ({ data }) => {
      this.messages.push(JSON.parse(data as string));
      this.wake();
    };
  }

  static async open(url: string): Promise<SocketBot> {
    const bot = new SocketBot(new WebSocket(url));
    await new Promise((resolve, reject) => {
      bot.socket.onopen = resolve;
      bot.socket.onerror = reject;
    });
    return bot;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends a request and returns its response. */
  async ask(message: Record<string, unknown>): Promise<Json> {
    this.send(message);
    return this.find((response) => 'id' in response && response.id === message.id);
  }

  /** Calls a method of the WebSocket API. Returns its whole response, and keeps the events before it. */
  async call(method: string, params: Values = {}): Promise<Json> {
    const id = this.nextId++;
    this.send({ id, method, params });
    return this.take((message) => message.id === id);
  }

  /** Returns the first message, from now on or before, that meets a condition, and drops it with those before it. */
  async find(condition: (message: Json) => boolean): Promise<Json> {
    const found = await this.keep(condition);
    this.messages.splice(0, this.messages.indexOf(found) + 1);
    return found;
  }

  /** Returns the first message, from now on or before, that meets a condition, and drops it alone. */
  async take(condition: (message: Json) => boolean = () => true): Promise<Json> {
    const found = await this.keep(condition);
    this.messages.splice(this.messages.indexOf(found), 1);
    return found;
  }

  /** Returns the messages up to the first one that meets a condition, and drops them. */
  async takeUntil(condition: (message: Json) => boolean): Promise<Json[]> {
    const found = await this.keep(condition);
    return this.messages.splice(0, this.messages.indexOf(found) + 1);
  }

  /** Returns the first message, from now on or before, that meets a condition. */
  async keep(condition: (message: Json) => boolean): Promise<Json> {
    const until = performance.now() + TIMEOUT_MS;
    for (;;) {
      const found = this.messages.find(condition);
      if (found !== undefined) return found;
      const leftMs = until - performance.now();
      if (leftMs <= 0) throw new Error(`no such message: ${JSON.stringify(this.messages)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.socket.close();
  }
}
