import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { NONE, OrderType, SelfTradePrevention, Side, TimeInForce } from '../../src/engine/terms.ts';

const MIDDLE = 11_800_000;
/** As many open orders as an account may have. */
export const HOLDER_ORDERS = 2000;

/** Seeded orders for BTC/USDT of the sandbox; levels are one tick apart. */
export class Flow {
  private holders = 0;

  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  /** One more account, which is to have the index `account`. */
  holder(account: number): Command[] {
    const accountId = `holder-${this.holders++}`;
    const transfer = (asset: number): Command => ({
      kind: CommandKind.transfer,
      ...SYSTEM_ACTOR,
      owner: account,
      asset,
      amount: 1e15,
      reference: `${accountId}-${asset}`,
      reason: 'test',
    });
    const create = { kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 };
    return [create, transfer(0), transfer(1)];
  }

  /** 1,000 levels a side of a holder, each the `spread`th of a price, beginning at `from` ticks. */
  levels(account: number, from: number, spread = 1): Command[] {
    return Array.from({ length: HOLDER_ORDERS }, (_, index) => {
      const side = index % 2 === 0 ? Side.buy : Side.sell;
      const away = 1000 + from + (index >> 1) * spread;
      return order(
        account,
        side,
        MIDDLE + (side === Side.buy ? -away : away),
        10_000 + this.below(90_000),
      );
    });
  }

  /** Ends all orders of a holder. */
  clear(account: number): Command {
    const actor = { account, key: NONE };
    return {
      kind: CommandKind.cancelOrders,
      ...actor,
      market: NONE,
      orderIds: null,
      clientOrderId: null,
    };
  }

  /** An order near the middle, which may trade. */
  near(account: number): Command {
    const side = this.below(2) === 0 ? Side.buy : Side.sell;
    return order(account, side, MIDDLE + this.below(600) - 300, 10_000 + this.below(90_000));
  }

  /** Orders of two accounts that trade with each other or with what is there. */
  trade(seller: number, buyer: number): Command[] {
    return [
      order(seller, Side.sell, MIDDLE, 10_000 + this.below(90_000)),
      order(buyer, Side.buy, MIDDLE + 400, 10_000),
    ];
  }
}

function order(account: number, side: Side, price: number, amount: number): Command {
  return {
    kind: CommandKind.placeOrder,
    account,
    key: NONE,
    market: 0,
    side,
    type: OrderType.limit,
    timeInForce: TimeInForce.gtc,
    postOnly: false,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    price,
    amount,
    cost: 0,
    expiresAt: 0,
    clientOrderId: null,
  };
}
