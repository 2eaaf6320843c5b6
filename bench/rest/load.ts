/**
 * Closed-loop load: every connection sends its next order when the one before is answered.
 * load.ts PORT ORDERS.json SECONDS CONNECTIONS prints one JSON object.
 */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Answers that were not 200. */
  readonly refused: number;
}

const [port, path, seconds, connections] = process.argv.slice(2);
const WARM_UP_MS = 1000;
const BUCKET_US = 10;

const orders = ((await Bun.file(path!).json()) as string[]).map((order) => Buffer.from(order));
/** Answers by latency, in buckets of 10 µs up to 2 s. */
const histogram = new Uint32Array(200_000);
let next = 0;
let answered = 0;
let refused = 0;
let isCounting = false;

const OK = '200';
const HEADER_END = Buffer.from('\r\n\r\n');
const LENGTH_NAME = Buffer.from('ontent-');

interface Connection {
  sentAt: number;
  /** Bytes of the answer still to come, once its header was read. */
  left: number;
  partial: Buffer | undefined;
}

for (let i = 0; i < Number(connections); i++) {
  await Bun.connect<Connection>({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open(socket) {
        socket.data = { sentAt: 0, left: 0, partial: undefined };
        send(socket);
      },
      data(socket, bytes) {
        receive(socket, bytes);
      },
      close() {
        if (isCounting) throw new Error('the server closed a connection');
      },
      error(_, error) {
        throw error;
      },
    },
  });
}

await Bun.sleep(WARM_UP_MS);
isCounting = true;
const start = performance.now();
await Bun.sleep(Number(seconds) * 1000);
isCounting = false;
const elapsedMs = performance.now() - start;
const result: LoadResult = {
  perSecond: (answered / elapsedMs) * 1000,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
  maxMs: percentile(1),
  refused,
};
console.log(JSON.stringify(result));
process.exit(0);

function send(socket: Bun.Socket<Connection>): void {
  const order = orders[next++ % orders.length]!;
  socket.data.sentAt = performance.now();
  if (socket.write(order) !== order.length) throw new Error('an order did not fit the socket');
}

/** An answer mostly comes in one piece; only then is nothing copied. */
function receive(socket: Bun.Socket<Connection>, bytes: Buffer): void {
  const { data } = socket;
  if (data.left === 0) {
    const whole = data.partial === undefined ? bytes : Buffer.concat([data.partial, bytes]);
    const headerEnd = whole.indexOf(HEADER_END);
    if (headerEnd < 0) {
      data.partial = Buffer.from(whole);
      return;
    }
    data.partial = undefined;
    data.left = headerEnd + 4 + contentLength(whole) - whole.length;
    if (isCounting && whole.toString('latin1', 9, 12) !== OK) refused++;
  } else {
    data.left -= bytes.length;
  }
  if (data.left > 0) return;
  if (isCounting) {
    answered++;
    const bucket = Math.floor(((performance.now() - data.sentAt) * 1000) / BUCKET_US);
    histogram[Math.min(bucket, histogram.length - 1)]!++;
  }
  send(socket);
}

function contentLength(head: Buffer): number {
  let at = head.indexOf(LENGTH_NAME);
  // Content-Type may come first.
  while (head[at + 7] !== 0x4c && head[at + 7] !== 0x6c) at = head.indexOf(LENGTH_NAME, at + 7);
  let length = 0;
  for (let i = at + 15; head[i] !== 0x0d; i++) length = length * 10 + head[i]! - 0x30;
  return length;
}

function percentile(share: number): number {
  let left = Math.ceil(answered * share);
  for (let bucket = 0; bucket < histogram.length; bucket++) {
    left -= histogram[bucket]!;
    if (left <= 0) return ((bucket + 1) * BUCKET_US) / 1000;
  }
  return Number.POSITIVE_INFINITY;
}
