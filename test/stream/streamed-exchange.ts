import { type Command, CommandKind } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import type { Market } from '../../src/engine/markets/markets.ts';
import { NONE, Side } from '../../src/engine/terms.ts';
import { listen } from '../../src/gateway/http/server.ts';
import type { Services } from '../../src/gateway/services.ts';
import type { Socket } from '../../src/gateway/stream/sockets/socket.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { MarketStatisticsBoard } from '../../src/replica/market-statistics.ts';
import { sandboxGenesis } from '../../src/sandbox/sandbox.ts';

const TICK: Command = { kind: CommandKind.tick };

/** The sandbox's engine behind real sockets, without a log or REST. Its clock is set by hand. */
export class StreamedExchange {
  now = Date.UTC(2026, 0, 5, 12);
  readonly exchange = new Exchange();
  private readonly statistics = new MarketStatisticsBoard();
  private readonly streams: Streams;
  private readonly server: ReturnType<typeof listen>;
  /** The server's ends of all connections. */
  readonly sockets: Socket[] = [];

  constructor() {
    const { exchange, statistics } = this;
    const services = { replica: { exchange }, statistics, now: () => this.now };
    const reject = () => {
      throw new Error('there are no keys here');
    };
    const authorization = {
      authorizeStream: reject,
      authorizeStreamBySession: reject,
      authorizeStreamBySignature: reject,
    };
    this.streams = new Streams(services as unknown as Services, authorization);
    const { readers } = this.streams;
    const open = readers.open.bind(readers);
    readers.open = (socket) => {
      this.sockets.push(socket);
      open(socket);
    };
    const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
    this.server = listen(
      { fetch: () => new Response(), delayFlood: async (_, __, refusal) => refusal },
      config,
      this.streams,
    );
    this.apply(sandboxGenesis());
  }

  get port(): number {
    return this.server.port;
  }

  get market(): Market {
    return this.exchange.state.markets[0]!;
  }

  /** Applies the commands of one batch. */
  apply(commands: readonly Command[]): void {
    for (const command of commands) {
      this.applyOne(command);
      // Ticks finish what a portion has left.
      while (this.exchange.nextDueTime <= this.exchange.state.time) this.applyOne(TICK);
    }
  }

  private applyOne(command: Command): void {
    this.exchange.apply(command, this.now);
    const events: readonly Event[] = this.exchange.events;
    this.statistics.note(events);
    this.streams.note(events);
  }

  /** Returns the best levels of BTC/USDT, as REST shows them. */
  book(depth = Infinity) {
    const { book, bookSequence } = this.market;
    const levels = (side: Side) => {
      const found: [price: number, amount: number][] = [];
      let level = book.bestLevel(side);
      for (; level !== NONE && found.length < depth; level = book.nextLevel(level)) {
        found.push([book.levelPrice(level) / 1e2, Number(book.levelTotal(level)) / 1e8]);
      }
      return found;
    };
    return { bids: levels(Side.buy), asks: levels(Side.sell), sequence: bookSequence };
  }

  close(): Promise<void> {
    return this.server.stop();
  }
}
