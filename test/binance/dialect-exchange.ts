import { createHmac } from 'node:crypto';
import { BinanceSockets } from '../../src/gateway/binance/sockets/binance-sockets.ts';
import { type Listening, listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers have many forms
export type Json = any;

export type Values = Readonly<Record<string, string | number | boolean>>;

export interface HmacKey {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** The sandbox in this process with its Binance dialect, behind a real port. Accounts have keys that sign with HMAC. */
export class DialectExchange {
  readonly keys = new Map<string, HmacKey>();
  private readonly clients: DialectSocket[] = [];

  private constructor(
    readonly exchange: TestExchange,
    private readonly server: Listening,
  ) {}

  static async open(): Promise<DialectExchange> {
    const exchange = await TestExchange.open();
    const streams = new Streams(exchange.services, exchange.authorization);
    const config = { port: 0, host: '127.0.0.1', rateLimits: 'off', trustedProxies: [] } as const;
    const sockets = new BinanceSockets(exchange.binance!);
    exchange.onEvents = (events) => {
      streams.note(events);
      sockets.note(events);
    };
    const server = listen(exchange.gateway, config, streams, () => exchange.now, sockets);
    const dialect = new DialectExchange(exchange, server);
    for (const name of ['alice', 'bob']) await dialect.addKey(name, name);
    return dialect;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.server.port}/binance`;
  }

  get socketUrl(): string {
    return `ws://127.0.0.1:${this.server.port}/binance`;
  }

  /** Creates a key under `name`. */
  async addKey(name: string, account: string, terms: object = {}): Promise<void> {
    const body = { type: 'hmac', permissions: ['read', 'trade'], ...terms };
    const path = `/api/admin/accounts/${account}/keys`;
    const { data } = await this.exchange.send('operator', 'POST', path, JSON.stringify(body));
    this.keys.set(name, { apiKey: data.key.apiKey, apiSecret: data.apiSecret });
  }

  sign(name: string, text: string): string {
    return createHmac('sha256', this.keys.get(name)!.apiSecret).update(text).digest('hex');
  }

  /** Sends a signed request, or one with the key alone if `values` is undefined. */
  async send(name: string, method: string, path: string, values: Values): Promise<Json> {
    const { status, body } = await this.request(name, method, path, values);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async request(
    name: string,
    method: string,
    path: string,
    values: Values,
  ): Promise<{ status: number; body: Json }> {
    const query = toQuery({ ...values, timestamp: this.exchange.now });
    return this.fetch(name, method, `${path}?${query}&signature=${this.sign(name, query)}`);
  }

  /** Sends a request with the key and no signature. */
  async fetch(name: string, method: string, path: string): Promise<{ status: number; body: Json }> {
    const headers = { 'X-MBX-APIKEY': this.keys.get(name)!.apiKey };
    const response = await fetch(`${this.baseUrl}${path}`, { method, headers });
    return { status: response.status, body: await response.json() };
  }

  async socket(path: string): Promise<DialectSocket> {
    const client = await DialectSocket.open(this.socketUrl + path);
    this.clients.push(client);
    return client;
  }

  /** Opens the user data stream of an account by a listen key. */
  async userStream(name: string): Promise<DialectSocket> {
    const { body } = await this.fetch(name, 'POST', '/api/v3/userDataStream');
    return this.socket(`/ws/${body.listenKey}`);
  }

  /** Signs the parameters of a method of the WebSocket API. */
  signed(name: string, values: Values = {}): Values {
    const { apiKey } = this.keys.get(name)!;
    const all: Values = { ...values, apiKey, timestamp: this.exchange.now };
    const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
    const text = Object.entries(sorted).map(([field, value]) => `${field}=${value}`);
    return { ...all, signature: this.sign(name, text.join('&')) };
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.close();
    await this.server.stop();
    await this.exchange.close();
    if (this.exchange.failures.length > 0) throw this.exchange.failures[0];
  }
}

function toQuery(values: Values): string {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

/** A client of the dialect's sockets. */
export class DialectSocket {
  readonly messages: Json[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private wake = () => {};
  private nextId = 1;

  private constructor(private readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => resolve({ code, reason });
    });
    socket.onmessage = ({ data }) => {
      this.messages.push(JSON.parse(data as string));
      this.wake();
    };
  }

  static async open(url: string): Promise<DialectSocket> {
    const socket = new WebSocket(url);
    const client = new DialectSocket(socket);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    return client;
  }

  /** Calls a method of the WebSocket API. Returns its whole response. */
  async call(method: string, params: Values = {}): Promise<Json> {
    const id = this.nextId++;
    this.socket.send(JSON.stringify({ id, method, params }));
    return this.take((message) => message.id === id);
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  /** Waits for the first message that matches, and removes it. */
  async take(matches: (message: Json) => boolean = () => true): Promise<Json> {
    for (;;) {
      const at = this.messages.findIndex(matches);
      if (at >= 0) return this.messages.splice(at, 1)[0];
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Returns the messages up to the first one that matches, which is removed with them. */
  async takeUntil(matches: (message: Json) => boolean): Promise<Json[]> {
    const taken: Json[] = [];
    for (;;) {
      const message = await this.take();
      taken.push(message);
      if (matches(message)) return taken;
    }
  }

  close(): void {
    this.socket.close();
  }
}
