/**
 * Subscribers to all topics of markets, which discard what they receive. subscribers.ts PORT SYMBOL,SYMBOL,… prints the
 * number of topics once each has its snapshot, and runs until it is killed.
 */
import { INTERVALS } from '../../src/config/intervals.ts';
import { FrameReader, textFrame } from '../ws/frames.ts';

const [port, symbols] = process.argv.slice(2);
const TOPICS_PER_SOCKET = 200;
/** The exchange takes 50 messages a second from a socket: two rounds may arrive in one second. */
const MESSAGES_AT_ONCE = 24;
const INTERVAL_MS = 1100;
const SNAPSHOT = '{"op":"snapshot"';
const HANDSHAKE =
  'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n';

const topics = symbols!
  .split(',')
  .flatMap((symbol) => [
    ...['orderbook', 'level3', 'prices', 'trades'].map((channel) => ({ channel, symbol })),
    ...INTERVALS.map((interval) => ({ channel: 'candles', symbol, interval })),
  ]);
let missing = topics.length;
for (let first = 0; first < topics.length; first += TOPICS_PER_SOCKET) {
  void open(topics.slice(first, first + TOPICS_PER_SOCKET));
}

async function open(own: readonly object[]): Promise<void> {
  const reader = new FrameReader();
  let isUpgraded = false;
  const upgraded = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open: (opened) => void opened.write(HANDSHAKE),
      data(_, chunk) {
        if (missing === 0) return;
        const begin = isUpgraded ? 0 : chunk.indexOf('\r\n\r\n') + 4;
        isUpgraded = true;
        upgraded.resolve();
        reader.read(chunk.subarray(begin), count);
      },
      close() {
        throw new Error('the exchange closed a connection');
      },
      error(_, error) {
        throw error;
      },
    },
  });
  await upgraded.promise;
  for (let at = 0; at < own.length; at += MESSAGES_AT_ONCE) {
    for (const topic of own.slice(at, at + MESSAGES_AT_ONCE)) {
      socket.write(textFrame(JSON.stringify({ op: 'subscribe', ...topic })));
    }
    await Bun.sleep(INTERVAL_MS);
  }
}

function count(frame: Buffer, begin: number, end: number): void {
  const text = frame.toString('latin1', begin, Math.min(end, begin + 200));
  if (text.startsWith('{"op":"error"')) throw new Error(text);
  if (!text.startsWith(SNAPSHOT)) return;
  missing--;
  if (missing === 0) console.log(topics.length);
}
