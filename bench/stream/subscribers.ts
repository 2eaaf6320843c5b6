/**
 * Subscribers to one book, which parse frames by hand and read only the sequence of an
 * update. subscribers.ts PORT COUNT SENT prints "ready" once each has its snapshot, counts from the
 * first SIGUSR1 to the second, and prints one JSON object then.
 */
import { clockMs, SentTimes } from './clock.ts';

export interface Received {
  /** Received updates. */
  readonly updates: number;
  /** Socket reads that contained them. */
  readonly reads: number;
  readonly seconds: number;
  /** Updates by latency, in buckets of BUCKET_MS: [bucket, count]. */
  readonly latencies: readonly (readonly [number, number])[];
  /** Updates that did not follow the previous one. */
  readonly gaps: number;
}
export const BUCKET_MS = 0.1;

interface Reader {
  isOpen: boolean;
  sequence: number;
  partial: Buffer | undefined;
}

const SYMBOL = 'BTC/USDT';
const HEAD = `{"op":"update","channel":"orderbook","symbol":"${SYMBOL}","prevSequence":`.length;
const MIDDLE = ',"sequence":'.length;
const ZERO = 0x30;
const COMMA = 0x2c;
const HANDSHAKE =
  'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Version: 13\r\n\r\n';
const QUESTION = Buffer.from(`{"op":"subscribe","channel":"orderbook","symbol":"${SYMBOL}"}`);
/** A frame masked with zeros, which does not change its bytes. */
const SUBSCRIBE = Buffer.concat([
  Buffer.from([0x81, 0x80 | QUESTION.length, 0, 0, 0, 0]),
  QUESTION,
]);

if (import.meta.main) await run();

async function run(): Promise<void> {
  const [port, count, sentPath] = process.argv.slice(2);
  const sent = new SentTimes(sentPath!);
  const histogram = new Uint32Array(100_000);
  let [updates, reads, gaps, ready, startMs] = [0, 0, 0, 0, 0];
  let isCounting = false;

  const take = (reader: Reader, bytes: Buffer): void => {
    const all = reader.partial === undefined ? bytes : Buffer.concat([reader.partial, bytes]);
    reader.partial = undefined;
    const now = clockMs();
    if (isCounting) reads++;
    let at = 0;
    for (;;) {
      const start = payloadStart(all, at);
      const end = start + payloadLength(all, at);
      if (!(end <= all.length)) break;
      if (reader.sequence < 0) {
        reader.sequence = Number(
          /"sequence":(\d+)/.exec(all.toString('latin1', start, start + 200))![1],
        );
        if (++ready === Number(count)) console.log('ready');
      } else {
        let place = start + HEAD;
        let previous = 0;
        for (; all[place] !== COMMA; place++) previous = previous * 10 + all[place]! - ZERO;
        let sequence = 0;
        for (place += MIDDLE; all[place] !== COMMA; place++) {
          sequence = sequence * 10 + all[place]! - ZERO;
        }
        if (previous !== reader.sequence) gaps++;
        reader.sequence = sequence;
        if (isCounting) {
          updates++;
          const bucket = Math.floor((now - sent.get(sequence)) / BUCKET_MS);
          histogram[Math.min(Math.max(bucket, 0), histogram.length - 1)]!++;
        }
      }
      at = end;
    }
    if (at < all.length) reader.partial = Buffer.from(all.subarray(at));
  };

  process.on('SIGUSR1', () => {
    if (!isCounting) {
      isCounting = true;
      startMs = clockMs();
      return;
    }
    const seconds = (clockMs() - startMs) / 1000;
    const latencies = [...histogram.entries()].filter(([, number]) => number > 0);
    const received: Received = { updates, reads, seconds, latencies, gaps };
    console.log(JSON.stringify(received));
    process.exit(0);
  });
  for (let index = 0; index < Number(count); index++) {
    await Bun.connect<Reader>({
      hostname: '127.0.0.1',
      port: Number(port),
      socket: {
        open(socket) {
          socket.data = { isOpen: false, sequence: -1, partial: undefined };
          socket.write(HANDSHAKE);
        },
        data(socket, bytes) {
          if (socket.data.isOpen) {
            take(socket.data, bytes);
            return;
          }
          socket.data.isOpen = true;
          socket.write(SUBSCRIBE);
        },
        close() {
          throw new Error('the exchange closed a connection');
        },
        error(_, error) {
          throw error;
        },
      },
    });
  }
}

/** Returns NaN if the frame's header is incomplete, and so for the next one. */
function payloadStart(bytes: Buffer, at: number): number {
  const length = bytes[at + 1];
  if (length === undefined) return Number.NaN;
  return at + (length < 126 ? 2 : length === 126 ? 4 : 10);
}

function payloadLength(bytes: Buffer, at: number): number {
  const length = bytes[at + 1];
  if (length === undefined || length < 126) return length ?? Number.NaN;
  if (length === 126) return bytes[at + 2]! * 256 + bytes[at + 3]!;
  return at + 10 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 2)) : Number.NaN;
}
