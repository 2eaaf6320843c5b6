import { BinanceVenue, type Json } from '../binance/venue.ts';
import type { TestOptions } from '../http/exchange.ts';

/** A sandbox on a real socket, whose faults tests install. */
export class FaultBench {
  private constructor(readonly venue: BinanceVenue) {}

  static async open(options: TestOptions = {}): Promise<FaultBench> {
    return new FaultBench(await BinanceVenue.open(options));
  }

  get exchange() {
    return this.venue.exchange;
  }

  get url(): string {
    return this.venue.url.replace('/binance', '');
  }

  /** Installs a script, which must be accepted. @returns Its id */
  async add(faults: readonly object[], target: object = {}): Promise<string> {
    const body = JSON.stringify({ ...target, faults });
    const answer = await this.exchange.send('operator', 'POST', '/api/sandbox/faults', body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.data.script.id;
  }

  /** Removes all scripts. */
  async clear(): Promise<void> {
    await this.exchange.send('operator', 'DELETE', '/api/sandbox/faults');
  }

  /** Returns the faults that have happened. */
  async injected(query = ''): Promise<Json[]> {
    const path = `/api/sandbox/faults${query}`;
    return (await this.exchange.send('operator', 'GET', path)).data.injected;
  }

  /** Sends a request over the network. @returns Undefined if the connection ended without an answer */
  async send(
    name: string | undefined,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; json: Json } | undefined> {
    const own = name === undefined ? {} : this.exchange.headers(name);
    const type: Record<string, string> =
      body === undefined ? {} : { 'Content-Type': 'application/json' };
    try {
      const response = await fetch(`${this.url}${path}`, {
        method,
        headers: { ...own, ...type, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, json: await response.json() };
    } catch {
      return undefined;
    }
  }

  /** Opens `/ws` and authenticates. */
  async socket(name: string) {
    const bot = await this.venue.connect('/../ws');
    const { Authorization, 'X-API-Secret': apiSecret } = this.exchange.headers(name);
    bot.send({ op: 'auth', apiKey: Authorization!.slice('Bearer '.length), apiSecret });
    await bot.take((message) => message.op === 'authenticated');
    return bot;
  }

  /** Returns the number of open orders of an account. */
  openOrders(account: string): number {
    return this.exchange.state.accountsById.get(account)!.openOrders;
  }

  apiKey(name: string): string {
    return this.exchange.headers(name).Authorization!.slice('Bearer '.length);
  }

  close(): Promise<void> {
    return this.venue.close();
  }
}

/** A limit order far from the market, so that it rests. */
export const resting = (clientOrderId?: string) => ({
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  amount: 0.01,
  price: 45_000,
  ...(clientOrderId !== undefined && { clientOrderId }),
});
