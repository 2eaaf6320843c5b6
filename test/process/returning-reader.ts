import type { Credential } from './exchange-process.ts';

/** Records per backfill message, except the last one, which may have fewer. */
const FULL_PAGE = 500;
const CHANNELS = ['orders', 'fills', 'balances', 'trades'] as const;

// biome-ignore lint/suspicious/noExplicitAny: records have many types
type Record = any;

/**
 * Reads an account's channels and a market's trades, disconnects at a random time and resumes with the
 * last sequence of each. Every message must follow the previous one.
 */
export class ReturningReader {
  readonly fills: Record[] = [];
  readonly trades: Record[] = [];
  readonly orders = new Map<string, Record>();
  readonly balances = new Map<string, Record>();
  connections = 0;
  /** Channels received over this connection, and whether the last message of each was a full page. */
  private readonly received = new Map<string, boolean>();
  private readonly sequences = new Map<string, number>();
  private failure: Error | undefined;

  constructor(
    readonly credential: Credential,
    private readonly symbol: string,
  ) {}

  /** Reads for some time, then closes or aborts the connection. */
  async read(baseUrl: string, forMs: number, abruptly: boolean): Promise<void> {
    const socket = await this.open(baseUrl);
    await Bun.sleep(forMs);
    if (abruptly) socket.terminate();
    await this.end(socket);
  }

  /** Reads everything from an idle exchange. */
  async readToEnd(baseUrl: string): Promise<void> {
    do {
      const socket = await this.open(baseUrl);
      while (
        this.failure === undefined &&
        CHANNELS.some((channel) => !this.received.has(channel))
      ) {
        await new Promise((resolve, reject) => {
          socket.addEventListener('message', resolve, { once: true });
          socket.onclose = () => reject(new Error('disconnected while it was reading'));
        });
      }
      await this.end(socket);
      // Only resuming shows a client whether anything follows a full page.
    } while ([...this.received.values()].includes(true));
  }

  private async open(baseUrl: string): Promise<WebSocket> {
    const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws`);
    socket.onmessage = ({ data }) => this.take(JSON.parse(data as string));
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    this.connections++;
    this.received.clear();
    const { apiKey, apiSecret } = this.credential;
    socket.send(JSON.stringify({ op: 'auth', apiKey, apiSecret }));
    for (const channel of CHANNELS) {
      const market = channel === 'trades' ? { symbol: this.symbol } : {};
      const sequence = this.sequences.get(channel);
      socket.send(JSON.stringify({ op: 'subscribe', channel, ...market, sequence }));
    }
    return socket;
  }

  private async end(socket: WebSocket): Promise<void> {
    if (socket.readyState !== WebSocket.CLOSED) {
      const closed = new Promise((resolve) => {
        socket.onclose = resolve;
      });
      socket.close();
      await closed;
    }
    if (this.failure !== undefined) throw this.failure;
  }

  private take({ op, channel, prevSequence, sequence, data, error }: Record): void {
    if (op === 'error') this.failure ??= new Error(JSON.stringify(error));
    if (op !== 'snapshot' && op !== 'update') return;
    const own = this.sequences.get(channel);
    const isNext = op === 'snapshot' ? own === undefined : prevSequence === own;
    if (!isNext) this.failure ??= new Error(`${channel}: ${op} after ${prevSequence} at ${own}`);
    this.sequences.set(channel, sequence);
    this.received.set(channel, data[channel].length === FULL_PAGE);
    for (const fill of data.fills ?? []) this.fills.push(fill);
    for (const trade of data.trades ?? []) this.trades.push(trade);
    for (const order of data.orders ?? []) this.orders.set(order.orderId, order);
    for (const balance of data.balances ?? []) this.balances.set(balance.asset, balance);
  }
}
