import { expect, test } from 'bun:test';
import { type Command, CommandKind, type ProtectionCommand } from '../engine/command.ts';
import { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { decodeCommand, encodeCommand } from './codec.ts';

// The bytes of existing logs: they must stay readable, and new logs must be written alike.

const actor = { account: 1, key: 2 };

type Name = {
  [Each in keyof typeof CommandKind]: (typeof CommandKind)[Each] extends ProtectionCommand['kind']
    ? Each
    : never;
}[keyof typeof CommandKind];

const commands: { readonly [Each in Name]: readonly [Command, string] } = {
  setTradingStatus: [
    { kind: CommandKind.setTradingStatus, ...actor, status: 4, reason: 'r', cancelOrders: true },
    '6e01000000020000000401007201',
  ],
  scheduleMaintenance: [
    { kind: CommandKind.scheduleMaintenance, ...actor, from: 1, to: 2, mode: 3, message: 'm' },
    '6f0100000002000000000000000000f03f00000000000000400301006d',
  ],
  cancelMaintenance: [
    { kind: CommandKind.cancelMaintenance, ...actor, from: 1 },
    '700100000002000000000000000000f03f',
  ],
  announce: [
    { kind: CommandKind.announce, ...actor, severity: 1, title: 't', text: 'x', until: 2 },
    '740100000002000000010100740100780000000000000040',
  ],
  withdrawAnnouncement: [
    { kind: CommandKind.withdrawAnnouncement, ...actor, id: 1 },
    '750100000002000000000000000000f03f',
  ],
  setTradingLimits: [
    {
      kind: CommandKind.setTradingLimits,
      ...actor,
      owner: -1,
      limits: {
        orderRate: 3,
        ordersPerTrade: 4,
        freeOrders: 5,
        openNotional: [{ asset: 6, limit: 10n ** 20n }],
      },
    },
    '710100000002000000ffffffff010300000004000000050000000100000006000000000900056bc75e2d63100000',
  ],
  bustTrade: [
    {
      kind: CommandKind.bustTrade,
      ...actor,
      trade: {
        id: 1,
        market: 2,
        price: 3,
        amount: 4,
        takerSide: 1,
        makerOrderId: 5,
        makerAccount: 6,
        makerFeePaid: 7,
        takerOrderId: 8,
        takerAccount: 9,
        takerFeePaid: 10n ** 20n,
        time: 11,
      },
      reason: 'r',
    },
    '730100000002000000000000000000f03f02000000000000000000084000000000000010400100000000000014400600000002' +
      '0000000000001c40000000000000204009000000000900056bc75e2d631000000000000000002640010072',
  ],
};

test.each(Object.entries(commands))('a command: %s', (_, [command, hex]) => {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  expect(writer.bytes().toHex()).toBe(hex);
  expect(decodeCommand(new ByteReader(Uint8Array.fromHex(hex)))).toEqual(command);
});

test('a command with the reason of its operator', () => {
  const plain = '0701000000020000000300000004';
  const { setMarketStatus: kind } = CommandKind;
  const command = { kind, ...actor, market: 3, status: 4, reason: 'r' } as const;
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  expect(writer.bytes().toHex()).toBe(`65010072${plain}`);
  const decode = (hex: string) => decodeCommand(new ByteReader(Uint8Array.fromHex(hex)));
  expect(decode(`65010072${plain}`)).toEqual(command);
  expect(() => decode(`65010072${commands.cancelMaintenance[1]}`)).toThrow('has no reason');
});
