import { Dialect } from '../../src/gateway/binance/dialect.ts';
import { BinanceSockets } from '../../src/gateway/binance/sockets/binance-sockets.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange, type TestOptions } from '../http/exchange.ts';
import { StreamBot } from './stream-bot.ts';

/** A sandbox on a real socket with the Binance dialect. */
export class BinanceVenue {
  private readonly bots: StreamBot[] = [];

  private constructor(
    readonly exchange: TestExchange,
    readonly server: ReturnType<typeof listen>,
    /** The exchange's own streams. */
    readonly streams: Streams,
  ) {}

  static async open(options: TestOptions = {}): Promise<BinanceVenue> {
    const { rateLimits = 'off' } = options;
    const exchange = await TestExchange.open({ ...options, rateLimits });
    const { services, authorization } = exchange;
    const streams = new Streams(services, authorization);
    const sockets = new BinanceSockets(new Dialect(services, authorization));
    exchange.onEvents = (events) => {
      streams.note(events);
      sockets.note(events);
    };
    const config = { port: 0, host: '127.0.0.1', rateLimits, trustedProxies: [] };
    const { now } = services;
    return new BinanceVenue(
      exchange,
      listen(exchange.gateway, config, streams, now, sockets),
      streams,
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/binance`;
  }

  /** Sends a public request to the REST API. */
  async get(path: string): Promise<{ status: number; headers: Headers; json: Json }> {
    const response = await fetch(`${this.url}${path}`);
    return { status: response.status, headers: response.headers, json: await response.json() };
  }

  /** Opens a socket below /binance. */
  async connect(path: string): Promise<StreamBot> {
    const bot = await StreamBot.open(`${this.url.replace('http', 'ws')}${path}`);
    this.bots.push(bot);
    return bot;
  }

  /** Trades an amount of BTC at a price, which bob buys if he is the taker, else sells. */
  async trade(price: number, amount: number | string, taker: 'buy' | 'sell' = 'buy') {
    const maker = taker === 'buy' ? 'sell' : 'buy';
    await this.order('alice', maker, price, amount);
    await this.order('bob', taker, price, amount);
  }

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
  }
}

// biome-ignore lint/suspicious/noExplicitAny: responses have many forms
export type Json = any;

/** Returns the names and types of a value: those of a decimal text, an integer, and so on. Empty arrays are `any`. */
export function toForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toForm);
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? 'decimal' : 'text';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toForm(each)]));
}
