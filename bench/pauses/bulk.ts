import {
  type Command,
  CommandKind,
  type PlaceOrder,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import { NONE, OrderType, SelfTradePrevention, Side, TimeInForce } from '../../src/engine/terms.ts';
import { append } from './fill.ts';

/** Accounts of alice and bob in the sandbox, and the first one created here. */
const ALICE = 1;
const BOB = 2;
const FIRST = 3;
const FULL_ACCOUNTS = 5;
const ORDERS_PER_ACCOUNT = 2_000;
const DEADLINES = 1_000;
/** The reference price of the first market, and the trigger price. */
const MIDDLE = 11_800_000;
export const TRIGGER = MIDDLE - 100_000;
const AMOUNT = 1_000;

/**
 * Appends to the log of a stopped sandbox: 2,000 bracket orders each of alice and bob, 10,000 orders that
 * expire at `expireAt`, 1,000 accounts with deadlines at `deadlineAt`, and 10,000 stops that one price triggers.
 */
export function fillBulk(
  dataDirectory: string,
  expireAt: number,
  deadlineAt: number,
): Promise<void> {
  return append(dataDirectory, (time) => bulkCommands(expireAt, deadlineAt - time));
}

function bulkCommands(expireAt: number, timeoutMs: number): Command[] {
  const commands: Command[] = [];
  let next = FIRST;
  const open = (): number => {
    const accountId = `bulk-${next}`;
    commands.push({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    fund(next);
    return next++;
  };
  const fund = (owner: number) => {
    for (const asset of [0, 1]) {
      const terms = { owner, asset, amount: 1e15, reference: `bulk-${owner}-${asset}` };
      commands.push({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms, reason: 'bench' });
    }
  };
  for (const account of [ALICE, BOB]) {
    fund(account);
    for (let n = 0; n < ORDERS_PER_ACCOUNT; n++) {
      const order = limitOrder(account, Side.buy, MIDDLE - 200_000 - n);
      const takeProfit = { price: MIDDLE + 200_000, triggerPrice: 0 };
      const stopLoss = { price: 0, triggerPrice: MIDDLE - 300_000 };
      commands.push({ kind: CommandKind.placeBracket, order, attached: { takeProfit, stopLoss } });
    }
  }
  for (let account = 0; account < FULL_ACCOUNTS; account++) {
    const owner = open();
    for (let n = 0; n < ORDERS_PER_ACCOUNT; n++) {
      const gtd = { timeInForce: TimeInForce.gtd, expiresAt: expireAt };
      commands.push(limitOrder(owner, Side.sell, MIDDLE + 1_000 + n, gtd));
    }
  }
  for (let account = 0; account < DEADLINES; account++) {
    const owner = open();
    for (let n = 0; n < 5; n++) {
      commands.push(limitOrder(owner, Side.sell, MIDDLE + 5_000 + account));
    }
    const actor = { account: owner, key: NONE };
    commands.push({ kind: CommandKind.cancelAfter, ...actor, market: NONE, timeoutMs });
  }
  for (let account = 0; account < FULL_ACCOUNTS; account++) {
    const owner = open();
    for (let n = 0; n < ORDERS_PER_ACCOUNT; n++) {
      const stop = { type: OrderType.stopLimit, triggerPrice: TRIGGER + n };
      const order = limitOrder(owner, Side.sell, TRIGGER - 50_000, stop);
      commands.push({ ...order, kind: CommandKind.placeStopOrder } as Command);
    }
  }
  const buyer = open();
  commands.push(limitOrder(buyer, Side.buy, TRIGGER, { amount: AMOUNT * 20_000 }));
  return commands;
}

function limitOrder(
  account: number,
  side: Side,
  price: number,
  terms: Partial<PlaceOrder & { readonly triggerPrice: number }> = {},
): PlaceOrder {
  return {
    kind: CommandKind.placeOrder,
    account,
    key: NONE,
    market: 0,
    side,
    type: OrderType.limit,
    price,
    amount: AMOUNT,
    timeInForce: TimeInForce.gtc,
    postOnly: false,
    cost: 0,
    expiresAt: 0,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    clientOrderId: null,
    ...terms,
  };
}
