import { expect, test } from 'bun:test';
import { type Command, CommandKind, type CustodyCommand } from '../engine/command.ts';
import { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { decodeCommand, encodeCommand } from './codec.ts';

// The bytes of existing logs: they must stay readable, and new logs must be written alike.

/** The names of the commands about deposits and withdrawals. */
type CustodyName = {
  [Name in keyof typeof CommandKind]: (typeof CommandKind)[Name] extends CustodyCommand['kind']
    ? Name
    : never;
}[keyof typeof CommandKind];

const actor = { account: 1, key: 2 };

const commands: { readonly [Name in CustodyName]: readonly [Command, string] } = {
  setNetwork: [
    {
      kind: CommandKind.setNetwork,
      ...actor,
      asset: 3,
      name: 'n',
      decimals: 8,
      minDeposit: 1,
      minWithdrawal: 2,
      withdrawalFee: 3,
      dailyLimit: 10n ** 20n,
      approvalAbove: 5,
      confirmations: 6,
      memo: 1,
      deposits: true,
      withdrawals: false,
      hourlyCount: 7,
      addressCoolingMs: 8,
      newDeviceDelayMs: 9,
    },
    '4601000000020000000300000001006e0802000000000000f03f020000000000000040020000000000000840000900056bc75e2d631000000200000000000014400600000001010700000000000000000020400000000000002240',
  ],
  setCustodianKey: [
    { kind: CommandKind.setCustodianKey, ...actor, publicKey: new Uint8Array(32).fill(7) },
    '470100000002000000200000000707070707070707070707070707070707070707070707070707070707070707',
  ],
  requestAddress: [
    { kind: CommandKind.requestAddress, ...actor, network: 3 },
    '48010000000200000003000000',
  ],
  assignAddress: [
    {
      kind: CommandKind.assignAddress,
      ...actor,
      keyNumber: 1,
      owner: 4,
      network: 3,
      address: 'a',
      memo: 'm',
    },
    '49010000000200000001000000040000000300000001006101006d',
  ],
  reportDeposit: [
    {
      kind: CommandKind.reportDeposit,
      ...actor,
      keyNumber: 1,
      network: 3,
      address: 'a',
      memo: 'm',
      transaction: 't',
      index: 5,
      amount: 6,
      confirmations: 7,
      report: 8,
      reorganized: true,
      searchedBelow: 9,
    },
    '4a0100000002000000010000000300000001006101006d010074050000000200000000000018400000000000001c400000000000002040030000000000002240',
  ],
  resolveDeposit: [
    { kind: CommandKind.resolveDeposit, ...actor, deposit: 3, resolution: 2, owner: -1 },
    '4b0100000002000000000000000000084002ffffffff',
  ],
  addWithdrawalAddress: [
    { kind: CommandKind.addWithdrawalAddress, ...actor, network: 3, address: 'a', memo: 'm' },
    '4c01000000020000000300000001006101006d',
  ],
  removeWithdrawalAddress: [
    { kind: CommandKind.removeWithdrawalAddress, ...actor, addressId: 3 },
    '4d01000000020000000000000000000840',
  ],
  requestWithdrawal: [
    {
      kind: CommandKind.requestWithdrawal,
      ...actor,
      addressId: 3,
      amount: 4,
      isNewDevice: true,
      clientId: 'c',
    },
    '4e0100000002000000000000000000084002000000000000104003010063',
  ],
  cancelWithdrawal: [
    { kind: CommandKind.cancelWithdrawal, ...actor, withdrawal: 3 },
    '4f01000000020000000000000000000840',
  ],
  approveWithdrawal: [
    { kind: CommandKind.approveWithdrawal, ...actor, withdrawal: 3 },
    '5001000000020000000000000000000840',
  ],
  rejectWithdrawal: [
    { kind: CommandKind.rejectWithdrawal, ...actor, withdrawal: 3, reason: 'r' },
    '5101000000020000000000000000000840010072',
  ],
  reportWithdrawal: [
    {
      kind: CommandKind.reportWithdrawal,
      ...actor,
      keyNumber: 1,
      withdrawal: 3,
      reached: 4,
      transaction: 't',
      reason: 'r',
      report: 5,
    },
    '520100000002000000010000000000000000000840040100740100720000000000001440',
  ],
  reportHoldings: [
    {
      ...{ kind: CommandKind.reportHoldings, ...actor, keyNumber: 1 },
      ...{ network: 3, amount: 4, report: 5 },
    },
    '2b010000000200000001000000030000000200000000000010400000000000001440',
  ],
  acknowledgeInstruction: [
    { kind: CommandKind.acknowledgeInstruction, ...actor, instruction: 3 },
    '5301000000020000000000000000000840',
  ],
};

test.each(Object.entries(commands))('%s', (_, [command, hex]) => {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  expect(writer.bytes().toHex()).toBe(hex);
  expect(decodeCommand(new ByteReader(Uint8Array.fromHex(hex)))).toEqual(command);
});
