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

/**
 * Writes a cascade into the log of a stopped sandbox: 20,000 stops that one price has triggered, and 24,000 that were
 * placed after it with triggers within it, when the last price had risen again. The cascade proceeds once the sandbox
 * starts, and its last order triggers all the late stops at once.
 */
export function fillLateStops(dataDirectory: string): Promise<void> {
  return append(dataDirectory, lateStopCommands);
}

function lateStopCommands(): Command[] {
  const commands: Command[] = [];
  const open = accountsIn(commands);
  const stops = (accounts: number, triggerPrice: number, terms: Partial<PlaceOrder>) => {
    for (let account = 0; account < accounts; account++) {
      const owner = open();
      for (let n = 0; n < ORDERS_PER_ACCOUNT; n++) {
        commands.push(stopOrder(owner, triggerPrice + (n % 1_000), terms));
      }
    }
  };
  // All of these expire, so that the price stays up, but the one that runs last.
  stops(10, TRIGGER + 1, { price: MIDDLE * 2, timeInForce: TimeInForce.ioc });
  const [buyer, seller] = [open(), open()];
  commands.push(stopOrder(seller, TRIGGER));
  commands.push(limitOrder(buyer, Side.buy, TRIGGER - 30_000, { amount: AMOUNT * 50_000 }));
  commands.push(limitOrder(buyer, Side.buy, TRIGGER));
  commands.push(limitOrder(seller, Side.sell, TRIGGER));
  commands.push(limitOrder(seller, Side.sell, TRIGGER + 50_000));
  commands.push(limitOrder(buyer, Side.buy, TRIGGER + 50_000));
  stops(12, TRIGGER + 20_000, {});
  return commands;
}

/** Returns a function that adds commands which create and fund an account, and returns its index. */
function accountsIn(commands: Command[]): () => number {
  let next = FIRST;
  return () => {
    const accountId = `bulk-${next}`;
    commands.push({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    commands.push(...funding(next));
    return next++;
  };
}

function funding(owner: number): Command[] {
  return [0, 1].map((asset) => {
    const terms = { owner, asset, amount: 1e15, reference: `bulk-${owner}-${asset}` };
    return { kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms, reason: 'bench' };
  });
}

function stopOrder(owner: number, triggerPrice: number, terms: Partial<PlaceOrder> = {}): Command {
  const stop = { type: OrderType.stopLimit, triggerPrice, ...terms };
  const order = limitOrder(owner, Side.sell, TRIGGER - 50_000, stop);
  return { ...order, kind: CommandKind.placeStopOrder } as Command;
}

function bulkCommands(expireAt: number, timeoutMs: number): Command[] {
  const commands: Command[] = [];
  const open = accountsIn(commands);
  for (const account of [ALICE, BOB]) {
    commands.push(...funding(account));
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
      commands.push(stopOrder(owner, TRIGGER + n));
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
