import { readAt } from './read-at.ts';

// The format of zip archives: APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and 4.3.16.

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const MEMBER_SIGNATURE = 0x04034b50;
const MEMBER_BYTES = 30;
const IS_ENCRYPTED = 1;
/** Sizes with this value are elsewhere, in the fields of zip64. */
const IN_ZIP64 = 0xffffffff;

export const ZIP_METHOD = { stored: 0, deflate: 8 } as const;

/** The location of the one file of an archive. */
export interface ZipMember {
  readonly name: string;
  readonly method: number;
  /** Position of its first byte in the archive. */
  readonly start: number;
  readonly compressedBytes: number;
  /** Bytes of the unpacked file. */
  readonly bytes: number;
  readonly crc32: number;
}

/**
 * Finds the file in an archive of one file, as Binance publishes them.
 * @param fd File descriptor of the archive.
 * @param size In bytes.
 * @throws Error with the reason for which it cannot be read
 */
export function findZipMember(fd: number, size: number): ZipMember {
  const directory = findDirectory(fd, size);
  const entry = readAt(fd, directory, ENTRY_BYTES);
  if (entry.length < ENTRY_BYTES || entry.readUInt32LE(0) !== ENTRY_SIGNATURE) {
    throw new Error('its directory is damaged');
  }
  const [compressedBytes, bytes] = [entry.readUInt32LE(20), entry.readUInt32LE(24)];
  const offset = entry.readUInt32LE(42);
  if ([compressedBytes, bytes, offset].includes(IN_ZIP64)) {
    throw new Error('it is larger than 4 GB; unpack it first: unzip FILE');
  }
  if ((entry.readUInt16LE(8) & IS_ENCRYPTED) !== 0) throw new Error('it is encrypted');
  const method = entry.readUInt16LE(10);
  if (method !== ZIP_METHOD.stored && method !== ZIP_METHOD.deflate) {
    throw new Error(
      `its compression method ${method} is not supported; unpack it first: unzip FILE`,
    );
  }
  const member = readAt(fd, offset, MEMBER_BYTES);
  if (member.length < MEMBER_BYTES || member.readUInt32LE(0) !== MEMBER_SIGNATURE) {
    throw new Error('its file is not where its directory says');
  }
  const start = offset + MEMBER_BYTES + member.readUInt16LE(26) + member.readUInt16LE(28);
  if (start + compressedBytes > directory) throw new Error('its file is longer than the archive');
  const name = readAt(fd, directory + ENTRY_BYTES, entry.readUInt16LE(28)).toString();
  return { name, method, start, compressedBytes, bytes, crc32: entry.readUInt32LE(16) };
}

/** Returns the position of the directory, by the record at the end of the archive. */
function findDirectory(fd: number, size: number): number {
  const tailBytes = Math.min(size, END_BYTES + MAX_COMMENT_BYTES);
  const tail = readAt(fd, size - tailBytes, tailBytes);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    // A comment ends with the archive; otherwise these bytes are not the record.
    if (at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue;
    const files = tail.readUInt16LE(at + 10);
    if (files !== 1) throw new Error(`it has ${files} files, not one; unpack it first: unzip FILE`);
    return tail.readUInt32LE(at + 16);
  }
  throw new Error('it has no directory at its end, so it was cut');
}
