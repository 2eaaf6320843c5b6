import {
  closeSync,
  createReadStream,
  createWriteStream,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

// Archives of one file: APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and 4.3.16.

const MEMBER_SIGNATURE = 0x04034b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const MEMBER_BYTES = 30;
const ENTRY_BYTES = 46;
const END_BYTES = 22;
/** 2.0, the version that has deflate. */
const VERSION = 20;
const DEFLATE = 8;
/** Larger files need zip64, which many loaders do not read. */
const MAX_BYTES = 0xffffffff;

interface Member {
  readonly name: string;
  readonly crc32: number;
  readonly bytes: number;
  readonly compressedBytes: number;
  /** Time of its last change in the form of DOS: the time, then the date. */
  readonly changed: readonly [number, number];
}

/**
 * Writes an archive with one file, and a file with its SHA-256 in the form of sha256sum next to it. Both appear once they are
 * complete, the hash first.
 * @param source Path of the file. @param name Its name in the archive.
 * @param changedAt Milliseconds since 1970; the same source then gives the same archive.
 * @throws Error if the file has 4 GiB or more
 */
export async function writeZip(
  path: string,
  source: string,
  name: string,
  changedAt: number,
): Promise<void> {
  const { size: bytes } = statSync(source);
  if (bytes >= MAX_BYTES)
    throw new Error(`${name} has 4 GiB or more, which a zip file cannot have`);
  const part = `${path}.part`;
  rmSync(part, { force: true });
  const changed = toDosTime(changedAt);
  let sum = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  const start = MEMBER_BYTES + Buffer.byteLength(name);
  const blank = memberHeader({ name, crc32: 0, bytes: 0, compressedBytes: 0, changed });
  writeAt(part, blank, 0, 'wx');
  const target = createWriteStream(part, { flags: 'r+', start });
  await pipeline(createReadStream(source), measure, createDeflateRaw(), target);
  const compressedBytes = statSync(part).size - start;
  const member = { name, crc32: sum, bytes, compressedBytes, changed };
  writeAt(part, memberHeader(member), 0, 'r+');
  writeAt(part, directory(member), start + compressedBytes, 'r+');
  const sha256 = await hashFile(part);
  const checksum = `${path}.CHECKSUM`;
  rmSync(checksum, { force: true });
  writeAt(checksum, Buffer.from(`${sha256}  ${basename(path)}\n`), 0, 'wx');
  renameSync(part, path);
}

function memberHeader({ name, crc32, bytes, compressedBytes, changed }: Member): Buffer {
  const header = Buffer.alloc(MEMBER_BYTES);
  header.writeUInt32LE(MEMBER_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(changed[0], 10);
  header.writeUInt16LE(changed[1], 12);
  header.writeUInt32LE(crc32, 14);
  header.writeUInt32LE(compressedBytes, 18);
  header.writeUInt32LE(bytes, 22);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

/** Returns the directory of an archive and the record that ends it. */
function directory({ name, crc32, bytes, compressedBytes, changed }: Member): Buffer {
  const nameBytes = Buffer.from(name);
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeUInt32LE(ENTRY_SIGNATURE, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(DEFLATE, 10);
  entry.writeUInt16LE(changed[0], 12);
  entry.writeUInt16LE(changed[1], 14);
  entry.writeUInt32LE(crc32, 16);
  entry.writeUInt32LE(compressedBytes, 20);
  entry.writeUInt32LE(bytes, 24);
  entry.writeUInt16LE(nameBytes.length, 28);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(ENTRY_BYTES + nameBytes.length, 12);
  end.writeUInt32LE(MEMBER_BYTES + nameBytes.length + compressedBytes, 16);
  return Buffer.concat([entry, nameBytes, end]);
}

/** Returns a time in UTC as DOS has it, in steps of two seconds from 1980 on. */
function toDosTime(time: number): readonly [number, number] {
  const date = new Date(Math.max(time, Date.UTC(1980, 0)));
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const clock =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return [clock, day];
}

function writeAt(path: string, bytes: Uint8Array, position: number, flags: string): void {
  const file = openSync(path, flags);
  try {
    writeSync(file, bytes, 0, bytes.length, position);
  } finally {
    closeSync(file);
  }
}

async function hashFile(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const chunk of createReadStream(path)) hasher.update(chunk as Uint8Array);
  return hasher.digest('hex');
}
