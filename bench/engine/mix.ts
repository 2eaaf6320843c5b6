import {
  type Command,
  CommandKind,
  type PlaceOrder,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import { ENGINE_VERSION, Exchange } from '../../src/engine/exchange.ts';
import {
  NONE,
  OrderStatus,
  OrderType,
  oppositeSide,
  Permission,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';

/**
 * The commands of the engine and recovery benches: 45 % orders that rest, 35 % cancels, 20 %
 * orders that cross, from accounts with funds and keys, on markets with random price walks.
 */

export const START = 1_790_000_000_000;
/** Number of commands with the same time, as in one batch. */
export const BATCH = 64;

const MIDDLE = 11_800_000;
/** Opens an exchange of funded accounts (account n with key n) and of markets with fees. */
export function genesis(
  accounts: number,
  markets: number,
  version: number = ENGINE_VERSION,
): Command[] {
  const commands: Command[] = [{ kind: CommandKind.open, version, sandbox: false }];
  const assets = ['USDT', ...Array.from({ length: markets }, (_, index) => `COIN${index}`)];
  for (const asset of assets) {
    const decimals = asset === 'USDT' ? 10 : 8;
    commands.push({ kind: CommandKind.createAsset, ...SYSTEM_ACTOR, asset, name: asset, decimals });
  }
  for (const base of assets.slice(1)) {
    commands.push({
      kind: CommandKind.listMarket,
      ...SYSTEM_ACTOR,
      symbol: `${base}/USDT`,
      base,
      quote: 'USDT',
      priceDecimals: 2,
      amountDecimals: 8,
      tick: 1,
      step: 1,
      minPrice: 1,
      maxPrice: 1e11,
      minAmount: 1,
      maxAmount: 1e15,
      minNotional: 1e8,
      makerFee: 800,
      takerFee: 1_000,
      collar: 100_000,
      referencePrice: MIDDLE,
    });
  }
  for (let owner = 0; owner < accounts; owner++) {
    commands.push({
      kind: CommandKind.createAccount,
      ...SYSTEM_ACTOR,
      accountId: `trader-${owner}`,
      limitClass: 1,
    });
    commands.push({
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner,
      apiKey: `key-${owner}`,
      secretHash: new Uint8Array(32).fill(owner),
      permissions: Permission.read + Permission.trade,
      label: 'bench',
      addresses: [],
      expiresAt: 0,
    });
    for (let asset = 0; asset < assets.length; asset++) {
      commands.push({
        kind: CommandKind.transfer,
        ...SYSTEM_ACTOR,
        owner,
        asset,
        amount: asset === 0 ? 5e15 : 1e14,
        reference: `funds-${owner}-${asset}`,
        reason: 'bench',
        // References must be unique.
        searchedBelow: owner * assets.length + asset + 1,
      });
    }
  }
  return commands;
}

export interface Mix {
  readonly accounts: number;
  readonly markets: number;
  readonly openOrders: number;
  /** Whether each order has a client order id. */
  readonly hasClientOrderIds?: boolean;
  /** Whether an account has a sub-account, which does not trade: the owner of every order is then looked up. */
  readonly hasSubAccounts?: boolean;
  /** Engine version; default: the newest. */
  readonly version?: number;
}

const OPEN_SUB_ACCOUNT: Command = {
  kind: CommandKind.createSubAccount,
  ...{ account: 0, key: NONE, accountId: 'sub', name: 'sub' },
};

/** Generates realistic commands from the state of a separate exchange that applies them. */
export class Traders {
  readonly exchange = new Exchange();
  private readonly random: Random = seededRandom(7);
  /** Ids and owners of orders that may still be open, in no order. */
  private readonly mayBeOpen: number[] = [];
  private readonly owners: number[] = [];
  private readonly middles: number[];
  private applied = 0;

  constructor(private readonly mix: Mix) {
    this.middles = Array.from({ length: mix.markets }, () => MIDDLE);
  }

  /** Commands that open the exchange and fill its books. */
  opening(): Command[] {
    const commands = genesis(this.mix.accounts, this.mix.markets, this.mix.version);
    if (this.mix.hasSubAccounts) commands.push(OPEN_SUB_ACCOUNT);
    for (const command of commands) this.apply(command);
    while (this.exchange.state.orders.size < this.mix.openOrders) {
      commands.push(this.apply(this.resting()));
    }
    return commands;
  }

  next(count: number): Command[] {
    return Array.from({ length: count }, () => this.apply(this.choose()));
  }

  private choose(): Command {
    const chance = this.random();
    if (chance < 0.45) return this.resting();
    return chance < 0.8 ? this.cancel() : this.crossing();
  }

  private apply(command: Command): Command {
    const outcome = this.exchange.apply(command, commandTime(this.applied++));
    if (outcome.kind === 'rejected') throw new Error(`a command was refused: ${outcome.code}`);
    if (outcome.kind === 'order' && outcome.order.status === OrderStatus.open) {
      this.mayBeOpen.push(outcome.order.id);
      this.owners[outcome.order.id] = outcome.order.account;
    }
    return command;
  }

  /** Returns a distance from the middle; small ones are more frequent. */
  private resting(): PlaceOrder {
    const side = this.random() < 0.5 ? Side.buy : Side.sell;
    const market = below(this.mix.markets, this.random);
    const away = 1 + Math.floor(2000 * this.random() ** 3);
    const price = this.middles[market]! + (side === Side.buy ? -away : away);
    return this.order(market, side, price, 1_000_000, TimeInForce.gtc);
  }

  /** Returns an order up to 20 ticks beyond the best price, of a size that keeps the books equally full. */
  private crossing(): Command {
    const side = this.random() < 0.5 ? Side.buy : Side.sell;
    const market = below(this.mix.markets, this.random);
    const { book } = this.exchange.state.markets[market]!;
    const best = book.bestPrice(oppositeSide(side));
    if (best === undefined) return this.resting();
    const price = best + (side === Side.buy ? 1 : -1) * below(20, this.random);
    this.middles[market] = best;
    return this.order(market, side, price, 400_000, TimeInForce.ioc);
  }

  private order(
    market: number,
    side: Side,
    price: number,
    maxAmount: number,
    timeInForce: number,
  ): PlaceOrder {
    const account = below(this.mix.accounts, this.random);
    return {
      kind: CommandKind.placeOrder,
      account,
      key: account,
      market,
      side,
      type: OrderType.limit,
      timeInForce,
      postOnly: false,
      selfTradePrevention: SelfTradePrevention.expireMaker,
      price,
      amount: 10_000 + below(maxAmount, this.random),
      cost: 0,
      expiresAt: 0,
      clientOrderId: this.mix.hasClientOrderIds ? `order-${this.applied}` : null,
    };
  }

  private cancel(): Command {
    const { mayBeOpen, owners } = this;
    const { index } = this.exchange.state;
    while (mayBeOpen.length > 0) {
      const place = below(mayBeOpen.length, this.random);
      const orderId = mayBeOpen[place]!;
      mayBeOpen[place] = mayBeOpen.at(-1)!;
      mayBeOpen.pop();
      if (index.find(orderId) === NONE) continue;
      const account = owners[orderId]!;
      return { kind: CommandKind.cancelOrder, account, key: account, orderId };
    }
    return this.resting();
  }
}

export function commandTime(index: number): number {
  return START + Math.floor(index / BATCH);
}
