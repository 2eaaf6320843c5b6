import { below, type Random } from '../../src/storage/seeded-random.ts';
import type { TestExchange } from './exchange.ts';

type Body = Record<string, unknown>;

const NAMES = ['alice', 'bob'] as const;

/** Random orders of every kind by alice and bob in BTC/USDT, around a price of 1000; the clock moves, but not always. */
export class RandomTrading {
  /** Ids of accepted orders, with their owners. */
  readonly placed: { readonly name: string; readonly orderId: string }[] = [];

  constructor(
    private readonly exchange: TestExchange,
    private readonly random: Random,
  ) {}

  /** Sends one request; rejections are part of the game. */
  async step(): Promise<void> {
    if (this.below(3) === 0) this.exchange.now += this.below(20_000);
    const kind = this.below(20);
    if (kind < 12) await this.place('/api/orders', this.order());
    else if (kind === 12) await this.place('/api/orders/oco', this.oco());
    else if (kind < 16) await this.cancel();
    else if (kind < 19) await this.amend();
    else await this.cancelAll();
  }

  private async place(path: string, body: Body): Promise<void> {
    const name = this.pick(NAMES);
    const answer = await this.exchange.send(name, 'POST', path, JSON.stringify(body));
    if (answer.status !== 200) return;
    const orders = 'orders' in answer.data ? answer.data.orders : [answer.data];
    for (const { orderId } of orders) this.placed.push({ name, orderId });
  }

  private order(): Body {
    const kind = this.below(12);
    const common = { symbol: 'BTC/USDT', side: this.side(), amount: this.amount() };
    const limit = { ...common, type: 'limit', price: this.price() };
    if (kind < 4) return limit;
    if (kind === 4) return { ...common, type: 'market' };
    if (kind === 5) return { ...limit, timeInForce: 'IOC' };
    if (kind === 6) return { ...limit, amount: 0.4, displayAmount: 0.1 };
    if (kind === 7) return { ...common, type: 'stop', triggerPrice: this.price() };
    if (kind === 8) {
      return { ...common, type: 'stop_limit', triggerPrice: this.price(), price: this.price() };
    }
    if (kind === 9) return { ...common, type: 'trailing_stop', trailingAmount: 3 };
    if (kind === 10) {
      const expiresAt = this.exchange.now + 1 + this.below(60_000);
      return { ...limit, timeInForce: 'GTD', expiresAt };
    }
    const rise = limit.side === 'buy' ? 1 : -1;
    return {
      ...limit,
      attached: {
        takeProfit: { price: limit.price + 5 * rise },
        stopLoss: { triggerPrice: limit.price - 5 * rise },
      },
    };
  }

  private oco(): Body {
    const side = this.side();
    const rise = side === 'sell' ? 1 : -1;
    return {
      symbol: 'BTC/USDT',
      side,
      amount: this.amount(),
      takeProfit: { price: 1000 + 8 * rise },
      stopLoss: { triggerPrice: 1000 - 8 * rise },
    };
  }

  private async cancel(): Promise<void> {
    if (this.placed.length === 0) return;
    const { name, orderId } = this.pick(this.placed.slice(-15));
    await this.exchange.send(name, 'DELETE', `/api/orders/${orderId}`);
  }

  private async amend(): Promise<void> {
    if (this.placed.length === 0) return;
    const { name, orderId } = this.pick(this.placed.slice(-15));
    const body = this.below(2) === 0 ? { amount: this.amount() } : { price: this.price() };
    await this.exchange.send(name, 'PATCH', `/api/orders/${orderId}`, JSON.stringify(body));
  }

  private async cancelAll(): Promise<void> {
    if (this.below(4) > 0) return;
    await this.exchange.send(this.pick(NAMES), 'DELETE', '/api/orders?all=true');
  }

  private side(): 'buy' | 'sell' {
    return this.below(2) === 0 ? 'buy' : 'sell';
  }

  private price(): number {
    return 990 + this.below(21);
  }

  private amount(): number {
    return (1 + this.below(5)) / 10;
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  private below(limit: number): number {
    return below(limit, this.random);
  }
}
