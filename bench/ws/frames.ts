/** Frames of RFC 6455 as bytes, so that the load costs less than the server that it measures. */

const TEXT = 0x81;
const MASKED = 0x80;

/** Returns a client's text frame. Its masking key is zero, which leaves the text as it is. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length > 0xffff) throw new RangeError(`A frame of ${length} bytes is too long.`);
  const header =
    length < 126 ? [TEXT, MASKED | length] : [TEXT, MASKED | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
}

/** Finds the frames of a server in the bytes of a connection. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);

  /** Calls `receive` with the bytes that hold each complete frame's payload, and where it begins and ends. */
  read(chunk: Buffer, receive: (bytes: Buffer, begin: number, end: number) => void): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let position = 0;
    while (position + 4 <= bytes.length) {
      const short = bytes[position + 1]! & 0x7f;
      if (short === 127) throw new RangeError('A frame is longer than 64 KiB.');
      const begin = position + (short === 126 ? 4 : 2);
      const end = begin + (short === 126 ? bytes.readUInt16BE(position + 2) : short);
      if (end > bytes.length) break;
      if (bytes[position] === TEXT) receive(bytes, begin, end);
      position = end;
    }
    this.rest = position === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(position));
  }
}
