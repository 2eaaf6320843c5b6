import { INTERVALS } from '../../src/config/intervals.ts';
import { ERRORS, type ErrorCode } from '../../src/gateway/http/response/errors.ts';
import { PACES_MS } from '../../src/gateway/stream/public-channels/pace.ts';
import {
  CHANNEL_FIELDS,
  CHANNELS,
  MARKET_CHANNELS,
  OPS,
} from '../../src/gateway/stream/request.ts';
import { MAX_MESSAGE_BYTES } from '../../src/gateway/stream/streams.ts';
import { below, type Random } from '../../src/storage/seeded-random.ts';
import { frame, OPCODE, type Received } from './frames.ts';
import { damaged, damagedBytes, type Tree, toText } from './tree.ts';

const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'ETH/BTC'];
const ANSWERS = ['snapshot', 'update', 'unsubscribed', 'authenticated', 'pong', 'error'];

/** Frames to send, and whether they must end the connection. */
export interface FuzzFrames {
  readonly bytes: readonly Uint8Array[];
  readonly isFatal: boolean;
  readonly what: string;
}

/** Returns a message of the protocol, valid or with up to three faults, in one frame or in several. */
export function messageFrames(keys: readonly Tree[], random: Random): FuzzFrames {
  let tree = sound(keys, random);
  for (let faults = [0, 0, 1, 1, 2, 3][below(6, random)]!; faults > 0; faults--) {
    tree = damaged(tree, random);
  }
  let bytes: Uint8Array = Buffer.from(toText(tree));
  const isBinary = below(6, random) === 0;
  // Invalid UTF-8 in a text frame violates the WebSocket protocol; in a binary frame only the message is invalid.
  if (isBinary && below(2, random) === 0) bytes = damagedBytes(bytes, random);
  const what = Buffer.from(bytes).toString('latin1').slice(0, 300);
  const opcode = isBinary ? OPCODE.binary : OPCODE.text;
  return {
    bytes: fragments(bytes, opcode, random),
    isFatal: bytes.length > MAX_MESSAGE_BYTES,
    what,
  };
}

function sound(keys: readonly Tree[], random: Random): Tree {
  const pick = <T>(items: readonly T[]): T => items[below(items.length, random)]!;
  const field = (name: string, value: string) => [name, JSON.stringify(value)] as const;
  const op = pick([...OPS, 'subscribe', 'subscribe'] as const);
  if (op === 'ping') return { fields: [field('op', op)] };
  if (op === 'auth') return pick(keys);
  const channel = pick(CHANNELS);
  const fields: (readonly [string, Tree])[] = [field('op', op), field('channel', channel)];
  if ((MARKET_CHANNELS as readonly string[]).includes(channel)) {
    fields.push(field('symbol', pick(SYMBOLS)));
  }
  if (channel === 'candles') fields.push(field('interval', pick(INTERVALS)));
  if (CHANNEL_FIELDS[channel].includes('everyMs') && below(3, random) === 0) {
    fields.push(['everyMs', pick([...PACES_MS, 'null'])]);
  }
  if (op === 'subscribe' && below(3, random) === 0) {
    fields.push(['sequence', pick(['0', '1', '3', '9007199254740991', 'null'])]);
  }
  if (op === 'subscribe' && channel === 'orders' && below(2, random) === 0) {
    fields.push([pick(['queueAhead', 'fills']), pick(['true', 'false', 'null'])]);
  }
  return { fields };
}

/** Returns one frame, or up to five with pings between them. */
function fragments(bytes: Uint8Array, opcode: number, random: Random): Uint8Array[] {
  if (below(4, random) > 0) return [frame(bytes, { opcode })];
  const count = 2 + below(4, random);
  const size = Math.floor(bytes.length / count);
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    const part = bytes.subarray(index * size, isLast ? undefined : (index + 1) * size);
    const own = frame(part, { opcode: index === 0 ? opcode : OPCODE.continuation, isLast });
    const between =
      below(3, random) === 0 ? [frame(Buffer.from('p'), { opcode: OPCODE.ping })] : [];
    return Buffer.concat([own, ...(isLast ? [] : between)]);
  });
}

/** Frames that RFC 6455 forbids: each must end the connection. */
export const FORBIDDEN: readonly FuzzFrames[] = [
  ...[1, 2, 4, 7].map((reserved) => fatal(`reserved bits ${reserved}`, ping({ reserved }))),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) =>
    fatal(`opcode ${opcode}`, frame(Buffer.from('x'), { opcode })),
  ),
  fatal('a ping in two frames', ping({ isLast: false })),
  fatal('a ping of 126 bytes', frame(Buffer.alloc(126), { opcode: OPCODE.ping })),
  fatal('a close of one byte', frame(Buffer.from([3]), { opcode: OPCODE.close })),
  fatal('a continuation of nothing', frame(Buffer.from('x'), { opcode: OPCODE.continuation })),
  fatal(
    'a message within a message',
    frame(Buffer.from('{'), { opcode: OPCODE.text, isLast: false }),
    frame(Buffer.from('{}'), { opcode: OPCODE.text }),
  ),
  fatal('a message without a mask', text('{"op":"ping"}', { isMasked: false })),
  fatal('invalid UTF-8', frame(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { opcode: OPCODE.text })),
  fatal('half a surrogate', frame(Buffer.from([0xed, 0xa0, 0x80]), { opcode: OPCODE.text })),
  fatal(
    'a byte too many',
    frame(Buffer.alloc(MAX_MESSAGE_BYTES + 1, ' '), { opcode: OPCODE.text }),
  ),
  fatal('4 GiB to come', text('x', { length: 2n ** 32n })),
  fatal('2^63 bytes to come', text('x', { length: 2n ** 63n })),
  fatal('2^64 - 1 bytes to come', text('x', { length: 2n ** 64n - 1n })),
  fatal(
    'parts that are too large together',
    frame(Buffer.alloc(MAX_MESSAGE_BYTES - 10, ' '), { opcode: OPCODE.text, isLast: false }),
    frame(Buffer.alloc(20, ' '), { opcode: OPCODE.continuation }),
  ),
  ...[1000, 1001, 1008, 3000, 4999].map((code) =>
    fatal(`close ${code}`, frame(closing(code), { opcode: OPCODE.close })),
  ),
  ...[0, 999, 1004, 1005, 1006, 1015, 5000, 65_535].map((code) =>
    fatal(`close ${code}`, frame(closing(code), { opcode: OPCODE.close })),
  ),
  fatal('no frame but HTTP', Buffer.from('GET /api/time HTTP/1.1\r\nHost: a\r\n\r\n')),
];

function fatal(what: string, ...bytes: Uint8Array[]): FuzzFrames {
  return { bytes, isFatal: true, what };
}

function ping(terms: object): Buffer {
  return frame(Buffer.from('x'), { opcode: OPCODE.ping, ...terms });
}

function text(message: string, terms: object): Buffer {
  return frame(Buffer.from(message), { opcode: OPCODE.text, ...terms });
}

function closing(code: number): Buffer {
  return Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from('bye')]);
}

/** Returns the kind of a message. @throws Error if the protocol does not document it. */
export function judgeMessage({ opcode, payload }: Received, secrets: readonly string[]): string {
  if (opcode === OPCODE.close || opcode === OPCODE.pong || opcode === OPCODE.ping) return '';
  const message = payload.toString('utf8');
  if (opcode !== OPCODE.text) throw new Error(`a frame of opcode ${opcode}: ${message}`);
  for (const secret of secrets)
    if (message.includes(secret)) throw new Error(`a secret in a message: ${message}`);
  const { op, channel, data, error } = JSON.parse(message);
  if (!ANSWERS.includes(op)) throw new Error(`an undocumented answer: ${message}`);
  if (op === 'snapshot' || op === 'update') {
    if (!CHANNELS.includes(channel) || typeof data !== 'object') throw new Error(message);
  }
  if (op !== 'error') return op;
  const isKnown = Object.hasOwn(ERRORS, error.code) && ERRORS[error.code as ErrorCode].status < 500;
  const isWhole = error.message.length > 10 && typeof error.details === 'object';
  if (!isKnown || !isWhole) throw new Error(`an undocumented error: ${message}`);
  return error.code;
}
