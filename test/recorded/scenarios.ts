import fc from 'fast-check';
import {
  type Command,
  CommandKind,
  type PlaceOrder,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import {
  NONE,
  OrderType,
  Permission,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { listCommands, START, scenario, type Timed } from '../reference/scenario.ts';

/** Returns the commands of a recording: every kind, random and in bulk. */
export function scenariosToRecord(): Timed[][] {
  const random = fc
    .sample(scenario(1200), { seed: 20_261_122, numRuns: 60 })
    .map(listCommands)
    .sort((a, b) => b.length - a.length)
    .slice(0, 12);
  return [bulk(), ...random];
}

const TRADER = { account: 1, key: 1 } as const;
const OTHER = { account: 2, key: 2 } as const;
const MARKET_RULES = {
  priceDecimals: 2,
  amountDecimals: 4,
  tick: 1,
  step: 1,
  minPrice: 1,
  maxPrice: 1_000_000,
  minAmount: 1,
  maxAmount: 1_000_000_000,
  minNotional: 0,
  makerFee: 800,
  takerFee: 1000,
  referencePrice: 10_000,
  collar: 0,
};

/** Returns commands of which each cancels, triggers or expires hundreds of orders. */
function bulk(): Timed[] {
  const timed: Timed[] = [];
  let time = START;
  let placed = 0;
  const add = (command: Command) => timed.push({ command, time });
  const place = (terms: Partial<PlaceOrder> & { readonly triggerPrice?: number }) => {
    const order = {
      kind: CommandKind.placeOrder,
      ...TRADER,
      market: 0,
      side: Side.buy,
      type: OrderType.limit,
      timeInForce: TimeInForce.gtc,
      postOnly: false,
      selfTradePrevention: SelfTradePrevention.expireMaker,
      price: 9000,
      amount: 10,
      cost: 0,
      expiresAt: 0,
      clientOrderId: `bulk-${placed++}`,
      ...terms,
    };
    add(order as Command);
  };
  add({ kind: CommandKind.open, version: ENGINE_VERSION, sandbox: false });
  for (const asset of ['A', 'B']) {
    add({ kind: CommandKind.createAsset, ...SYSTEM_ACTOR, asset, name: asset, decimals: 8 });
  }
  for (const [base, quote] of [
    ['A', 'B'],
    ['B', 'A'],
  ] as const) {
    const symbol = `${base}/${quote}`;
    add({ kind: CommandKind.listMarket, ...SYSTEM_ACTOR, symbol, base, quote, ...MARKET_RULES });
  }
  for (let owner = 0; owner <= 3; owner++) {
    const accountId = `account-${owner}`;
    add({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    const permissions = owner === 0 ? Permission.operate : Permission.trade;
    add({
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner,
      apiKey: `key-${owner}`,
      permissions,
      secretHash: new Uint8Array(32),
      label: '',
      addresses: [],
      expiresAt: 0,
    });
    for (let asset = 0; asset < 2; asset++) {
      const reference = `funds-${owner}-${asset}`;
      add({
        kind: CommandKind.transfer,
        ...SYSTEM_ACTOR,
        owner,
        asset,
        reference,
        amount: 10n ** 17n,
        reason: '',
      } as Command);
    }
  }
  for (let index = 0; index < 700; index++) place({ price: 9000 - (index % 90) });
  add({
    kind: CommandKind.cancelOrders,
    ...TRADER,
    market: NONE,
    clientOrderId: null,
    orderIds: Array.from({ length: 150 }, (_, index) => 1 + index * 2),
  });
  add({
    kind: CommandKind.cancelOrders,
    ...TRADER,
    market: 0,
    orderIds: null,
    clientOrderId: null,
  });
  time += 10;
  for (let index = 0; index < 400; index++) {
    place({ timeInForce: TimeInForce.gtd, expiresAt: time + 500 + (index % 5) * 40 });
  }
  time += 3000;
  add({ kind: CommandKind.tick });
  add({ kind: CommandKind.cancelAfter, ...TRADER, market: NONE, timeoutMs: 1000 });
  for (let index = 0; index < 500; index++) place({ market: index % 2 });
  time += 2000;
  add({ kind: CommandKind.tick });
  // A cascade: the first trade triggers a few hundred sells, which trade down through the bids.
  for (let index = 0; index < 350; index++) {
    place({
      kind: CommandKind.placeStopOrder as never,
      side: Side.sell,
      type: OrderType.stop,
      price: 0,
      triggerPrice: 9990 - (index % 7),
      amount: 3,
    });
  }
  for (let index = 0; index < 300; index++) place({ ...OTHER, price: 9990 - index });
  place({ account: 3, key: 3, side: Side.sell, price: 9980, amount: 25 });
  for (let index = 0; index < 6; index++) {
    time += 250;
    add({ kind: CommandKind.tick });
  }
  for (let index = 0; index < 300; index++) place({ ...OTHER, market: 1, price: 9000 - index });
  add({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 1 });
  add({
    kind: CommandKind.cancelOrdersOf,
    ...SYSTEM_ACTOR,
    owner: 2,
    market: NONE,
    orderIds: null,
    clientOrderId: null,
  });
  // Client order ids are forgotten after 25 hours, those of open orders later.
  for (let index = 0; index < 20; index++) place({});
  time += 26 * 3_600_000;
  add({ kind: CommandKind.tick });
  placed -= 20;
  for (let index = 0; index < 20; index++) place({ price: 8000 });
  return timed;
}
