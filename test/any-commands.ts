import fc from 'fast-check';
import {
  type ApprovableCommand,
  CancelCondition,
  type Command,
  CommandKind,
  type ListMarket,
  type PlaceOrder,
  type PlacingCommand,
} from '../src/engine/command.ts';
import { exact } from '../src/engine/numbers/exact.ts';
import { custodyCommands } from './any-custody-commands.ts';

const index = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const indexOrNone = fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
const units = fc.oneof(fc.nat(), fc.maxSafeNat());
const money = fc.oneof(fc.bigInt(), fc.bigInt({ min: -(10n ** 70n), max: 10n ** 70n })).map(exact);
const positiveMoney = fc.bigInt({ min: 0n, max: 10n ** 70n }).map(exact);
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('x'.repeat(9_000)));
const byte = fc.nat(255);
const actor = { account: indexOrNone, key: indexOrNone };

const selection = {
  market: indexOrNone,
  orderIds: fc.option(fc.array(units), { nil: null }),
  clientOrderId: fc.option(fc.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/), { nil: null }),
};

/** The same listing with and without terms of auctions. */
function withAuctions<T extends ListMarket>(listing: fc.Arbitrary<T>): fc.Arbitrary<ListMarket> {
  const rules = fc.record({ staticBand: units, dynamicBand: units, auctionMs: units });
  const opening = fc.record({ opensAt: units }, { requiredKeys: [] });
  const withTerms = fc
    .tuple(listing, rules, opening)
    .map(([command, terms, opens]) => ({ ...command, ...terms, ...opens }));
  return fc.oneof(listing, withTerms);
}

/** The same command with and without a search of history. */
function searched<T extends Command>(command: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const searchedBelow = fc.record({ searchedBelow: units });
  const withSearch = fc.tuple(command, searchedBelow).map(([each, more]) => ({ ...each, ...more }));
  return fc.oneof(command, withSearch);
}

const leg = fc.record({ price: units, triggerPrice: units });
const trailing = fc.record({ amount: units, basisPoints: index, activationPrice: units });
const takeProfit = fc.oneof(
  leg,
  fc.record({ price: units, triggerPrice: units, displayAmount: units }),
);
const stopLoss = fc.oneof(leg, fc.record({ price: units, triggerPrice: units, trailing }));
/** The same command with and without a visible amount. */
const iceberg = <T extends Command>(command: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof(
    command,
    fc
      .tuple(command, fc.record({ displayAmount: units }))
      .map(([each, more]) => ({ ...each, ...more })),
  );
const orderTerms = {
  ...actor,
  market: index,
  side: fc.constantFrom(0, 1),
  type: fc.nat(6),
  timeInForce: fc.nat(15),
  postOnly: fc.boolean(),
  selfTradePrevention: fc.nat(15),
  price: units,
  amount: units,
  cost: positiveMoney,
  expiresAt: units,
  clientOrderId: fc.option(fc.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/), { nil: null }),
};

const ORDER_KEYS = Object.keys(orderTerms) as (keyof typeof orderTerms)[];

function kind<const Kind extends number>(value: Kind) {
  return { kind: fc.constant(value) };
}

const placing: fc.Arbitrary<PlacingCommand> = fc.oneof(
  fc.record({ ...kind(CommandKind.placeOrder), ...orderTerms }),
  fc.record({ ...kind(CommandKind.placeStopOrder), ...orderTerms, triggerPrice: units }),
) as fc.Arbitrary<PlacingCommand>;

/** Commands of operators that wait for an approval. */
const approvable: fc.Arbitrary<ApprovableCommand> = fc.oneof(
  fc.record({
    ...kind(CommandKind.transfer),
    ...actor,
    owner: index,
    asset: index,
    amount: money,
    reference: text,
    reason: text,
  }),
  fc.record({
    ...kind(CommandKind.setApprovalPolicy),
    ...actor,
    actions: index,
    limits: fc.array(fc.record({ asset: index, amount: money })),
  }),
  fc.record({ ...kind(CommandKind.delistMarket), ...actor, market: index }),
);

/** One arbitrary per kind; a missing kind does not compile. */
/** Any command of each kind, by name. */
const cancelOrder = fc.record(
  {
    ...kind(CommandKind.cancelOrder),
    ...actor,
    orderId: units,
    onlyIf: fc.constantFrom(...Object.values(CancelCondition)),
  },
  { requiredKeys: ['kind', 'account', 'key', 'orderId'] },
);

/** Adds the reason of an operator, or none. */
function explained<Plain extends object>(plain: fc.Arbitrary<Plain>) {
  return fc
    .tuple(plain, fc.option(text, { nil: undefined }))
    .map(([command, reason]) => (reason === undefined ? command : { ...command, reason }));
}

export const commands: { [Name in keyof typeof CommandKind]: fc.Arbitrary<Command> } = {
  open: fc.record({ ...kind(CommandKind.open), version: index, sandbox: fc.boolean() }),
  tick: fc.record(kind(CommandKind.tick)),
  placeOrder: iceberg(searched(fc.record({ ...kind(CommandKind.placeOrder), ...orderTerms }))),
  placeStopOrder: searched(
    fc.record(
      { ...kind(CommandKind.placeStopOrder), ...orderTerms, triggerPrice: units, trailing },
      { requiredKeys: ['kind', ...ORDER_KEYS, 'triggerPrice'] },
    ),
  ),
  placeOco: searched(
    fc.record({
      ...kind(CommandKind.placeOco),
      ...actor,
      market: index,
      side: fc.constantFrom(0, 1),
      selfTradePrevention: byte,
      amount: units,
      expiresAt: units,
      takeProfit,
      stopLoss,
      clientOrderId: selection.clientOrderId,
    }),
  ),
  placeBracket: fc.record({
    ...kind(CommandKind.placeBracket),
    order: iceberg(
      searched<PlaceOrder>(
        fc.record({ ...kind(CommandKind.placeOrder), ...orderTerms }) as fc.Arbitrary<PlaceOrder>,
      ),
    ),
    attached: fc.record(
      {
        takeProfit: fc.option(leg, { nil: null }),
        stopLoss: fc.option(stopLoss, { nil: null }),
        oto: fc.record({
          side: fc.constantFrom(0, 1),
          amount: units,
          order: fc.option(
            fc.record({ type: fc.constantFrom(0, 1), timeInForce: byte, price: units }),
            { nil: null },
          ),
        }),
      },
      { requiredKeys: ['takeProfit', 'stopLoss'] },
    ),
  }),
  cancelOrder,
  amendOrder: fc.record(
    {
      ...kind(CommandKind.amendOrder),
      ...actor,
      orderId: units,
      price: units,
      amount: units,
      triggerPrice: units,
      trailing,
      displayAmount: units,
      reduceOnly: fc.constant(true as const),
    },
    { requiredKeys: ['kind', 'account', 'key', 'orderId', 'price', 'amount', 'triggerPrice'] },
  ),
  cancelOrders: fc.record({ ...kind(CommandKind.cancelOrders), ...actor, ...selection }),
  changeMarketRules: explained(
    fc.record({
      ...kind(CommandKind.changeMarketRules),
      ...actor,
      market: index,
      rules: fc.record(
        {
          tick: units,
          step: units,
          minPrice: units,
          maxPrice: units,
          minAmount: units,
          maxAmount: units,
          minNotional: money,
          makerFee: units,
          takerFee: units,
          referencePrice: units,
          collar: units,
          staticBand: units,
          dynamicBand: units,
          auctionMs: units,
        },
        { requiredKeys: [] },
      ),
    }),
  ),
  delistMarket: explained(
    fc.record({ ...kind(CommandKind.delistMarket), ...actor, market: index }),
  ),
  cancelOrdersOf: fc.record({
    ...kind(CommandKind.cancelOrdersOf),
    ...actor,
    owner: index,
    ...selection,
  }),
  setFeeTiers: explained(
    fc.record({
      ...kind(CommandKind.setFeeTiers),
      ...actor,
      asset: index,
      tiers: fc.array(fc.record({ minVolume: money, makerFee: fc.integer(), takerFee: index })),
    }),
  ),
  setAccountFeeTier: explained(
    fc.record({
      ...kind(CommandKind.setAccountFeeTier),
      ...actor,
      owner: index,
      tier: indexOrNone,
    }),
  ),
  setFeeDiscount: explained(
    fc.record({
      ...kind(CommandKind.setFeeDiscount),
      ...actor,
      asset: index,
      minBalance: money,
      rate: index,
    }),
  ),
  setReferralShare: explained(
    fc.record({ ...kind(CommandKind.setReferralShare), ...actor, share: index }),
  ),
  setReferrer: explained(
    fc.record({
      ...kind(CommandKind.setReferrer),
      ...actor,
      owner: index,
      referrer: index,
    }),
  ),
  cancelAfter: fc.record({
    ...kind(CommandKind.cancelAfter),
    ...actor,
    market: indexOrNone,
    timeoutMs: units,
  }),
  createAsset: fc.record({
    ...kind(CommandKind.createAsset),
    ...actor,
    asset: text,
    name: text,
    decimals: byte,
  }),
  listMarket: withAuctions(
    fc.record({
      ...kind(CommandKind.listMarket),
      ...actor,
      symbol: text,
      base: text,
      quote: text,
      priceDecimals: units,
      amountDecimals: units,
      tick: units,
      step: units,
      minPrice: units,
      maxPrice: units,
      minAmount: units,
      maxAmount: units,
      minNotional: money,
      makerFee: units,
      takerFee: units,
      referencePrice: units,
      collar: index,
    }),
  ),
  bustTrade: fc.record({
    ...kind(CommandKind.bustTrade),
    ...actor,
    trade: fc.record({
      id: units,
      market: index,
      price: units,
      amount: units,
      takerSide: fc.constantFrom(0, 1),
      makerOrderId: units,
      makerAccount: index,
      makerFeePaid: money,
      takerOrderId: units,
      takerAccount: index,
      takerFeePaid: money,
      time: units,
    }),
    reason: text,
  }),
  setTradingLimits: explained(
    fc.record({
      ...kind(CommandKind.setTradingLimits),
      ...actor,
      owner: indexOrNone,
      limits: fc.option(
        fc.record({
          orderRate: index,
          ordersPerTrade: index,
          freeOrders: index,
          openNotional: fc.array(fc.record({ asset: index, limit: money }), { maxLength: 4 }),
        }),
        { nil: null },
      ),
    }),
  ),
  setTradingStatus: fc.record({
    ...kind(CommandKind.setTradingStatus),
    ...actor,
    status: byte,
    reason: text,
    cancelOrders: fc.boolean(),
  }),
  scheduleMaintenance: fc.record({
    ...kind(CommandKind.scheduleMaintenance),
    ...actor,
    from: units,
    to: units,
    mode: byte,
    message: text,
  }),
  cancelMaintenance: fc.record({
    ...kind(CommandKind.cancelMaintenance),
    ...actor,
    from: units,
  }),
  announce: fc.record({
    ...kind(CommandKind.announce),
    ...actor,
    severity: byte,
    title: text,
    text,
    until: units,
  }),
  withdrawAnnouncement: fc.record({
    ...kind(CommandKind.withdrawAnnouncement),
    ...actor,
    id: units,
  }),
  setMarketStatus: explained(
    fc.record({
      ...kind(CommandKind.setMarketStatus),
      ...actor,
      market: index,
      status: byte,
    }),
  ),
  createAccount: fc.record({
    ...kind(CommandKind.createAccount),
    ...actor,
    accountId: text,
    limitClass: index,
  }),
  setAccountStatus: fc.record(
    {
      ...kind(CommandKind.setAccountStatus),
      ...actor,
      owner: index,
      frozen: fc.boolean(),
      reason: text,
    },
    { requiredKeys: ['kind', 'account', 'key', 'owner', 'frozen'] },
  ),
  setAccountLimitClass: explained(
    fc.record({
      ...kind(CommandKind.setAccountLimitClass),
      ...actor,
      owner: index,
      limitClass: index,
    }),
  ),
  upgrade: fc.record({ ...kind(CommandKind.upgrade), ...actor, version: index }),
  placeOnConnection: fc.record({
    ...kind(CommandKind.placeOnConnection),
    connection: units,
    command: placing,
  }),
  executeBy: fc.record({
    ...kind(CommandKind.executeBy),
    deadline: units,
    command: fc.oneof(
      placing,
      fc.record({
        ...kind(CommandKind.placeOnConnection),
        connection: units,
        command: placing,
      }),
      fc.record({
        ...kind(CommandKind.amendOrder),
        ...actor,
        orderId: units,
        price: units,
        amount: units,
        triggerPrice: units,
      }),
      cancelOrder,
      fc.record({ ...kind(CommandKind.cancelOrders), ...actor, ...selection }),
    ),
  }),
  openConnection: fc.record({ ...kind(CommandKind.openConnection), ...actor, node: text }),
  closeConnection: fc.record({ ...kind(CommandKind.closeConnection), connection: units }),
  renewNodeConnections: fc.record({ ...kind(CommandKind.renewNodeConnections), node: text }),
  closeNodeConnections: fc.record({ ...kind(CommandKind.closeNodeConnections), node: text }),
  createKey: fc.record({
    ...kind(CommandKind.createKey),
    ...actor,
    owner: index,
    apiKey: text,
    secretHash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    permissions: fc.nat(),
    label: text,
    addresses: fc.array(text, { maxLength: 4 }),
    expiresAt: units,
  }),
  createSignedKey: fc.record({
    ...kind(CommandKind.createSignedKey),
    ...actor,
    owner: index,
    apiKey: text,
    publicKey: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    permissions: fc.nat(),
    label: text,
    addresses: fc.array(text, { maxLength: 4 }),
    expiresAt: units,
  }),
  createHmacKey: fc.record({
    ...kind(CommandKind.createHmacKey),
    ...actor,
    owner: index,
    apiKey: text,
    sealedSecret: fc.uint8Array({ maxLength: 300 }),
    permissions: fc.nat(),
    label: text,
    addresses: fc.array(text, { maxLength: 4 }),
    expiresAt: units,
  }),
  resealKey: fc.record({
    ...kind(CommandKind.resealKey),
    ...actor,
    apiKey: text,
    sealedSecret: fc.uint8Array({ maxLength: 300 }),
  }),
  changeKey: fc.record({
    ...kind(CommandKind.changeKey),
    ...actor,
    apiKey: text,
    label: fc.option(text, { nil: null }),
    addresses: fc.option(fc.array(text, { maxLength: 4 }), { nil: null }),
  }),
  useSignature: fc.record({
    ...kind(CommandKind.useSignature),
    ...actor,
    hash: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    expiresAt: units,
  }),
  setApprovalPolicy: fc.record({
    ...kind(CommandKind.setApprovalPolicy),
    ...actor,
    actions: index,
    limits: fc.array(fc.record({ asset: index, amount: money })),
  }),
  requestApproval: fc.record({
    ...kind(CommandKind.requestApproval),
    ...actor,
    user: text,
    reason: text,
    command: approvable,
  }),
  approve: searched(fc.record({ ...kind(CommandKind.approve), ...actor, id: units, user: text })),
  rejectApproval: fc.record({
    ...kind(CommandKind.rejectApproval),
    ...actor,
    id: units,
    user: text,
    reason: text,
  }),
  grantAccess: fc.record({
    ...kind(CommandKind.grantAccess),
    ...actor,
    owner: index,
    user: text,
    permissions: fc.nat(),
  }),
  addNote: fc.record({ ...kind(CommandKind.addNote), ...actor, owner: index, user: text, text }),
  reviewAlert: fc.record({
    ...kind(CommandKind.reviewAlert),
    ...actor,
    alert: text,
    isClosed: fc.boolean(),
    assignee: indexOrNone,
    user: text,
    note: text,
  }),
  removeNote: fc.record({ ...kind(CommandKind.removeNote), ...actor, id: units }),
  revokeKey: fc.record({ ...kind(CommandKind.revokeKey), ...actor, apiKey: text }),
  transfer: searched(
    fc.record({
      ...kind(CommandKind.transfer),
      ...actor,
      owner: index,
      asset: index,
      amount: money,
      reference: text,
      reason: text,
    }),
  ),
  createSubAccount: fc.record({
    ...kind(CommandKind.createSubAccount),
    ...actor,
    accountId: text,
    name: text,
  }),
  renameSubAccount: fc.record({
    ...kind(CommandKind.renameSubAccount),
    ...actor,
    owner: index,
    name: text,
  }),
  closeSubAccount: fc.record({
    ...kind(CommandKind.closeSubAccount),
    ...actor,
    owner: index,
    isClosed: fc.boolean(),
  }),
  internalTransfer: fc.record({
    ...kind(CommandKind.internalTransfer),
    ...actor,
    from: index,
    to: index,
    asset: index,
    amount: money,
    clientId: fc.option(text, { nil: null }),
  }),
  ...custodyCommands,
  skip: fc.record({ ...kind(CommandKind.skip), sequence: units, index, reason: text }),
};
