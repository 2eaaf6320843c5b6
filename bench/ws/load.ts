import { Latencies } from '../rest/latencies.ts';
import { FrameReader, textFrame } from './frames.ts';

/**
 * Closed-loop load on sockets: each has a number of operations in flight, and sends the next one when one is answered.
 * load.ts PORT FILE SECONDS CONNECTIONS IN_FLIGHT PER_SECOND FIRST_ACCOUNT prints one JSON object. With PER_SECOND above 0 operations start
 * at that rate instead, as far as IN_FLIGHT allows.
 */
export interface WsLoadResult {
  /** Operations answered with success; the latencies are of these. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly refused: number;
  /** Mean size of an answer, bytes. */
  readonly answerBytes: number;
}

/** Messages of the load: an `auth` message for each connection, and the parameters of the orders. */
export interface WsLoad {
  readonly auths: readonly string[];
  readonly params: readonly string[];
  /** By default `/ws` of the exchange. */
  readonly protocol?: WsProtocol;
}

/** The form of messages; a request is `head`, two digits of its id, `middle`, its parameters and a brace. */
export interface WsProtocol {
  readonly path: string;
  /** A part of the answer to an `auth` message. */
  readonly authenticated: string;
  readonly head: string;
  readonly middle: string;
  /** The beginning of every answer up to the id, and from the id to the value that shows success. */
  readonly answerHead: string;
  readonly answerMiddle: string;
  /** The beginning of that value. */
  readonly success: string;
}

const NATIVE: WsProtocol = {
  path: '/ws',
  authenticated: 'authenticated',
  head: '{"op":"order.place","id":"',
  middle: '","params":',
  answerHead: '{"op":"order.place","id":"',
  answerMiddle: '","success":',
  success: 't',
};

const [port, path, seconds, connections, inFlight, perSecond, firstAccount] = process.argv.slice(2);
const WARM_UP_MS = 1000;
/** A connection that has sent so many gives way to one of the next account, so that all accounts trade. */
const ORDERS_PER_CONNECTION = 1000;
const DIGIT_0 = '0'.charCodeAt(0);

const { auths, params, protocol = NATIVE } = (await Bun.file(path!).json()) as WsLoad;
/** All servers send the id and the sign of success at fixed places. */
const ID_AT = protocol.answerHead.length;
const SUCCESS_AT = ID_AT + 2 + protocol.answerMiddle.length;
const SUCCESS = protocol.success.charCodeAt(0);
const slots = Number(inFlight);
const frames = params.map((each) =>
  Array.from({ length: slots }, (_, slot) =>
    textFrame(`${protocol.head}${String(slot).padStart(2, '0')}${protocol.middle}${each}}`),
  ),
);
const latencies = new Latencies();
let next = 0;
let refused = 0;
let answerBytes = 0;
let isCounting = false;
let nextAccount = Number(firstAccount);
/** Operations that may start each millisecond; 0 for as many as fit. */
const perMs = Number(perSecond) / 1000;
let due = 0;
let dueAt = performance.now();
let turn = 0;

interface Connection {
  readonly auth: Buffer;
  sent: number;
  /** Operations without an answer. */
  inFlight: number;
  readonly reader: FrameReader;
  readonly sentAt: Float64Array;
  isUpgraded: boolean;
  isReady: boolean;
  /** Slots without an operation, when the rate is limited. */
  readonly free: number[];
}

const all: Bun.Socket<Connection>[] = [];
const HANDSHAKE =
  `GET ${protocol.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n';

for (let index = 0; index < Number(connections); index++) await connect();

/** Opens a connection of the next account. */
function connect(): Promise<Bun.Socket<Connection>> {
  const auth = textFrame(auths[nextAccount++ % auths.length]!);
  return Bun.connect<Connection>({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open(socket) {
        const reader = new FrameReader();
        const sentAt = new Float64Array(slots);
        const counts = { sent: 0, inFlight: 0 };
        socket.data = {
          auth,
          ...counts,
          reader,
          sentAt,
          isUpgraded: false,
          isReady: false,
          free: [],
        };
        socket.write(HANDSHAKE);
      },
      data: receive,
      close({ data }) {
        if (isCounting && data.sent < ORDERS_PER_CONNECTION) {
          throw new Error('the server closed a connection');
        }
      },
      error(_, error) {
        throw error;
      },
    },
  });
}

if (perMs > 0) setInterval(() => startDue(), 1);

await Bun.sleep(WARM_UP_MS);
isCounting = true;
const start = performance.now();
await Bun.sleep(Number(seconds) * 1000);
isCounting = false;
const elapsedMs = performance.now() - start;
const result: WsLoadResult = {
  ...latencies.summary(elapsedMs),
  refused,
  answerBytes: Math.round(answerBytes / Math.max(1, latencies.count)),
};
console.log(JSON.stringify(result));
process.exit(0);

function frameFor(slot: number): Buffer {
  return frames[next++ % frames.length]![slot]!;
}

function write(socket: Bun.Socket<Connection>, bytes: Buffer): void {
  if (socket.write(bytes) !== bytes.length) throw new Error('operations did not fit the socket');
}

function receive(socket: Bun.Socket<Connection>, chunk: Buffer): void {
  const { data } = socket;
  let bytes = chunk;
  if (!data.isUpgraded) {
    const end = chunk.indexOf('\r\n\r\n');
    if (!chunk.toString('latin1', 0, 12).startsWith('HTTP/1.1 101')) {
      throw new Error(`no upgrade: ${chunk.toString('latin1', 0, 200)}`);
    }
    data.isUpgraded = true;
    write(socket, data.auth);
    bytes = chunk.subarray(end + 4);
  }
  const now = performance.now();
  const out: Buffer[] = [];
  data.reader.read(bytes, (frame, begin, end) => {
    if (!data.isReady) {
      const text = frame.toString('latin1', begin, end);
      if (!text.includes(protocol.authenticated)) throw new Error(`not authenticated: ${text}`);
      data.isReady = true;
      all.push(socket);
      for (let slot = 0; slot < slots; slot++) use(data, slot, now, out);
      return;
    }
    const slot = (frame[begin + ID_AT]! - DIGIT_0) * 10 + frame[begin + ID_AT + 1]! - DIGIT_0;
    if (isCounting) {
      if (frame[begin + SUCCESS_AT] === SUCCESS) {
        latencies.add(now - data.sentAt[slot]!);
        answerBytes += end - begin;
      } else if (refused++ === 0) {
        console.error(frame.toString('latin1', begin, end));
      }
    }
    data.inFlight--;
    use(data, slot, now, out);
  });
  if (out.length > 0) write(socket, out.length === 1 ? out[0]! : Buffer.concat(out));
  if (data.isReady && data.sent >= ORDERS_PER_CONNECTION && data.inFlight === 0) {
    socket.end();
    void connect();
  }
}

/** Starts the operations that are due, each on the next connection with a free slot. */
function startDue(): void {
  const now = performance.now();
  due = Math.min(due + (now - dueAt) * perMs, 10_000);
  dueAt = now;
  for (let misses = 0; due >= 1 && misses < all.length; ) {
    const socket = all[turn++ % all.length]!;
    const slot = socket.data.free.pop();
    if (slot === undefined) {
      misses++;
      continue;
    }
    misses = 0;
    due--;
    socket.data.sentAt[slot] = performance.now();
    socket.data.inFlight++;
    write(socket, frameFor(slot));
  }
}

/** Sends the next order in a slot, at once or at the steady rate. */
function use(data: Connection, slot: number, now: number, out: Buffer[]): void {
  if (perMs > 0) {
    data.free.push(slot);
    return;
  }
  if (data.sent >= ORDERS_PER_CONNECTION) return;
  data.sent++;
  data.inFlight++;
  data.sentAt[slot] = now;
  out.push(frameFor(slot));
}
