import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { RecordingError } from './errors.ts';
import { readAt } from './read-at.ts';
import { findZipMember, ZIP_METHOD } from './zip.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** First bytes of files that must be unpacked first, in hexadecimal digits, and how. */
const TO_UNPACK = [
  { magic: 'fd377a585a00', kind: 'xz', command: 'xz -dk' },
  { magic: '28b52ffd', kind: 'zstd', command: 'zstd -d' },
  { magic: '425a68', kind: 'bzip2', command: 'bzip2 -dk' },
  { magic: '377abcaf271c', kind: '7z', command: '7z e' },
] as const;
const GZIP = '1f8b';
const ZIP = '504b0304';
const MAX_MAGIC_BYTES = 6;

/**
 * Yields the bytes of a file, unpacked if it is a gzip file or a zip archive of one file.
 * @throws RecordingError if it cannot be read, is damaged or cut
 */
export async function* fileBytes(path: string): Bytes {
  const fd = open(path);
  try {
    const magic = readAt(fd, 0, MAX_MAGIC_BYTES).toString('hex');
    const packed = TO_UNPACK.find((each) => magic.startsWith(each.magic));
    if (packed !== undefined) {
      throw new RecordingError(
        `${path} is packed with ${packed.kind}. Unpack it first (${packed.command} ${path}), and give the unpacked file.`,
      );
    }
    if (magic.startsWith(GZIP)) yield* explained(path, 'gzip file', gunzipped(path));
    else if (magic.startsWith(ZIP)) yield* explained(path, 'zip archive', unzipped(path, fd));
    else yield* explained(path, 'file', createReadStream(path));
  } finally {
    closeSync(fd);
  }
}

function open(path: string): number {
  try {
    const fd = openSync(path, 'r');
    if (!fstatSync(fd).isDirectory()) return fd;
    closeSync(fd);
  } catch (error) {
    throw new RecordingError(`${path} cannot be read (${(error as Error).message}).`);
  }
  throw new RecordingError(`${path} is a directory. Give its files one by one.`);
}

/** Passes bytes on, and errors as those of the file. */
async function* explained(path: string, kind: string, bytes: Bytes): Bytes {
  try {
    yield* bytes;
  } catch (error) {
    throw new RecordingError(
      `${path} cannot be read to its end: the ${kind} is damaged or was cut (${(error as Error).message}). Download it again.`,
    );
  }
}

async function* gunzipped(path: string): Bytes {
  yield* createReadStream(path).pipe(createGunzip());
}

/** Checks size and checksum at the end, because deflated data may end early without an error. */
async function* unzipped(path: string, fd: number): Bytes {
  const member = findZipMember(fd, fstatSync(fd).size);
  const { start, compressedBytes } = member;
  let bytes = 0;
  let checksum = 0;
  if (compressedBytes > 0) {
    const packed = createReadStream(path, { start, end: start + compressedBytes - 1 });
    const chunks: Bytes =
      member.method === ZIP_METHOD.deflate ? packed.pipe(createInflateRaw()) : packed;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  }
  if (bytes !== member.bytes) throw new Error(`${bytes} bytes instead of ${member.bytes}`);
  if (checksum !== member.crc32) throw new Error('wrong checksum');
}
