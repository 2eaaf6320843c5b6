import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { commands } from '../../test/any-commands.ts';
import { CHECK_TIMEOUT_MS, check } from '../../test/check.ts';
import { listCommands, scenario } from '../../test/reference/scenario.ts';
import { withLittleMemory } from '../../test/reference/with-little-memory.ts';
import { type Command, CommandKind } from '../engine/command.ts';
import { Exchange } from '../engine/exchange.ts';
import { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { InvariantError } from '../engine/rejection.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { decodeCommand, encodeBatch, encodeCommand } from './codec.ts';

withLittleMemory();

const anyCommand = fc.oneof(...Object.values(commands));

function encoded(command: Command): Uint8Array {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  return writer.bytes();
}

test.each(Object.entries(commands))('%s is decoded as it was encoded', (_, arbitrary) => {
  const property = fc.property(arbitrary, (command) => {
    const reader = new ByteReader(encoded(command));
    expect(decodeCommand(reader)).toStrictEqual(command);
    expect(reader.isAtEnd).toBe(true);
  });
  check(property, 100);
});

test('the commands of a batch are decoded in order', () => {
  const writer = new ByteWriter();
  const property = fc.property(fc.array(anyCommand, { maxLength: 20 }), (batch) => {
    const reader = new ByteReader(encodeBatch(writer, batch));
    expect(batch.map(() => decodeCommand(reader))).toStrictEqual(batch);
    expect(reader.isAtEnd).toBe(true);
  });
  check(property, 50);
});

test(
  'a decoded command has the effect of the original',
  () => {
    const property = fc.property(scenario(60), (run) => {
      const timed = listCommands(run);
      const [original, decoded] = [new Exchange(), new Exchange()];
      const reader = new ByteReader(
        encodeBatch(
          new ByteWriter(),
          timed.map(({ command }) => command),
        ),
      );
      for (const { command, time } of timed) {
        original.apply(command, time);
        decoded.apply(decodeCommand(reader), time);
      }
      expect(writeSnapshot(decoded)).toEqual(writeSnapshot(original));
    });
    check(property, 60);
  },
  CHECK_TIMEOUT_MS,
);

describe('invalid bytes are rejected', () => {
  test.each([1, 100])('with a kind of a later release, %i bytes', (length) => {
    const bytes = new Uint8Array(length).fill(200);
    const message = 'a command of kind 200, which this release does not know: start a newer one';
    expect(() => decodeCommand(new ByteReader(bytes))).toThrow(
      new InvariantError(`the log holds ${message}`),
    );
  });

  test('truncated anywhere', () => {
    const property = fc.property(
      anyCommand,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (command, part) => {
        const bytes = encoded(command);
        const cut = bytes.subarray(0, Math.min(bytes.length - 1, Math.floor(part * bytes.length)));
        expect(() => decodeCommand(new ByteReader(cut))).toThrow(RangeError);
      },
    );
    check(property, 300);
  });
});

test('an amendment without a trigger price is still read', () => {
  const bytes = Uint8Array.fromHex(
    ['14', '01000000', '02000000', '000000000000f03f', '0000000000000040', '0000000000000840'].join(
      '',
    ),
  );
  expect(decodeCommand(new ByteReader(bytes))).toEqual({
    kind: CommandKind.amendOrder,
    account: 1,
    key: 2,
    orderId: 1,
    price: 2,
    amount: 3,
    triggerPrice: 0,
  });
});
