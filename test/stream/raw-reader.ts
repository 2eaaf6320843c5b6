import { connect, type Socket } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: messages have many forms
type Message = any;

const CLOSE = 8;
const TEXT = 1;
/** The close code of a connection that ended without a close frame (RFC 6455, 7.1.5). */
export const NO_CLOSE_FRAME = 1006;
const toHandshake = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Version: 13\r\n\r\n';

/** A client of the streams that can stop reading. */
export class RawReader {
  /** In the order in which they were received. */
  readonly messages: Message[] = [];
  closed: { code: number; reason: string } | undefined;
  maxFrameBytes = 0;
  /** Reads of the socket that had a part of a message. */
  reads = 0;
  private received: Buffer[] = [];
  private receivedBytes = 0;
  private neededBytes = 2;
  private wake = () => {};

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => this.take(bytes));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed ??= { code: NO_CLOSE_FRAME, reason: '' };
      this.wake();
    });
  }

  static async open(port: number, path = '/ws', handshake = toHandshake(path)): Promise<RawReader> {
    const socket = connect(port, '127.0.0.1');
    socket.write(handshake);
    await new Promise<void>((resolve) => {
      socket.once('data', () => resolve());
    });
    return new RawReader(socket);
  }

  send(message: unknown): void {
    this.sendText(JSON.stringify(message));
  }

  /** @param message At most 65,535 bytes. */
  sendText(message: string): void {
    const text = Buffer.from(message);
    // A mask of zeros leaves the payload unchanged.
    this.socket.write(
      Buffer.from([0x80 | TEXT, 0x80 | 126, text.length >> 8, text.length & 255, 0, 0, 0, 0]),
    );
    this.socket.write(text);
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  destroy(): void {
    this.socket.destroy();
  }

  private take(bytes: Buffer): void {
    this.reads++;
    this.received.push(bytes);
    this.receivedBytes += bytes.length;
    if (this.receivedBytes < this.neededBytes) return;
    let rest = Buffer.concat(this.received);
    for (let frame = findFrame(rest); frame.end <= rest.length; frame = findFrame(rest)) {
      const payload = rest.subarray(frame.start, frame.end);
      this.maxFrameBytes = Math.max(this.maxFrameBytes, payload.length);
      if ((rest[0]! & 15) === TEXT) this.messages.push(JSON.parse(payload.toString()));
      else if ((rest[0]! & 15) === CLOSE) {
        this.closed = { code: payload.readUInt16BE(0), reason: payload.toString('utf8', 2) };
      }
      rest = rest.subarray(frame.end);
    }
    this.received = [rest];
    this.receivedBytes = rest.length;
    this.neededBytes = findFrame(rest).end;
    this.wake();
  }
}

/** Returns the bounds of the first frame's payload, beyond the end if its header is incomplete. */
function findFrame(bytes: Buffer): { start: number; end: number } {
  if (bytes.length < 2) return { start: 2, end: 2 + bytes.length };
  const length = bytes[1]! & 127;
  if (length < 126) return { start: 2, end: 2 + length };
  if (length === 126) {
    return bytes.length < 4 ? { start: 4, end: 5 } : { start: 4, end: 4 + bytes.readUInt16BE(2) };
  }
  if (bytes.length < 10) return { start: 10, end: 11 };
  return { start: 10, end: 10 + Number(bytes.readBigUInt64BE(2)) };
}
