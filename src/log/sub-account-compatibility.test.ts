import { expect, test } from 'bun:test';
import { type Command, CommandKind } from '../engine/command.ts';
import { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { decodeCommand, encodeCommand } from './codec.ts';

// The bytes of existing logs: they must stay readable, and new logs must be written alike.

const actor = { account: 1, key: 2 };
const move = { kind: CommandKind.internalTransfer, ...actor, from: 3, to: 4, asset: 5, amount: 6 };

const commands: readonly (readonly [Command, string])[] = [
  [
    { kind: CommandKind.createSubAccount, ...actor, accountId: 'a', name: 'n' },
    '5a010000000200000001006101006e',
  ],
  [
    { kind: CommandKind.renameSubAccount, ...actor, owner: 3, name: 'n' },
    '5b01000000020000000300000001006e',
  ],
  [
    { kind: CommandKind.closeSubAccount, ...actor, owner: 3, isClosed: true },
    '2a01000000020000000300000001',
  ],
  [
    { kind: CommandKind.closeSubAccount, ...actor, owner: 3, isClosed: false },
    '2a01000000020000000300000000',
  ],
  [{ ...move, clientId: null }, '5c010000000200000003000000040000000500000002000000000000184000'],
  [
    { ...move, clientId: 'c' },
    '5c010000000200000003000000040000000500000002000000000000184001010063',
  ],
];

test.each(commands)('the bytes of %p', (command, hex) => {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  expect(writer.bytes().toHex()).toBe(hex);
  expect(decodeCommand(new ByteReader(Uint8Array.fromHex(hex)))).toEqual(command);
});
