import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { NONE, Side } from '../../src/engine/terms.ts';
import { limitOrder } from '../../src/testing/test-exchange.ts';

const MIDDLE = 11_800_000;
/** Maximum open orders per account. */
export const ACCOUNT_ORDERS = 2000;

/** Generates seeded orders for the sandbox's BTC/USDT. */
export class Flow {
  private accounts = 0;

  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  /** Returns the commands that open and fund one more account. @param account The index that it will get. */
  openAccount(account: number): Command[] {
    const accountId = `trader-${this.accounts++}`;
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

  /** Returns orders at 1,000 levels a side, `spread` ticks apart, the first 1000 + `from` ticks from the middle. */
  levels(account: number, from: number, spread = 1): Command[] {
    return Array.from({ length: ACCOUNT_ORDERS }, (_, index) => {
      const side = index % 2 === 0 ? Side.buy : Side.sell;
      const away = 1000 + from + (index >> 1) * spread;
      return limitOrder(
        account,
        side,
        MIDDLE + (side === Side.buy ? -away : away),
        10_000 + this.below(90_000),
      );
    });
  }

  /** Cancels all orders of an account. */
  clear(account: number): Command {
    return {
      kind: CommandKind.cancelOrders,
      account,
      key: NONE,
      market: NONE,
      orderIds: null,
      clientOrderId: null,
    };
  }

  /** Returns an order near the middle, which may trade. */
  near(account: number): Command {
    const side = this.below(2) === 0 ? Side.buy : Side.sell;
    return limitOrder(account, side, MIDDLE + this.below(600) - 300, 10_000 + this.below(90_000));
  }

  /** Returns orders of two accounts that trade with each other or with the book. */
  trade(seller: number, buyer: number): Command[] {
    return [
      limitOrder(seller, Side.sell, MIDDLE, 10_000 + this.below(90_000)),
      limitOrder(buyer, Side.buy, MIDDLE + 400, 10_000),
    ];
  }
}
