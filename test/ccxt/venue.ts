import { buttonwood } from '../../src/client/ccxt/index.ts';
import { SocketFaults } from '../../src/gateway/faults/socket-faults.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange, type TestOptions } from '../http/exchange.ts';
import { SocketBot } from './socket-bot.ts';

/** A sandbox on a real socket, and CCXT bots that trade there. */
export class Venue {
  private readonly bots: buttonwood[] = [];

  private constructor(
    readonly exchange: TestExchange,
    readonly server: ReturnType<typeof listen>,
  ) {}

  static async open(options: TestOptions = {}): Promise<Venue> {
    const { rateLimits = 'off' } = options;
    const exchange = await TestExchange.open({ ...options, rateLimits });
    const streams = new Streams(exchange.services, exchange.authorization);
    exchange.onEvents = (events) => streams.note(events);
    const config = { port: 0, host: '127.0.0.1', rateLimits, trustedProxies: [] };
    const { faults, now } = exchange.services;
    const sockets = faults && new SocketFaults(faults);
    return new Venue(
      exchange,
      listen(exchange.gateway, config, streams, now, undefined, undefined, sockets),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Returns a CCXT exchange with the key of the given name, or without a key. */
  bot(name?: string, options: Record<string, unknown> = {}): buttonwood {
    const headers = name === undefined ? undefined : this.exchange.headers(name);
    const Bot =
      process.env.TEST_TRANSPORT === 'socket' && name !== undefined ? SocketBot : buttonwood;
    const bot = new Bot({
      urls: { api: this.url },
      enableRateLimit: false,
      ...(headers && {
        apiKey: headers.Authorization!.slice('Bearer '.length),
        secret: headers['X-API-Secret'],
      }),
      ...options,
    });
    this.bots.push(bot);
    return bot;
  }

  async close(): Promise<void> {
    await Promise.all(this.bots.map((bot) => bot.close()));
    await this.server.stop();
    await this.exchange.close();
  }
}
