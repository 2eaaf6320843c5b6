import {
  type Actor,
  CancelCondition,
  CommandKind,
  type ExecuteBy,
  type PlaceBracket,
  type PlaceOco,
  type PlacingCommand,
  SYSTEM_ACTOR,
  type Trailing,
} from '../../src/engine/command.ts';
import { MAX_REMEMBERED, MAX_SIGNATURE_LIFETIME_MS } from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { NONE, OrderType, Permission, Side, TimeInForce } from '../../src/engine/terms.ts';
import type { Timed } from '../reference/scenario.ts';
import {
  CommandList,
  limitOrder,
  type OrderTerms,
  OTHER,
  stopOrder,
  THIRD,
  TRADER,
} from './command-list.ts';

/** The key that `addSignedKey` creates. */
const SIGNED = { account: TRADER.account, key: 4 } as const;

const HUNDRED: Trailing = { amount: 100, basisPoints: 0, activationPrice: 0 };
const TWO_PERCENT: Trailing = { amount: 0, basisPoints: 200, activationPrice: 0 };

/**
 * Returns trailing stops, icebergs, OCO and bracket orders with both, orders of connections that end in each way, and
 * signed requests. Some orders of every kind stay open from beginning to end, so that snapshots contain them.
 */
export function specialOrders(): readonly Timed[] {
  const list = new CommandList();
  list.begin();
  addSignedKey(list);
  const connection = connect(list, THIRD, 'standing');
  for (const command of oneOfEachKind(THIRD)) {
    list.accept({ kind: CommandKind.placeOnConnection, connection, command });
  }
  signRequests(list);
  limitTime(list);
  reduce(list);
  trail(list);
  showParts(list);
  linkOrders(list);
  list.accept(renewal('standing'));
  endConnections(list);
  forgetSignatures(list);
  addHmacKeys(list);
  list.accept({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'signed' });
  list.reject(limitOrder(SIGNED), RejectionCode.unauthorized);
  for (const command of oneOfEachKind(OTHER)) list.accept(command);
  list.accept({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 });
  list.tick(250);
  return list.timed;
}

/**
 * Returns orders of one account under more client order ids than the engine remembers, and of another account under
 * some of the same ids.
 */
export function forgottenClientOrderIds(): readonly Timed[] {
  const list = new CommandList();
  list.begin();
  const ended = { timeInForce: TimeInForce.ioc };
  const place = (clientOrderId: string, terms: OrderTerms = {}) =>
    limitOrder({ ...ended, clientOrderId, ...terms });
  list.accept(place('open', { timeInForce: TimeInForce.gtc }));
  for (let index = 0; index < 50; index++) list.accept(place(`${index}`, OTHER));
  for (let index = 0; index < MAX_REMEMBERED.clientOrderIds + 100; index++) {
    // A minute of orders, then the next.
    if (index % 500 === 0) list.time += 60_000;
    list.accept(place(`${index}`, { searchedBelow: list.exchange.state.nextOrderId }));
  }
  const searchedBelow = list.exchange.state.nextOrderId;
  list.reject(place('0'), RejectionCode.needsHistory);
  list.reject(place('new'), RejectionCode.needsHistory);
  list.reject(place('new', { searchedBelow: 1 }), RejectionCode.needsHistory);
  list.accept(place('new', { searchedBelow }));
  list.accept(place(`${MAX_REMEMBERED.clientOrderIds}`, { searchedBelow }));
  list.reject(place('open', { price: 8000 }), RejectionCode.duplicateClientOrderId);
  list.accept(place('0', OTHER));
  list.tick(26 * 3_600_000);
  for (let index = 0; index < 100; index++) list.accept(place(`${index}`));
  list.reject(place('open', { price: 8000 }), RejectionCode.duplicateClientOrderId);
  return list.timed;
}

/** Adds orders at which no price of the scenario arrives, so that they stay open: one of each new kind. */
function oneOfEachKind(actor: Actor): PlacingCommand[] {
  const far = { ...actor, side: Side.sell, price: 500_000, amount: 100 };
  const waiting = { ...HUNDRED, activationPrice: 400_000 };
  return [
    limitOrder({ ...far, displayAmount: 10, clientOrderId: 'iceberg' }),
    trailingStop({ ...actor, trailing: waiting, clientOrderId: 'trailing' }),
    trailingStop({ ...actor, trailing: { amount: 9_000, basisPoints: 0, activationPrice: 0 } }),
    trailingStop({ ...actor, trailing: { amount: 0, basisPoints: 4_000, activationPrice: 0 } }),
    oco({ ...far, clientOrderId: 'oco' }, 20, { ...TWO_PERCENT, activationPrice: 400_000 }),
    bracket({ ...far, displayAmount: 25 }, 400_000, TWO_PERCENT),
  ];
}

function trailingStop(terms: OrderTerms): PlacingCommand {
  return stopOrder({ side: Side.sell, type: OrderType.trailingStop, ...terms });
}

/** Returns an OCO order: an iceberg that takes profit and a trailing stop. */
function oco(terms: OrderTerms, displayAmount: number, trailing: Trailing): PlaceOco {
  const { account, key, market, side, price, amount, ...rest } = limitOrder({
    side: Side.sell,
    ...terms,
  });
  const { selfTradePrevention, expiresAt, clientOrderId } = rest;
  return {
    kind: CommandKind.placeOco,
    ...{ account, key, market, side, amount, selfTradePrevention, expiresAt, clientOrderId },
    takeProfit: { price, triggerPrice: 0, displayAmount },
    stopLoss: { price: 0, triggerPrice: 0, trailing },
  };
}

/** Returns a bracket order with a take profit at `target` and a trailing stop. */
function bracket(terms: OrderTerms, target: number, trailing: Trailing): PlaceBracket {
  return {
    kind: CommandKind.placeBracket,
    order: limitOrder(terms),
    attached: {
      takeProfit: { price: target, triggerPrice: 0 },
      stopLoss: { price: 0, triggerPrice: 0, trailing },
    },
  };
}

/** Trades one unit at a price, which becomes the last price. Nothing may rest between it and the last one. */
function trade(list: CommandList, price: number): void {
  list.accept(limitOrder({ ...OTHER, side: Side.sell, price, amount: 1 }));
  list.accept(limitOrder({ ...THIRD, price, amount: 1, timeInForce: TimeInForce.ioc }));
}

/** Moves the last price so that trailing stops follow it, and triggers some of them both ways. */
function trail(list: CommandList): void {
  trade(list, 10_000);
  const bids = list.accept(limitOrder({ ...OTHER, price: 9_000, amount: 1_000 }));
  const asks = list.accept(limitOrder({ ...OTHER, side: Side.sell, price: 11_000, amount: 1_000 }));
  const activationPrice = 10_150;
  const sells = [HUNDRED, TWO_PERCENT, { ...HUNDRED, activationPrice }].map((trailing) =>
    placedId(list, trailingStop({ trailing })),
  );
  amend(list, sells[0]!, { trailing: { ...HUNDRED, amount: 80 } });
  for (const price of [10_050, 10_020, 10_200, 10_180]) trade(list, price);
  amend(list, sells[1]!, { trailing: { ...TWO_PERCENT, basisPoints: 150 }, amount: 8 });
  for (const trailing of [HUNDRED, TWO_PERCENT]) {
    list.accept(trailingStop({ side: Side.buy, trailing, timeInForce: TimeInForce.gtc }));
  }
  const expiresAt = list.time + 400;
  list.accept(trailingStop({ trailing: TWO_PERCENT, timeInForce: TimeInForce.gtd, expiresAt }));
  for (const price of [10_110, 10_040, 9_990, 9_900, 9_950, 10_090, 10_120]) trade(list, price);
  list.tick(500);
  for (const outcome of [bids, asks]) cancel(list, OTHER, outcome);
  trade(list, 10_000);
}

/** Takes from icebergs, whose shown parts go to the end of the queue, and amends them. */
function showParts(list: CommandList): void {
  const price = 10_100;
  const at = { side: Side.sell, price };
  const first = placedId(list, limitOrder({ ...at, amount: 100, displayAmount: 10 }));
  const second = placedId(list, limitOrder({ ...OTHER, ...at, amount: 90, displayAmount: 30 }));
  list.accept(limitOrder({ ...OTHER, ...at, amount: 15 }));
  const take = (amount: number, terms: OrderTerms = {}) =>
    list.accept(limitOrder({ ...THIRD, price, amount, timeInForce: TimeInForce.ioc, ...terms }));
  for (const amount of [4, 6, 33, 20]) take(amount);
  amend(list, first, { displayAmount: 5 });
  amend(list, first, { amount: 80 });
  take(21);
  amend(list, first, { displayAmount: 12, price: 10_090 });
  take(30, { price: 10_090 });
  take(50);
  // The rest of an iceberg that trades when placed is shown in parts too.
  const taker = placedId(list, limitOrder({ ...THIRD, price, amount: 200, displayAmount: 50 }));
  const expiresAt = list.time + 300;
  const gtd = { timeInForce: TimeInForce.gtd, expiresAt };
  list.accept(limitOrder({ price: 10_050, amount: 40, displayAmount: 8, ...gtd }));
  list.accept(limitOrder({ ...OTHER, side: Side.sell, price: 10_050, amount: 70 }));
  list.tick(1000);
  list.add({ kind: CommandKind.cancelOrder, ...THIRD, orderId: taker });
  list.add({ kind: CommandKind.cancelOrder, ...OTHER, orderId: second });
  cancelAll(list, OTHER);
  cancelAll(list, TRADER);
  trade(list, 10_000);
}

/** Ends OCO and bracket orders by either leg. */
function linkOrders(list: CommandList): void {
  const target = { price: 10_300, amount: 40 };
  const bids = list.accept(limitOrder({ ...OTHER, price: 9_500, amount: 1_000 }));
  list.accept(oco(target, 15, HUNDRED));
  list.accept(limitOrder({ ...THIRD, price: 10_300, amount: 40 }));
  cancelAll(list, TRADER);
  trade(list, 10_000);
  list.accept(oco({ ...target, clientOrderId: 'stopped' }, 15, HUNDRED));
  for (const price of [10_080, 9_970]) trade(list, price);
  for (const [last, name] of [
    [10_200, 'profit'],
    [9_800, 'stop'],
  ] as const) {
    const order = { price: 10_000, amount: 30, displayAmount: 10, clientOrderId: name };
    list.accept(bracket(order, 10_190, HUNDRED));
    list.accept(limitOrder({ ...THIRD, side: Side.sell, price: 10_000, amount: 30 }));
    if (last > 10_000) list.accept(limitOrder({ ...THIRD, price: 10_190, amount: 30 }));
    else for (const price of [10_060, 9_950]) trade(list, price);
    trade(list, last);
  }
  cancel(list, OTHER, bids);
}

/** Ends connections by their client, by their node, by an expired lease, and with more orders than a portion has. */
function endConnections(list: CommandList): void {
  const onConnection = (connection: number, command: PlacingCommand) =>
    ({ kind: CommandKind.placeOnConnection, connection, command }) as const;
  const [closed, other] = [connect(list, TRADER, 'one'), connect(list, TRADER, 'one')];
  for (const connection of [closed, other]) {
    for (const command of oneOfEachKind(TRADER)) {
      if (connection === other && 'clientOrderId' in command && command.clientOrderId) continue;
      list.accept(onConnection(connection, command));
    }
  }
  // The legs of a bracket order belong to its connection too.
  list.accept(onConnection(closed, bracket({ price: 10_000, amount: 30 }, 10_900, TWO_PERCENT)));
  list.accept(limitOrder({ ...OTHER, side: Side.sell, price: 10_000, amount: 30 }));
  list.accept({ kind: CommandKind.closeConnection, connection: closed });
  list.reject(onConnection(closed, limitOrder({})), RejectionCode.connectionClosed);
  list.reject(onConnection(other, limitOrder(OTHER)), RejectionCode.connectionClosed);
  const many = connect(list, OTHER, 'two');
  for (let index = 0; index < 260; index++) {
    const shown = index % 3 === 0 ? { amount: 20, displayAmount: 10 } : {};
    const terms = { ...OTHER, price: 9_000 - index, ...shown };
    list.accept(onConnection(many, limitOrder(terms)));
  }
  list.tick(6_000);
  for (const node of ['one', 'standing']) list.accept(renewal(node));
  // The lease of the node "two" expires, with more orders than one portion ends.
  for (let index = 0; index < 20; index++) list.tick(250);
  list.accept(renewal('standing'));
  list.reject(renewal('two'), RejectionCode.connectionClosed);
  list.accept({ kind: CommandKind.closeNodeConnections, node: 'one' });
  list.tick(250);
}

function renewal(node: string) {
  return { kind: CommandKind.renewNodeConnections, node } as const;
}

function connect(list: CommandList, actor: Actor, node: string): number {
  const outcome = list.accept({ kind: CommandKind.openConnection, ...actor, node });
  if (outcome.kind !== 'connection') throw new Error(outcome.kind);
  return outcome.connection;
}

function addSignedKey(list: CommandList): void {
  list.accept({
    kind: CommandKind.createSignedKey,
    ...SYSTEM_ACTOR,
    owner: SIGNED.account,
    apiKey: 'signed',
    publicKey: new Uint8Array(32).fill(7),
    permissions: Permission.trade,
    label: 'signed',
    addresses: ['10.0.0.0/8'],
    expiresAt: 0,
  });
}

/** Creates two HMAC keys, encrypts the secret of one again, changes and revokes it. */
function addHmacKeys(list: CommandList): void {
  for (const apiKey of ['hmac', 'revoked hmac']) {
    list.accept({
      kind: CommandKind.createHmacKey,
      ...SYSTEM_ACTOR,
      owner: TRADER.account,
      apiKey,
      sealedSecret: new Uint8Array(108).fill(7),
      permissions: Permission.trade,
      label: apiKey,
      addresses: [],
      expiresAt: 0,
    });
  }
  const apiKey = 'revoked hmac';
  const sealedSecret = new Uint8Array(107).fill(8);
  list.accept({ kind: CommandKind.resealKey, ...SYSTEM_ACTOR, apiKey, sealedSecret });
  const terms = { label: 'changed', addresses: ['10.0.0.0/8'] };
  list.accept({ kind: CommandKind.changeKey, ...SYSTEM_ACTOR, apiKey, ...terms });
  list.accept({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey });
}

/** Uses signed requests once, again, too early and too late. */
function signRequests(list: CommandList): void {
  for (let text = 0; text < 40; text++) {
    const request = signature(
      text,
      list.time + (text % 2 === 0 ? 5_000 : MAX_SIGNATURE_LIFETIME_MS),
    );
    list.accept(request);
    list.accept(limitOrder({ ...SIGNED, price: 100 + text, displayAmount: 5 }));
    if (text % 8 === 0) list.reject(request, RejectionCode.signatureUsed);
  }
  for (const expiresIn of [-1, MAX_SIGNATURE_LIFETIME_MS + 1]) {
    list.reject(signature(40, list.time + expiresIn), RejectionCode.signatureExpired);
  }
  list.tick(5_001);
  list.reject(signature(0, list.time + 5_000), RejectionCode.signatureUsed);
  cancelAll(list, SIGNED);
}

/** Places, amends and cancels orders with a deadline, by their deadline and after it. */
function limitTime(list: CommandList): void {
  const by = (deadline: number, command: ExecuteBy['command']) =>
    ({ kind: CommandKind.executeBy, deadline, command }) as const;
  for (const waitMs of [0, 5_000]) {
    const placed = list.accept(by(list.time + waitMs, limitOrder({ ...OTHER, price: 50 })));
    if (placed.kind !== 'order') throw new Error(`unexpected outcome: ${placed.kind}`);
    const terms = { orderId: placed.order.id, price: 51, amount: 0, triggerPrice: 0 };
    const amendment = { kind: CommandKind.amendOrder, ...OTHER, ...terms } as const;
    list.accept(by(list.time + waitMs, amendment));
    list.reject(by(list.time - 1, { ...amendment, price: 52 }), RejectionCode.signatureExpired);
    list.reject(by(list.time - 1, limitOrder(OTHER)), RejectionCode.signatureExpired);
  }
  const cancel = { kind: CommandKind.cancelOrder, ...OTHER } as const;
  const orderId = placedId(list, limitOrder({ ...OTHER, price: 50 }));
  list.reject(by(list.time - 1, { ...cancel, orderId }), RejectionCode.signatureExpired);
  const onlyIf = CancelCondition.partiallyFilled;
  list.reject({ ...cancel, orderId, onlyIf }, RejectionCode.cancelRestricted);
  list.accept(by(list.time, { ...cancel, orderId, onlyIf: CancelCondition.unfilled }));
  const all = { market: NONE, orderIds: null, clientOrderId: null };
  list.accept(by(list.time, { kind: CommandKind.cancelOrders, ...OTHER, ...all }));
}

/** Amends an order that may only become smaller. */
function reduce(list: CommandList): void {
  const orderId = placedId(list, limitOrder({ ...OTHER, price: 50, amount: 10 }));
  const terms = { orderId, price: 0, triggerPrice: 0, reduceOnly: true } as const;
  const amendment = { kind: CommandKind.amendOrder, ...OTHER, ...terms } as const;
  list.accept({ ...amendment, amount: 8 });
  for (const amount of [8, 9])
    list.reject({ ...amendment, amount }, RejectionCode.amountNotReduced);
  cancelAll(list, OTHER);
}

/** Uses further requests when those of before are forgotten, a few at a time. */
function forgetSignatures(list: CommandList): void {
  list.tick(MAX_SIGNATURE_LIFETIME_MS + 1);
  for (let text = 100; text < 105; text++) list.accept(signature(text, list.time));
  list.accept(signature(0, list.time + 5_000));
}

function signature(text: number, expiresAt: number) {
  const hash = new Uint8Array(16).fill(text);
  return { kind: CommandKind.useSignature, ...SIGNED, hash, expiresAt } as const;
}

function amend(list: CommandList, orderId: number, changes: object): void {
  const unchanged = { price: 0, triggerPrice: 0, amount: 0 };
  const actor = { account: list.exchange.state.openOrder(orderId)!.account, key: TRADER.key };
  list.accept({ kind: CommandKind.amendOrder, ...actor, orderId, ...unchanged, ...changes });
}

function cancel(list: CommandList, actor: Actor, outcome: ReturnType<CommandList['accept']>): void {
  if (outcome.kind !== 'order') throw new Error(outcome.kind);
  list.accept({ kind: CommandKind.cancelOrder, ...actor, orderId: outcome.order.id });
}

function cancelAll(list: CommandList, actor: Actor): void {
  const everything = { market: NONE, orderIds: null, clientOrderId: null };
  list.accept({ kind: CommandKind.cancelOrders, ...actor, ...everything });
}

function placedId(list: CommandList, command: PlacingCommand): number {
  const outcome = list.accept(command);
  if (outcome.kind !== 'order') throw new Error(outcome.kind);
  return outcome.order.id;
}
