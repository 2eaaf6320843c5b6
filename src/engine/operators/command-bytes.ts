import type { ApprovableCommand } from '../command.ts';
import { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { type Exact, exact } from '../numbers/exact.ts';
import { InvariantError } from '../rejection.ts';

/**
 * Commands that wait in the state, as bytes of snapshots. Any command has this one form, whatever its kind: fields by
 * name, in alphabetical order. The log has its own encoding of each kind.
 */

const Tag = {
  null: 0,
  false: 1,
  true: 2,
  number: 3,
  bigint: 4,
  text: 5,
  bytes: 6,
  list: 7,
  record: 8,
} as const;

/** Returns a command as bytes; equal commands give equal bytes. */
export function toCommandBytes(command: ApprovableCommand): Uint8Array {
  const writer = new ByteWriter(256);
  writeValue(writer, command);
  return writer.bytes().slice();
}

/** @throws InvariantError or RangeError if the bytes are not those of a command */
export function fromCommandBytes(bytes: Uint8Array): ApprovableCommand {
  return readValue(new ByteReader(bytes)) as ApprovableCommand;
}

function writeValue(writer: ByteWriter, value: unknown): void {
  if (value === null) writer.byte(Tag.null);
  else if (typeof value === 'boolean') writer.byte(value ? Tag.true : Tag.false);
  else if (typeof value === 'number') {
    writer.byte(Tag.number);
    writer.number(value);
  } else if (typeof value === 'bigint') {
    writer.byte(Tag.bigint);
    writer.exact(value);
  } else if (typeof value === 'string') {
    writer.byte(Tag.text);
    writer.text(value);
  } else if (value instanceof Uint8Array) {
    writer.byte(Tag.bytes);
    writer.raw(value);
  } else if (Array.isArray(value)) {
    writer.byte(Tag.list);
    writer.uint32(value.length);
    for (const each of value) writeValue(writer, each);
  } else writeRecord(writer, value as Readonly<Record<string, unknown>>);
}

function writeRecord(writer: ByteWriter, record: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(record).filter((name) => record[name] !== undefined);
  writer.byte(Tag.record);
  writer.byte(names.length);
  for (const name of names.sort()) {
    writer.text(name);
    writeValue(writer, record[name]);
  }
}

function readValue(reader: ByteReader): unknown {
  const tag = reader.byte();
  switch (tag) {
    case Tag.null:
      return null;
    case Tag.false:
    case Tag.true:
      return tag === Tag.true;
    case Tag.number:
      return reader.number();
    case Tag.bigint:
      return exact(reader.exact() as Exact & bigint);
    case Tag.text:
      return reader.text();
    case Tag.bytes:
      return reader.raw();
    case Tag.list:
      return Array.from({ length: reader.uint32() }, () => readValue(reader));
    case Tag.record: {
      const fields = Array.from({ length: reader.byte() }, () => {
        const name = reader.text();
        return [name, readValue(reader)] as const;
      });
      return Object.fromEntries(fields);
    }
    default:
      throw new InvariantError(`a waiting command has a value of the unknown form ${tag}`);
  }
}
