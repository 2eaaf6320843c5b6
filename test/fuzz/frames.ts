import { connect, type Socket } from 'node:net';

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const TIMEOUT_MS = 20_000;
const HANDSHAKE =
  'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Version: 13\r\n\r\n';

/** Options of a frame, valid or not by RFC 6455, section 5.2. */
export interface FrameTerms {
  readonly opcode: number;
  readonly isLast?: boolean;
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** A wrong length. */
  readonly length?: bigint;
  /** Bytes of the length field, if not the minimum. */
  readonly lengthBytes?: 0 | 2 | 8;
}

export function frame(payload: Uint8Array, terms: FrameTerms): Buffer {
  const { opcode, isLast = true, reserved = 0, isMasked = true } = terms;
  const length = terms.length ?? BigInt(payload.length);
  const fewest = length < 126n ? 0 : length < 65_536n ? 2 : 8;
  const lengthBytes = terms.lengthBytes ?? fewest;
  const head = Buffer.alloc(2 + lengthBytes);
  head[0] = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const short = lengthBytes === 0 ? Number(length & 127n) : lengthBytes === 2 ? 126 : 127;
  head[1] = (isMasked ? 0x80 : 0) | short;
  if (lengthBytes === 2) head.writeUInt16BE(Number(length & 0xffffn), 2);
  if (lengthBytes === 8) head.writeBigUInt64BE(length, 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  const mask = [0x5a, 0x00, 0xff, 0x13];
  const masked = payload.map((byte, index) => byte ^ mask[index & 3]!);
  return Buffer.concat([head, Buffer.from(mask), masked]);
}

export interface Received {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A WebSocket that sends arbitrary bytes, and checks that the server's frames are well formed. */
export class RawStream {
  readonly received: Received[] = [];
  isOver = false;
  private rest = Buffer.alloc(0);
  private wake = () => {};

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => {
      this.rest = Buffer.concat([this.rest, bytes]);
      while (this.take());
      this.wake();
    });
    // A reset counts as an end.
    socket.on('error', () => {});
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.isOver = true;
        this.wake();
      });
    }
  }

  static async open(port: number): Promise<RawStream> {
    const socket = connect(port, '127.0.0.1');
    socket.write(HANDSHAKE);
    let head = Buffer.alloc(0);
    while (!head.includes('\r\n\r\n')) {
      head = Buffer.concat([
        head,
        await new Promise<Buffer>((resolve) => socket.once('data', resolve)),
      ]);
    }
    if (!head.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(`${head}`);
    return new RawStream(socket);
  }

  send(...bytes: Uint8Array[]): void {
    for (const part of bytes) if (!this.socket.destroyed) this.socket.write(part);
  }

  sendText(text: string): void {
    this.send(frame(Buffer.from(text), { opcode: OPCODE.text }));
  }

  /** Waits until a condition holds for the received frames, or the connection is over. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.isOver) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('the stream does not answer')), TIMEOUT_MS);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  pause(): void {
    this.socket.pause();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private take(): boolean {
    const { rest } = this;
    if (rest.length < 2) return false;
    if ((rest[0]! & 0xf0) !== 0x80 || rest[1]! > 127) throw new Error('a frame no server may send');
    const short = rest[1]!;
    const start = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < start) return false;
    const length =
      short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < start + length) return false;
    const payload = rest.subarray(start, start + length);
    this.received.push({ opcode: rest[0]! & 15, payload });
    this.rest = rest.subarray(start + length);
    return true;
  }
}
