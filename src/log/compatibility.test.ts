import { expect, test } from 'bun:test';
import {
  type AmendOrder,
  CancelCondition,
  type CancelOrder,
  type Command,
  CommandKind,
  type CustodyCommand,
  type PlaceOco,
  type ProtectionCommand,
  type SubAccountCommand,
  type Transfer,
} from '../engine/command.ts';
import { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { Side } from '../engine/terms.ts';
import { decodeCommand, encodeCommand } from './codec.ts';

// The bytes of existing logs: they must stay readable, and new logs must be written alike.

const actor = { account: 1, key: 2 };
const ids = { orderIds: [3, 4], clientOrderId: null };
const order = {
  kind: CommandKind.placeOrder,
  ...actor,
  market: 3,
  side: Side.sell,
  type: 2,
  timeInForce: 3,
  postOnly: false,
  selfTradePrevention: 2,
  price: 1,
  amount: 2,
  cost: 0,
  expiresAt: 0,
  clientOrderId: null,
} as const;
const leg = { price: 1, triggerPrice: 2 };
const rules = {
  tick: 1,
  step: 2,
  minPrice: 3,
  maxPrice: 4,
  minAmount: 5,
  maxAmount: 6,
  minNotional: 7,
  makerFee: 8,
  takerFee: 9,
  referencePrice: 10,
  collar: 11,
};

/** All names but those of the commands about deposits, withdrawals, protection and sub-accounts. */
type Name = {
  [Each in keyof typeof CommandKind]: (typeof CommandKind)[Each] extends
    | CustodyCommand['kind']
    | ProtectionCommand['kind']
    | SubAccountCommand['kind']
    ? never
    : Each;
}[keyof typeof CommandKind];

const commands: {
  readonly [Each in Name]: readonly [Command, string];
} = {
  open: [{ kind: CommandKind.open, version: 1, sandbox: true }, '010100000001'],
  tick: [{ kind: CommandKind.tick }, '02'],
  placeOrder: [
    { ...order, postOnly: true, cost: 10n ** 20n, expiresAt: 5, clientOrderId: 'a' },
    '0301000000020000000300000005230f000000000000f03f0000000000000040000900056bc75e2d631000000000000000001440010061',
  ],
  cancelOrder: [
    { kind: CommandKind.cancelOrder, ...actor, orderId: 3 },
    '0401000000020000000000000000000840',
  ],
  createAsset: [
    { kind: CommandKind.createAsset, ...actor, asset: 'A', name: 'B', decimals: 8 },
    '05010000000200000001004101004208',
  ],
  setMarketStatus: [
    { kind: CommandKind.setMarketStatus, ...actor, market: 3, status: 4 },
    '0701000000020000000300000004',
  ],
  createAccount: [
    { kind: CommandKind.createAccount, ...actor, accountId: 'a', limitClass: 5 },
    '08010000000200000001006105000000',
  ],
  createKey: [
    {
      kind: CommandKind.createKey,
      ...actor,
      owner: 3,
      apiKey: 'k',
      secretHash: Uint8Array.of(7, 8),
      permissions: 3,
      label: 'l',
      addresses: ['a', 'b'],
      expiresAt: 9,
    },
    '0901000000020000000300000001006b0200000007080301006c020000000100610100620000000000002240',
  ],
  setApprovalPolicy: [
    {
      kind: CommandKind.setApprovalPolicy,
      ...actor,
      actions: 9,
      limits: [{ asset: 3, amount: 5 }],
    },
    '3c0100000002000000090000000100000003000000020000000000001440',
  ],
  requestApproval: [
    {
      kind: CommandKind.requestApproval,
      ...actor,
      user: 'u',
      reason: 'r',
      command: { kind: CommandKind.delistMarket, ...actor, market: 3 },
    },
    '3d010000000200000001007501007218010000000200000003000000',
  ],
  approve: [
    { kind: CommandKind.approve, ...actor, id: 3, user: 'u', searchedBelow: 5 },
    '3e01000000020000000000000000000840010075010000000000001440',
  ],
  rejectApproval: [
    { kind: CommandKind.rejectApproval, ...actor, id: 3, user: 'u', reason: 'r' },
    '3f01000000020000000000000000000840010075010072',
  ],
  grantAccess: [
    { kind: CommandKind.grantAccess, ...actor, owner: 3, user: 'u', permissions: 513 },
    '400100000002000000030000000100758104',
  ],
  addNote: [
    { kind: CommandKind.addNote, ...actor, owner: 3, user: 'u', text: 't' },
    '41010000000200000003000000010075010074',
  ],
  reviewAlert: [
    {
      kind: CommandKind.reviewAlert,
      ...actor,
      ...{ alert: 'a-1', isClosed: true, assignee: 3, user: 'u', note: 'n' },
    },
    '7d01000000020000000300612d31010300000001007501006e',
  ],
  removeNote: [
    { kind: CommandKind.removeNote, ...actor, id: 3 },
    '4201000000020000000000000000000840',
  ],
  createSignedKey: [
    {
      kind: CommandKind.createSignedKey,
      ...actor,
      owner: 3,
      apiKey: 'k',
      publicKey: Uint8Array.of(7, 8),
      permissions: 3,
      label: 'l',
      addresses: ['a', 'b'],
      expiresAt: 9,
    },
    '2401000000020000000300000001006b0200000007080301006c020000000100610100620000000000002240',
  ],
  createHmacKey: [
    {
      kind: CommandKind.createHmacKey,
      ...actor,
      owner: 3,
      apiKey: 'k',
      sealedSecret: Uint8Array.of(7, 8),
      permissions: 3,
      label: 'l',
      addresses: ['a', 'b'],
      expiresAt: 9,
    },
    '2601000000020000000300000001006b0200000007080301006c020000000100610100620000000000002240',
  ],
  resealKey: [
    { kind: CommandKind.resealKey, ...actor, apiKey: 'k', sealedSecret: Uint8Array.of(7, 8) },
    '27010000000200000001006b020000000708',
  ],
  changeKey: [
    { kind: CommandKind.changeKey, ...actor, apiKey: 'k', label: 'l', addresses: ['a', 'b'] },
    '29010000000200000001006b0301006c02000000010061010062',
  ],
  useSignature: [
    { kind: CommandKind.useSignature, ...actor, hash: Uint8Array.of(7, 8), expiresAt: 9 },
    '2501000000020000000200000007080000000000002240',
  ],
  revokeKey: [{ kind: CommandKind.revokeKey, ...actor, apiKey: 'k' }, '0a010000000200000001006b'],
  transfer: [
    {
      kind: CommandKind.transfer,
      ...actor,
      owner: 3,
      asset: 4,
      amount: -(10n ** 20n),
      reference: 'r',
      reason: 's',
    },
    '0b01000000020000000300000004000000010900056bc75e2d63100000010072010073',
  ],
  skip: [
    { kind: CommandKind.skip, sequence: 1, index: 2, reason: 'r' },
    '0c000000000000f03f02000000010072',
  ],
  setAccountStatus: [
    { kind: CommandKind.setAccountStatus, ...actor, owner: 3, frozen: true, reason: 'r' },
    '0d01000000020000000300000003010072',
  ],
  placeStopOrder: [
    { ...order, kind: CommandKind.placeStopOrder, triggerPrice: 3 },
    '0e010000000200000003000000052300000000000000f03f00000000000000400000000000000840',
  ],
  listMarket: [
    {
      kind: CommandKind.listMarket,
      ...actor,
      symbol: 'A/B',
      base: 'A',
      quote: 'B',
      priceDecimals: 12,
      amountDecimals: 13,
      ...rules,
    },
    '0f01000000020000000300412f4201004101004200000000000028400000000000002a40000000000000f03f00000000000000400000000000000840000000000000104000000000000014400000000000001840000000000000204000000000000022400000000000002440020000000000001c400b000000',
  ],
  placeOco: [
    {
      kind: CommandKind.placeOco,
      ...actor,
      market: 3,
      side: Side.sell,
      selfTradePrevention: 2,
      amount: 4,
      expiresAt: 5,
      takeProfit: leg,
      stopLoss: { price: 3, triggerPrice: 4 },
      clientOrderId: 'c',
    },
    '10010000000200000003000000010200000000000010400000000000001440000000000000f03f00000000000000400000000000000840000000000000104001010063',
  ],
  cancelOrders: [
    { kind: CommandKind.cancelOrders, ...actor, market: -1, ...ids },
    '150100000002000000ffffffff010200000000000000000008400000000000001040',
  ],
  cancelAfter: [
    { kind: CommandKind.cancelAfter, ...actor, market: -1, timeoutMs: 5 },
    '160100000002000000ffffffff0000000000001440',
  ],
  changeMarketRules: [
    { kind: CommandKind.changeMarketRules, ...actor, market: 3, rules },
    '170100000002000000030000000b0002000000000000f03f010200000000000000400202000000000000084003020000000000001040040200000000000014400502000000000000184006020000000000002040070200000000000022400802000000000000244009020000000000001c400a020000000000002640',
  ],
  delistMarket: [
    { kind: CommandKind.delistMarket, ...actor, market: 3 },
    '18010000000200000003000000',
  ],
  cancelOrdersOf: [
    {
      kind: CommandKind.cancelOrdersOf,
      ...actor,
      owner: 3,
      market: 4,
      orderIds: null,
      clientOrderId: 'c',
    },
    '190100000002000000030000000400000002010063',
  ],
  setFeeTiers: [
    {
      kind: CommandKind.setFeeTiers,
      ...actor,
      asset: 3,
      tiers: [{ minVolume: 4, makerFee: 5, takerFee: 6 }],
    },
    '1a010000000200000003000000010000000200000000000010400500000006000000',
  ],
  setAccountFeeTier: [
    { kind: CommandKind.setAccountFeeTier, ...actor, owner: 3, tier: -1 },
    '1b010000000200000003000000ffffffff',
  ],
  setFeeDiscount: [
    { kind: CommandKind.setFeeDiscount, ...actor, asset: 3, minBalance: 4, rate: 5 },
    '7801000000020000000300000002000000000000104005000000',
  ],
  setReferralShare: [
    { kind: CommandKind.setReferralShare, ...actor, share: 3 },
    '79010000000200000003000000',
  ],
  setReferrer: [
    { kind: CommandKind.setReferrer, ...actor, owner: 3, referrer: 4 },
    '7a01000000020000000300000004000000',
  ],
  setAccountLimitClass: [
    { kind: CommandKind.setAccountLimitClass, ...actor, owner: 3, limitClass: 4 },
    '1c01000000020000000300000004000000',
  ],
  upgrade: [{ kind: CommandKind.upgrade, ...actor, version: 3 }, '1f010000000200000003000000'],
  placeOnConnection: [
    { kind: CommandKind.placeOnConnection, connection: 3, command: order },
    '32000000000000084003010000000200000003000000052300000000000000f03f0000000000000040',
  ],
  executeBy: [
    { kind: CommandKind.executeBy, deadline: 3, command: order },
    '37000000000000084003010000000200000003000000052300000000000000f03f0000000000000040',
  ],
  openConnection: [
    { kind: CommandKind.openConnection, ...actor, node: 'a' },
    '330100000002000000010061',
  ],
  closeConnection: [{ kind: CommandKind.closeConnection, connection: 3 }, '340000000000000840'],
  renewNodeConnections: [{ kind: CommandKind.renewNodeConnections, node: 'a' }, '35010061'],
  closeNodeConnections: [{ kind: CommandKind.closeNodeConnections, node: 'a' }, '36010061'],
  placeBracket: [
    { kind: CommandKind.placeBracket, order, attached: { takeProfit: null, stopLoss: leg } },
    '1d010000000200000003000000052300000000000000f03f000000000000004002000000000000f03f0000000000000040',
  ],
  amendOrder: [
    { kind: CommandKind.amendOrder, ...actor, orderId: 3, price: 4, amount: 5, triggerPrice: 6 },
    '1e01000000020000000000000000000840000000000000104000000000000014400000000000001840',
  ],
};

test.each(Object.entries(commands))('a command: %s', (_, [command, hex]) => {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  expect(writer.bytes().toHex()).toBe(hex);
  expect(decodeCommand(new ByteReader(Uint8Array.fromHex(hex)))).toEqual(command);
});

test('commands with a condition', () => {
  const terms = '010000000200000000000000000008400000000000001040';
  const conditional: [Command, string][] = [
    [
      { kind: CommandKind.cancelOrder, ...actor, orderId: 3, onlyIf: CancelCondition.unfilled },
      '2e0100000002000000000000000000084001',
    ],
    [
      { ...(commands.amendOrder[0] as AmendOrder), reduceOnly: true },
      `2d${terms}0000000000001440000000000000184004`,
    ],
    [
      { kind: CommandKind.executeBy, deadline: 3, command: commands.cancelOrder[0] as CancelOrder },
      `370000000000000840${commands.cancelOrder[1]}`,
    ],
  ];
  for (const [command, hex] of conditional) {
    const writer = new ByteWriter();
    encodeCommand(writer, command);
    expect(writer.bytes().toHex()).toBe(hex);
    expect(decodeCommand(new ByteReader(Uint8Array.fromHex(hex)))).toEqual(command);
  }
});

test('a listing from before markets had a collar', () => {
  const [command, hex] = commands.listMarket;
  const before = `06${hex.slice(2, -8)}`;
  expect(decodeCommand(new ByteReader(Uint8Array.fromHex(before)))).toEqual({
    ...command,
    collar: 0,
  } as Command);
});

test('commands for which history was searched', () => {
  const number = '0000000000001440';
  const searched: [Command, string][] = [
    [
      { ...order, clientOrderId: 'a', searchedBelow: 5 },
      `03010000000200000003000000052318000000000000f03f0000000000000040010061${number}`,
    ],
    [
      { ...(commands.placeOco[0] as PlaceOco), searchedBelow: 5 },
      `${commands.placeOco[1].slice(0, -8)}03010063${number}`,
    ],
    [
      { ...(commands.transfer[0] as Transfer), searchedBelow: 5 },
      `28${commands.transfer[1].slice(2)}${number}`,
    ],
  ];
  for (const [command, hex] of searched) {
    const writer = new ByteWriter();
    encodeCommand(writer, command);
    expect(writer.bytes().toHex()).toBe(hex);
    expect(decodeCommand(new ByteReader(Uint8Array.fromHex(hex)))).toEqual(command);
  }
});
