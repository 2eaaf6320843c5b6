import { createHmac } from 'node:crypto';
import { BinanceSockets } from '../../src/gateway/binance/sockets/binance-sockets.ts';
import { SocketFaults } from '../../src/gateway/faults/socket-faults.ts';
import { type Listening, listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange, type TestOptions } from '../http/exchange.ts';
import { SocketBot } from './socket-bot.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses have many forms
export type Json = any;

export type Values = Readonly<Record<string, string | number | boolean>>;

/** Further headers of a request. */
type Headings = Readonly<Record<string, string>>;

export interface HmacKey {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** A sandbox on a real socket with the Binance dialect. Accounts have keys that sign with HMAC. */
export class BinanceVenue {
  readonly keys = new Map<string, HmacKey>();
  private readonly bots: SocketBot[] = [];

  private constructor(
    readonly exchange: TestExchange,
    readonly server: Listening,
    /** The exchange's own streams. */
    readonly streams: Streams,
    readonly sockets: BinanceSockets,
  ) {}

  static async open(options: TestOptions = {}): Promise<BinanceVenue> {
    const { rateLimits = 'off' } = options;
    const exchange = await TestExchange.open({ ...options, rateLimits });
    const { services, authorization } = exchange;
    const streams = new Streams(services, authorization);
    const sockets = new BinanceSockets(exchange.binance!, streams.metrics.dropped);
    exchange.onEvents = (events) => {
      streams.note(events);
      sockets.note(events);
    };
    const config = { port: 0, host: '127.0.0.1', rateLimits, trustedProxies: [] };
    const { faults } = services;
    const server = listen(
      exchange.gateway,
      config,
      streams,
      services.now,
      sockets,
      undefined,
      faults && new SocketFaults(faults),
    );
    const venue = new BinanceVenue(exchange, server, streams, sockets);
    for (const name of ['alice', 'bob']) await venue.addKey(name, name);
    return venue;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/binance`;
  }

  get socketUrl(): string {
    return this.url.replace('http', 'ws');
  }

  /** Sends a public request to the REST API. */
  async get(
    path: string,
    more: Headings = {},
  ): Promise<{ status: number; headers: Headers; json: Json }> {
    const response = await fetch(`${this.url}${path}`, { headers: more });
    return { status: response.status, headers: response.headers, json: await response.json() };
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

  /** Sends a signed request, which must succeed. Returns the answer. */
  async send(name: string, method: string, path: string, values: Values): Promise<Json> {
    const { status, body } = await this.request(name, method, path, values);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Sends a signed request. */
  async request(
    name: string,
    method: string,
    path: string,
    values: Values,
    more: Headings = {},
  ): Promise<{ status: number; body: Json }> {
    const query = toQuery({ ...values, timestamp: this.exchange.now });
    return this.fetch(name, method, `${path}?${query}&signature=${this.sign(name, query)}`, more);
  }

  /** Sends a request with the key and no signature. */
  async fetch(
    name: string,
    method: string,
    path: string,
    more: Headings = {},
  ): Promise<{ status: number; body: Json }> {
    const headers = { ...more, 'X-MBX-APIKEY': this.keys.get(name)!.apiKey };
    const response = await fetch(`${this.url}${path}`, { method, headers });
    return { status: response.status, body: await response.json() };
  }

  /** Signs the parameters of a method of the WebSocket API. */
  signed(name: string, values: Values = {}): Values {
    const { apiKey } = this.keys.get(name)!;
    const all: Values = { ...values, apiKey, timestamp: this.exchange.now };
    const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = sorted.map(([field, value]) => `${field}=${value}`).join('&');
    return { ...all, signature: this.sign(name, text) };
  }

  /** Opens a socket below /binance. */
  async connect(path: string): Promise<SocketBot> {
    const bot = await SocketBot.open(this.socketUrl + path);
    this.bots.push(bot);
    return bot;
  }

  /** Opens the user data stream of an account by a listen key. */
  async userStream(name: string): Promise<SocketBot> {
    const { body } = await this.fetch(name, 'POST', '/api/v3/userDataStream');
    return this.connect(`/ws/${body.listenKey}`);
  }

  /** Trades an amount of BTC at a price, which bob buys if he is the taker, else sells. */
  async trade(price: number, amount: number | string, taker: 'buy' | 'sell' = 'buy') {
    const maker = taker === 'buy' ? 'sell' : 'buy';
    await this.order('alice', maker, price, amount);
    await this.order('bob', taker, price, amount);
  }

  /** Places a limit order for BTC by the native API. */
  async order(name: string, side: 'buy' | 'sell', price: number, amount: number | string) {
    const text = `{"symbol":"BTC/USDT","type":"limit","side":"${side}","price":${price},"amount":${amount}}`;
    const answer = await this.exchange.place(name, text);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.data;
  }

  async close(): Promise<void> {
    for (const bot of this.bots) bot.close();
    await this.server.stop();
    await this.exchange.close();
    if (this.exchange.failures.length > 0) throw this.exchange.failures[0];
  }
}

function toQuery(values: Values): string {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

/** Returns the names and types of a value: those of a decimal text, an integer, and so on. Empty arrays are `any`. */
export function toForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toForm);
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? 'decimal' : 'text';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toForm(each)]));
}
