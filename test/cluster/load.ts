import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import type { Credential } from '../process/exchange-process.ts';
import type { ClusterNode } from './cluster.ts';
import type { Ask, Asked, History } from './history.ts';

/** Longer than any node's own timeout. */
const TIMEOUT_MS = 15_000;
/** Readers do not wait for a node that hangs, and avoid it for a while. */
const LOOK_TIMEOUT_MS = 2_000;
const SHUN_MS = 4_000;
const MAX_THINK_MS = 200;

export type Key = Pick<Credential, 'apiKey' | 'apiSecret'>;

export interface ClientOptions {
  readonly history: History;
  readonly nodes: readonly ClusterNode[];
  /** Keys of the client's account, which no other client uses. */
  readonly account: string;
  readonly key: Key;
  readonly seed: number;
  readonly isOver: () => boolean;
}

/** Uses one node until it does not answer or is overloaded, then another; reads from any of them. */
export class Client {
  protected readonly random: Random;
  private at: number;
  private shunned = { at: -1, until: 0 };

  constructor(
    protected readonly name: string,
    protected readonly options: ClientOptions,
  ) {
    this.random = seededRandom(options.seed);
    this.at = below(options.nodes.length, this.random);
  }

  /** Sends to the client's current node. */
  protected async send(ask: Ask, method: string, path: string, body?: object): Promise<Asked> {
    const asked = await this.sendBy(this.at, this.options.key, ask, method, path, body);
    if (asked.status === 0 || asked.status >= 500) {
      this.at = (this.at + 1 + below(2, this.random)) % this.options.nodes.length;
      // Respects Retry-After, but waits less in a test.
      await Bun.sleep(100 + below(300, this.random));
    }
    return asked;
  }

  protected async sendBy(
    at: number,
    key: Key,
    ask: Ask,
    method: string,
    path: string,
    body?: object,
  ): Promise<Asked> {
    const { history, nodes } = this.options;
    const timeoutMs = method === 'GET' ? LOOK_TIMEOUT_MS : TIMEOUT_MS;
    const sender = { client: this.name, node: nodes[at]!, key, timeoutMs };
    const asked = await history.send(sender, ask, method, path, body);
    if (asked.status === 0) this.shunned = { at, until: performance.now() + SHUN_MS };
    return asked;
  }

  /** Returns any node that did not hang recently. */
  protected get anyNode(): number {
    const { length } = this.options.nodes;
    const at = below(length, this.random);
    const isShunned = at === this.shunned.at && performance.now() < this.shunned.until;
    return isShunned ? (at + 1) % length : at;
  }

  protected think(): Promise<void> {
    return Bun.sleep(below(MAX_THINK_MS, this.random));
  }
}

/** Places, amends and cancels orders, half of which match, and reads them from other nodes. */
export class Trader extends Client {
  private count = 0;

  constructor(
    private readonly index: number,
    options: ClientOptions,
  ) {
    super(`trader ${index}`, options);
  }

  async run(): Promise<void> {
    while (!this.options.isOver()) {
      await this.think();
      await this.tradeOnce();
    }
  }

  private async tradeOnce(): Promise<void> {
    const placed = await this.place();
    if (placed.status !== 200) return;
    const { orderId, price, status } = JSON.parse(placed.data);
    await this.look(orderId);
    let cents = Math.round(price * 100);
    for (let changes = below(3, this.random); changes > 0 && status === 'open'; changes--) {
      await this.think();
      // An order never gets the same price twice, so that the price identifies each change.
      cents += 1 + below(300, this.random);
      await this.change(orderId, cents / 100);
      await this.look(orderId);
    }
    if (status !== 'open' || below(10, this.random) === 0) return;
    await this.think();
    const { account } = this.options;
    await this.send({ kind: 'cancel', account, orderId }, 'DELETE', `/api/orders/${orderId}`);
    await this.look(orderId);
  }

  private async place(): Promise<Asked> {
    const { account } = this.options;
    const { random, index } = this;
    const clientOrderId = `${index}-${++this.count}`;
    const body = {
      symbol: 'BTC/USDT',
      side: index % 2 === 0 ? 'buy' : 'sell',
      type: 'limit',
      amount: (1 + below(3, random)) / 10_000,
      price: 100_000 + below(10, random),
      timeInForce: below(4, random) === 0 ? 'IOC' : 'GTC',
      clientOrderId,
    };
    const ask = { kind: 'place', account, clientOrderId } as const;
    const asked = await this.send(ask, 'POST', '/api/orders', body);
    const isUnknown = asked.status === 0 || asked.code === 'OUTCOME_UNKNOWN';
    // After an unknown outcome, repeats the request with the same id, which returns the first order if there was one.
    if (!isUnknown || below(2, random) === 0) return asked;
    return this.send(ask, 'POST', '/api/orders', body);
  }

  private change(orderId: string, price: number): Promise<Asked> {
    const { account } = this.options;
    const ask = { kind: 'amend', account, orderId, price } as const;
    return this.send(ask, 'PATCH', `/api/orders/${orderId}`, { price });
  }

  /** Reads from any node. */
  private async look(orderId: string): Promise<void> {
    const { account, key } = this.options;
    const at = this.anyNode;
    const what = below(6, this.random);
    if (what === 0) {
      await this.sendBy(at, key, { kind: 'balances', account }, 'GET', '/api/portfolio/balances');
    } else if (what === 1) {
      const limit = 10;
      await this.sendBy(at, key, { kind: 'orders', account, limit }, 'GET', '/api/orders?limit=10');
    } else {
      const ask = { kind: 'order', account, orderId } as const;
      await this.sendBy(at, key, ask, 'GET', `/api/orders/${orderId}`);
    }
  }
}

/** Creates keys of an account, uses and revokes them, and uses them again on every node. */
export class KeyChanger extends Client {
  private count = 0;

  constructor(
    options: ClientOptions,
    private readonly owner: string,
  ) {
    super('key changer', options);
  }

  async run(): Promise<void> {
    while (!this.options.isOver()) {
      await this.changeOnce();
      await this.think();
    }
  }

  private async changeOnce(): Promise<void> {
    const { account } = this.options;
    const path = `/api/admin/accounts/${this.owner}/keys`;
    const body = { label: 'short', permissions: ['read', 'trade'] };
    const made = await this.send({ kind: 'makeKey', account }, 'POST', path, body);
    if (made.status !== 200) return;
    const { key, apiSecret } = JSON.parse(made.data);
    const short = { apiKey: key.apiKey as string, apiSecret: apiSecret as string };
    await this.use(short);
    // The key is in use while it is revoked.
    const using = this.use(short);
    const ask = { kind: 'revokeKey', account, revoked: short.apiKey } as const;
    await this.send(ask, 'DELETE', `${path}/${short.apiKey}`);
    await this.use(short);
    await using;
  }

  /** Reads and places orders on every node at once. */
  private async use(key: Key): Promise<void> {
    const uses = this.options.nodes.flatMap((_, at) => {
      const clientOrderId = `key-${++this.count}`;
      const order = {
        symbol: 'BTC/USDT',
        side: 'buy',
        type: 'limit',
        amount: 0.0001,
        price: 50_000,
        timeInForce: 'IOC',
        clientOrderId,
      };
      const account = this.owner;
      const place = { kind: 'place', account, clientOrderId } as const;
      const read = { kind: 'other', account } as const;
      return [
        this.sendBy(at, key, read, 'GET', '/api/portfolio/balances'),
        this.sendBy(at, key, place, 'POST', '/api/orders', order),
      ];
    });
    await Promise.all(uses);
  }
}
