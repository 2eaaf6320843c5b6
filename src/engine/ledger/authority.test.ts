import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, createHmacKey, Fixture, limitOrder } from '../../../test/fixture.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { ENGINE_VERSION } from '../exchange.ts';
import { RejectionCode } from '../rejection.ts';
import { NONE, OrderType, Permission, permissionNames, Side } from '../terms.ts';

const order = limitOrder(ALICE, Side.sell, 5, 150);
const selection = { market: NONE, orderIds: null, clientOrderId: null };
const legs = {
  takeProfit: { price: 150, triggerPrice: 0 },
  stopLoss: { price: 0, triggerPrice: 90 },
};
type Kind = keyof typeof CommandKind;

/** Trading commands without their actor. */
const trading: Partial<Record<Kind, object>> = {
  placeOrder: order,
  placeStopOrder: { ...order, type: OrderType.stop, price: 0, triggerPrice: 90 },
  placeOco: {
    market: 0,
    side: Side.sell,
    amount: 5,
    expiresAt: 0,
    selfTradePrevention: 0,
    clientOrderId: null,
    ...legs,
  },
  cancelOrder: { orderId: 1 },
  cancelOrders: selection,
  cancelAfter: { market: NONE, timeoutMs: 1_000 },
  amendOrder: { orderId: 1, price: 0, amount: 4, triggerPrice: 0 },
};

/** A maintenance that every fixture has. */
const MAINTENANCE = { from: 3e12, to: 4e12, mode: 3, message: 'test' };

/** An announcement that every fixture has. */
const ANNOUNCEMENT = { severity: 0, title: 'test', text: '', until: 0 };

/** Operator commands without their actor. */
const operating: Partial<Record<Kind, object>> = {
  createAsset: { asset: 'NEW', name: 'New', decimals: 0 },
  listMarket: {
    ...new Fixture().exchange.state.markets[0]!.rules,
    symbol: 'USDT/BTC',
    base: 'USDT',
    quote: 'BTC',
  },
  setMarketStatus: { market: 0, status: 1 },
  setTradingStatus: { status: 4, reason: 'test', cancelOrders: false },
  scheduleMaintenance: { from: 1, to: 2e12, mode: 3, message: 'test' },
  cancelMaintenance: { from: MAINTENANCE.from },
  announce: ANNOUNCEMENT,
  withdrawAnnouncement: { id: 1 },
  changeMarketRules: { market: 0, rules: { tick: 1 } },
  delistMarket: { market: 0 },
  createAccount: { accountId: 'new', limitClass: 1 },
  setAccountStatus: { owner: BOB, frozen: true },
  setAccountLimitClass: { owner: BOB, limitClass: 2 },
  createKey: {
    owner: BOB,
    apiKey: 'new',
    secretHash: new Uint8Array(32),
    permissions: 1,
    label: '',
    addresses: [],
    expiresAt: 0,
  },
  createSignedKey: {
    owner: BOB,
    apiKey: 'new',
    publicKey: new Uint8Array(32),
    permissions: 1,
    label: '',
    addresses: [],
    expiresAt: 0,
  },
  createHmacKey: {
    owner: BOB,
    apiKey: 'new',
    sealedSecret: new Uint8Array(64),
    permissions: 1,
    label: '',
    addresses: [],
    expiresAt: 0,
  },
  resealKey: { apiKey: 'hmac', sealedSecret: new Uint8Array(64) },
  changeKey: { apiKey: 'read', label: 'new', addresses: ['10.0.0.1'] },
  revokeKey: { apiKey: 'read' },
  transfer: { owner: BOB, asset: 0, amount: 1, reference: 'new', reason: '' },
  cancelOrdersOf: { owner: BOB, ...selection },
  setFeeTiers: { asset: 0, tiers: [] },
  setAccountFeeTier: { owner: BOB, tier: NONE },
  setFeeDiscount: { asset: 0, minBalance: 1, rate: 1 },
  setReferralShare: { share: 1 },
  setReferrer: { owner: BOB, referrer: ALICE },
  upgrade: { version: ENGINE_VERSION },
  grantAccess: { owner: BOB, user: 'u', permissions: 1 },
  addNote: { owner: BOB, user: '', text: 'a note' },
  reviewAlert: { alert: 'a', isClosed: true, assignee: NONE, user: '', note: 'a note' },
};

/** Returns an exchange with an order of Alice and one of her keys per permission. */
function fixtureWithKeys(): { fixture: Fixture; keys: Record<keyof typeof Permission, number> } {
  const fixture = new Fixture();
  fixture.sell(ALICE, 5, 200);
  const keys = Object.entries(Permission).map(([apiKey, permissions], index) => {
    // A key that withdraws needs addresses.
    const addresses = ['127.0.0.1'];
    const terms = { owner: ALICE, permissions, label: '', addresses, expiresAt: 0 };
    const secretHash = new Uint8Array(32);
    fixture.apply({ kind: CommandKind.createKey, ...SYSTEM_ACTOR, apiKey, secretHash, ...terms });
    return [apiKey, index];
  });
  createHmacKey(fixture, { apiKey: 'hmac' });
  fixture.apply({ kind: CommandKind.scheduleMaintenance, ...SYSTEM_ACTOR, ...MAINTENANCE });
  fixture.apply({ kind: CommandKind.announce, ...SYSTEM_ACTOR, ...ANNOUNCEMENT });
  return { fixture, keys: Object.fromEntries(keys) };
}

/** Returns the code with which a command is rejected, or undefined if it is done. */
function rejectionCode(
  name: string,
  terms: object,
  by: (ready: ReturnType<typeof fixtureWithKeys>) => { account: number; key: number },
): number | undefined {
  const ready = fixtureWithKeys();
  const command = { ...terms, ...by(ready), kind: CommandKind[name as Kind] } as Command;
  const { digest } = ready.fixture.exchange.state;
  const outcome = ready.fixture.apply(command);
  if (outcome.kind !== 'rejected') return undefined;
  expect(ready.fixture.exchange.state.digest).toBe(digest);
  return outcome.code;
}

const { unauthorized, insufficientPermissions, accountFrozen } = RejectionCode;

/** The operators who may send a command in addition to administrators. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  createAsset: ['markets'],
  listMarket: ['markets'],
  setMarketStatus: ['markets'],
  setTradingStatus: ['markets'],
  scheduleMaintenance: ['markets'],
  cancelMaintenance: ['markets'],
  announce: ['support', 'markets'],
  withdrawAnnouncement: ['support', 'markets'],
  changeMarketRules: ['markets'],
  delistMarket: ['markets'],
  setFeeTiers: ['markets'],
  setAccountFeeTier: ['markets'],
  setFeeDiscount: ['markets'],
  setReferralShare: ['markets'],
  setReferrer: ['support'],
  cancelOrdersOf: ['support', 'markets'],
  createAccount: ['support'],
  setAccountLimitClass: ['support'],
  setAccountStatus: ['support', 'compliance'],
  revokeKey: ['support', 'compliance'],
  addNote: ['support', 'compliance'],
  reviewAlert: ['compliance'],
  transfer: ['treasury'],
};

describe.each([...Object.entries(trading), ...Object.entries(operating)])('%s', (name, terms) => {
  const needed = name in trading ? 'trade' : 'operate';
  const enough: readonly string[] = [needed, ...(ROLES[name] ?? [])];

  test('requires the permission', () => {
    for (const permission of permissionNames) {
      const code = rejectionCode(name, terms, ({ keys }) => ({
        account: ALICE,
        key: keys[permission],
      }));
      expect(code).toBe(enough.includes(permission) ? undefined : insufficientPermissions);
    }
  });

  test('requires an active key of the account', () => {
    const revoked = rejectionCode(name, terms, ({ fixture, keys }) => {
      const key = fixture.exchange.state.keys[keys[needed]]!;
      key.revokedAt = fixture.time;
      return { account: ALICE, key: key.index };
    });
    const of = (account: number, key: number) =>
      rejectionCode(name, terms, () => ({ account, key }));
    expect([revoked, of(BOB, 1), of(ALICE, 99)]).toEqual([
      unauthorized,
      unauthorized,
      unauthorized,
    ]);
  });
});

test.each(Object.entries(trading))('a frozen account may not send %s', (name, terms) => {
  const code = rejectionCode(name, terms, ({ fixture, keys }) => {
    fixture.apply({
      kind: CommandKind.setAccountStatus,
      ...SYSTEM_ACTOR,
      owner: ALICE,
      frozen: true,
    });
    return { account: ALICE, key: keys.trade };
  });
  expect(code).toBe(accountFrozen);
});

test('a bracket order is rejected like a plain order', () => {
  const attached = { takeProfit: null, stopLoss: { price: 0, triggerPrice: 90 } };
  const place = (terms: object) => {
    const { fixture } = fixtureWithKeys();
    const buy = limitOrder(ALICE, Side.buy, 5, 100, terms);
    const outcome = fixture.apply({ kind: CommandKind.placeBracket, order: buy, attached });
    return outcome.kind === 'rejected' ? outcome.code : undefined;
  };
  const byKey = [0, 1, 2, 99].map((key) => place({ key }));
  expect(byKey).toEqual([
    insufficientPermissions,
    undefined,
    insufficientPermissions,
    unauthorized,
  ]);
});
